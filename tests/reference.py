"""The tests' own reference: brute force over words, exact, sharing nothing with the engines it judges.

Rows are integers over one scale for both sides, which cancels in every ratio.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction

DONE = object()
Row = dict[object, int]


def tight(scenario, horizon: int) -> Fraction | float:
    """The largest ratio of a counted word: infinite if only the left can produce one, 0 if none counts."""
    return max((_ratio(left, right) for *_, left, right in counted(scenario, horizon)), default=Fraction(0))


def shortest_violation(scenario, longest: int = 12) -> int | None:
    """The length of the shortest word that breaks the claim; at horizon any, of up to `longest` symbols."""
    horizon = scenario.claim.horizon
    for depth in range(1, longest + 1) if horizon == "any" else [horizon]:
        lengths = [
            len(word)
            for *_, word, _, left, right in counted(scenario, depth)
            if not allows(scenario.claim.budget, _ratio(left, right))
        ]
        if lengths:
            return min(lengths)
    return None


def enclosure(scenario, depth: int) -> tuple[Fraction | float, Fraction | float]:
    """At horizon any: the best word of at most `depth` symbols, and the mediant bound on all words."""
    best = max(tight(scenario, n) for n in range(1, depth + 1))
    open_leaves = [(left, right) for *_, word, left, right in walk(scenario, depth) if len(word) == depth]
    bounds = [_ratio(left[s], right.get(s, 0)) for left, right in open_leaves for s in left]
    return best, max([best, *bounds])


def counted(scenario, horizon: int) -> Iterator[tuple[int, bool, tuple, bool, int, int]]:
    """(pair, forward, word, ended, left, right) of words of `horizon` symbols and shorter complete runs."""
    for pair, forward, word, left, right in walk(scenario, horizon):
        ended = len(word) < horizon
        a, b = (left.get(DONE, 0), right.get(DONE, 0)) if ended else (sum(left.values()), sum(right.values()))
        if (a and b) or ((a or b) and scenario.claim.possible == "either"):
            yield pair, forward, word, ended, a, b


def walk(scenario, depth: int) -> Iterator[tuple[int, bool, tuple, Row, Row]]:
    """The words of 1 to `depth` symbols that some side ("both": each side) can begin with, and their rows."""
    table = _table(scenario.model)
    for index, pair in enumerate(scenario.pairs):
        for forward in (True,) if pair.one_way else (True, False):
            beliefs = [pair.left.weights, pair.right.weights][:: 1 if forward else -1]
            scale = math.lcm(*(w.denominator for belief in beliefs for w in belief.values()))
            open_words = [((), *({s: int(w * scale) for s, w in belief.items()} for belief in beliefs))]
            while open_words:
                word, *rows = open_words.pop()
                for symbol in table:
                    left, right = (_after(row, table[symbol]) for row in rows)
                    if (left and right) or ((left or right) and scenario.claim.possible == "either"):
                        yield index, forward, (*word, symbol), left, right
                        if len(word) + 1 < depth:
                            open_words.append(((*word, symbol), left, right))


def probability(model, start: dict, word: tuple, ended: bool = False) -> Fraction:
    """Pr(the run begins with the word), or Pr(the run is the word)."""
    emit, step = model.emit_rows(), model.step_rows()
    row = dict(start)
    for symbol in word:
        onward: dict[object, Fraction] = {}
        for state, weight in row.items():
            for target, p in step.get(state, {DONE: 1}).items() if symbol in emit.get(state, {}) else ():
                onward[target] = onward.get(target, 0) + weight * emit[state][symbol] * p
        row = onward
    return Fraction(row.get(DONE, 0) if ended else sum(row.values()))


def allows(budget, ratio: Fraction | float) -> bool:
    """ratio <= e**power * base**(1/root), decided by rationals or by sixty digits."""
    if budget.power == 0 or ratio == math.inf:
        return ratio != math.inf and ratio**budget.root <= budget.base
    with localcontext(prec=60):
        bound = (Decimal(budget.power.numerator) / budget.power.denominator * budget.root).exp()
        gap = ratio**budget.root / budget.base - Fraction(bound)
    assert abs(gap) > Fraction(1, 10**40), "sixty digits do not decide this claim"
    return gap < 0


def _ratio(left: int, right: int) -> Fraction | float:
    return Fraction(left, right) if right else math.inf if left else Fraction(0)


def _table(model) -> dict[object, dict[object, Row]]:
    """symbol -> state -> next state (or DONE) -> integer weight; one scale for all."""
    emit, step = model.emit_rows(), model.step_rows()
    e, s = (
        math.lcm(*(p.denominator for row in rows.values() for p in row.values())) for rows in (emit, step)
    )
    table: dict[object, dict[object, Row]] = {symbol: {} for symbol in model.symbols}
    for i, row in emit.items():
        for symbol, p in row.items():
            table[symbol][i] = {
                j: int(p * e) * int(q * s) for j, q in step.get(i, {DONE: Fraction(1)}).items()
            }
    return table


def _after(row: Row, letter: dict[object, Row]) -> Row:
    result: Row = {}
    for state, weight in row.items():
        for target, factor in letter.get(state, {}).items():
            result[target] = result.get(target, 0) + weight * factor
    return result
