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
    """The largest ratio of a counted word, `math.inf` where only the left side can produce one, 0 where none counts."""
    return max((_ratio(left, right) for *_, left, right in counted(scenario, horizon)), default=Fraction(0))


def shortest_violation(scenario, longest: int = 12) -> int | None:
    """The length of the shortest counted word that breaks the claim; at horizon any, up to `longest` symbols."""
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
    """(pair, forward, word, ended, left, right) for each word of `horizon` symbols and each shorter complete run."""
    for pair, forward, word, left, right in walk(scenario, horizon):
        ended = len(word) < horizon
        a, b = (left.get(DONE, 0), right.get(DONE, 0)) if ended else (sum(left.values()), sum(right.values()))
        if (a and b) or ((a or b) and scenario.claim.possible == "either"):
            yield pair, forward, word, ended, a, b


def walk(scenario, depth: int) -> Iterator[tuple[int, bool, tuple, Row, Row]]:
    """Every word of 1 to `depth` symbols that some side (for "both": each side) can begin with, and its rows."""
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


def word_ratio(scenario, left: str, right: str, word: tuple) -> Fraction | float:
    """left/right of the runs that begin with the word, from two states."""
    table, rows = _table(scenario.model), [{left: 1}, {right: 1}]
    for symbol in word:
        rows = [_after(row, table[symbol]) for row in rows]
    return _ratio(*(sum(row.values()) for row in rows))


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
    e, s = (math.lcm(*(w.denominator for row in rows.values() for w in row.values())) for rows in (emit, step))
    onward = {i: {j: int(w * s) for j, w in step[i].items()} if i in step else {DONE: s} for i in model.states}
    return {
        symbol: {i: {j: int(emit[i][symbol] * e) * w for j, w in onward[i].items()} for i in emit if symbol in emit[i]}
        for symbol in model.symbols
    }


def _after(row: Row, letter: dict[object, Row]) -> Row:
    result: Row = {}
    for state, weight in row.items():
        for target, factor in letter.get(state, {}).items():
            result[target] = result.get(target, 0) + weight * factor
    return result
