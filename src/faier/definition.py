"""The definition of privacy, by brute force over words: slow, exact, and short enough to read at a glance.

Everything else in faier is tested against this file; nothing in it is clever.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf
from typing import TypeAlias

from faier.model.hmm import HMM, State, Word
from faier.number.exact import Extended
from faier.scenario.scenario import Scenario

Row: TypeAlias = dict[State | None, Fraction]


def forward(model: HMM, row: Row, word: Word) -> Row:
    """Return Pr(the run begins with `word` and stands in each state after it); None is the end of the run."""
    emit, step = model.emit_rows(), model.step_rows()
    for symbol in word:
        after: Row = {}
        for state, p in row.items():
            if state is None or symbol not in emit[state]:
                continue
            for target, q in (step.get(state) or {None: Fraction(1)}).items():
                more = p * emit[state][symbol] * q
                assert isinstance(more, Fraction)
                after[target] = after.get(target, Fraction(0)) + more
        row = after
    return row


def counted_words(
    scenario: Scenario, length: int
) -> Iterator[tuple[int, bool, Word, bool, Fraction, Fraction]]:
    """All (pair, forward, word, ended, left, right) that count at horizon `length`, impossible ones left out."""
    model, both = scenario.model, scenario.claim.possible == "both"
    for k, pair in enumerate(scenario.pairs):
        for ahead in (True,) if pair.one_way else (True, False):
            one, two = (pair.left, pair.right) if ahead else (pair.right, pair.left)
            level: list[tuple[Word, Row, Row]] = [((), dict(one.weights), dict(two.weights))]  # type: ignore[arg-type]
            for size in range(1, length + 1):
                level = [
                    ((*word, s), forward(model, a, (s,)), forward(model, b, (s,)))
                    for word, a, b in level
                    for s in model.symbols
                ]
                level = [(w, a, b) for w, a, b in level if a or b]
                for word, a, b in level:
                    ended = size < length
                    zero = Fraction(0)
                    left = a.get(None, zero) if ended else sum(a.values(), zero)
                    right = b.get(None, zero) if ended else sum(b.values(), zero)
                    if (left > 0 and right > 0) if both else (left > 0 or right > 0):
                        yield k, ahead, word, ended, left, right


def tight_by_definition(scenario: Scenario, length: int) -> Extended:
    """The largest ratio of a counted word at horizon `length`; 0 where no word counts."""
    return max(
        (inf if r == 0 else left / r for *_, left, r in counted_words(scenario, length)), default=Fraction(0)
    )


def delta_by_definition(scenario: Scenario, length: int, ratio: Fraction) -> Fraction:
    """The largest left(S) - ratio * right(S) of a set S of words counted at `length`, over all directions."""
    beyond: dict[tuple[int, bool], Fraction] = {}
    for pair, ahead, _, _, left, right in counted_words(scenario, length):
        beyond[pair, ahead] = beyond.get((pair, ahead), Fraction(0)) + max(Fraction(0), left - ratio * right)
    return max(beyond.values())
