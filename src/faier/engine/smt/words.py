"""The claim word by word: for each counted word and direction, a polynomial that is positive where it breaks.

What the paper's authors handed to Redlog, where the one query of Algorithm 1 was too hard.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from faier.errors import UsageError
from faier.model.hmm import Word
from faier.number.exact import Prob
from faier.scenario.scenario import Scenario

from .automaton import Automaton, Row
from .backend import Satisfiable
from .query import Finding, Question
from .region import Cut, Region
from .unknowns import Unknowns
from .unrolled import Tick

MOST_WORDS = 1000


class TooManyWords(UsageError):
    """More words than are sensibly compared one by one."""


@dataclass(frozen=True)
class Breach:
    """One direction of one pair on one word: the claim is broken where all conditions hold (and the region's)."""

    pair: int
    forward: bool
    word: Word
    ended: bool
    conditions: tuple[Cut, ...]

    def finding(self, region: Region, answer: Satisfiable) -> Finding:
        """What a point where the conditions hold says."""
        point = region.read({**answer.values, **answer.near})
        return Finding(self.pair, self.forward, self.word, self.ended, point, not answer.near)


def breaches(question: Question, *, most: int = MOST_WORDS, tick: Tick = lambda: None) -> Iterator[Breach]:
    """Every way in which the claim can be broken at its finite horizon.

    Words that a side cannot produce at all, and such as plainly break nothing, are left out. More than `most`
    words raise `TooManyWords`.
    """
    scenario, unknowns, horizon, bound = (
        question.scenario, question.unknowns, question.horizon, question.bound
    )
    automaton = Automaton.of(scenario, unknowns)
    by = unknowns.factor([bound])
    shared = automaton.cuts
    pairs = scenario.pairs
    seen = 0
    for word, ended, masses in _words(scenario, automaton, horizon):
        tick()
        seen += 1
        if seen > most:
            raise TooManyWords(f"there are more than {most:,} words to compare one by one at horizon {horizon:,}")
        for k, pair in enumerate(pairs):
            left, right = masses[k], masses[len(pairs) + k]
            a, b = automaton.left_factors[k], automaton.right_factors[k]
            for forward in (True,) if pair.one_way else (True, False):
                above, below, own, other = (left, right, a, b) if forward else (right, left, b, a)
                gap = above * by * other - below * bound * by * own
                both = (left, right) if scenario.claim.possible == "both" else ()
                if _never_positive(gap) or any(_never_positive(side) for side in both):
                    continue
                needed = [*shared, *unknowns.positive((by, a, b, *both))]
                yield Breach(k, forward, word, ended, (*needed, *_above_zero(unknowns, gap)))


def _words(scenario: Scenario, automaton: Automaton, horizon: int) -> Iterator[tuple[Word, bool, list[Prob]]]:
    """Counted words that some side can produce, with each start's mass: lefts first, then rights."""
    starts: list[tuple[Word, tuple[Row, ...]]] = [((), (*automaton.lefts, *automaton.rights))]
    while starts:
        word, rows = starts.pop()
        following: list[tuple[Word, tuple[Row, ...]]] = []
        for s, symbol in enumerate(scenario.model.symbols):
            emitted = [_emitted(automaton, row, s) for row in rows]
            if not any(emitted):
                continue
            longer = (*word, symbol)
            if len(longer) == horizon:
                yield longer, False, [_total(row) for row in emitted]
                continue
            moved = [_moved(automaton, row) for row in emitted]
            # Runs that ended go on with pads, which every reading of this length has been spared alike.
            ended = [row.pop(automaton.done, Fraction(0)) for row in moved]
            if any(mass != 0 for mass in ended):
                yield longer, True, ended
            if any(moved):
                following.append((longer, tuple(moved)))
        starts += reversed(following)


def _emitted(automaton: Automaton, row: Row, symbol: int) -> dict[int, Prob]:
    return {i: m * p for i, m in row.items() if (p := automaton.emit[i].get(symbol, Fraction(0))) != 0}


def _moved(automaton: Automaton, row: Row) -> dict[int, Prob]:
    following: dict[int, Prob] = {}
    for i, mass in row.items():
        for j, chance in automaton.step[i].items():
            following[j] = following.get(j, Fraction(0)) + mass * chance
    return following


def _total(row: Row) -> Prob:
    total: Prob = Fraction(0)
    for mass in row.values():
        total = total + mass
    return total


def _never_positive(value: Prob) -> bool:
    return isinstance(value, Fraction) and value <= 0


def _above_zero(unknowns: Unknowns, gap: Prob) -> list[Cut]:
    return [] if isinstance(gap, Fraction) else [(unknowns.polynomial(gap), ">")]
