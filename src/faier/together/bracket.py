"""From a tester's interval to the exact value: evidence proposes, the verifier certifies and closes.

This is Algorithm 4 of the paper that faier starts from, with exact steps where it has a binary search.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from fractions import Fraction

from faier import engine
from faier.auditing.audit import audit
from faier.combined import Bracket, Move
from faier.evidence import Evidence
from faier.model.names import label
from faier.number.exact import Extended
from faier.scenario.scenario import Scenario
from faier.verdict import Bounds, Holds, Tight, Unknown, Violated, Witness

from .learned import learn
from .subject import Subject, narrowed

Listener = Callable[[str], None]


@dataclass
class _Run:
    """What one bracket has so far."""

    listen: Listener | None
    deadline: float | None
    moves: list[Move] = field(default_factory=list)

    def note(self, text: str, low: Extended, high: Extended = math.inf) -> None:
        self.moves.append(Move(text, Bounds(low, high)))
        if self.listen is not None:
            self.listen(text)

    @property
    def seconds_left(self) -> float | None:
        return None if self.deadline is None else max(0.001, self.deadline - time.perf_counter())


def bracket(
    what: Subject,
    *,
    samples: int = 100_000,
    seed: int = 0,
    confidence: float = 0.95,
    tolerance: Fraction = Fraction(1, 10**9),
    seconds: float | None = None,
    listen: Listener | None = None,
) -> Bracket:
    """Bracket the tight epsilon: with a model by certified bounds, without one by what samples say.

    With a model a test proposes a pair; the exact ratio of that pair is the first lower bound; then the verifier shows
    that no pair exceeds it, or names one that does, whose exact ratio is the next. At horizon "any" the search over all
    lengths closes the interval, and says where no epsilon exists.
    """
    begun = time.perf_counter()
    run = _Run(listen, None if seconds is None else begun + seconds)
    evidence = audit(
        what.sampler,
        what.pairs,
        samples=samples,
        seed=seed,
        confidence=confidence,
        keep=what.keep,
        first=what.first,
        one_way=what.one_way,
    )
    pair = f"{_named(evidence.bound_left)} against {_named(evidence.bound_right)}"
    run.note(
        f"tested {len(what.pairs):,} pair{'s' * (len(what.pairs) > 1)} on {evidence.drawn:,} samples: {pair}, "
        f"{evidence.bound_event_text}, epsilon at least {evidence.lower_bound:.4f} with confidence {confidence:g}",
        Fraction(0),
    )
    scenario = what.scenario
    if scenario is None:
        found = learn(what.sampler, (evidence.bound_left, evidence.bound_right), samples, seed, confidence)
        return Bracket(None, None, None, evidence, found, tuple(run.moves), time.perf_counter() - begun)
    if scenario.claim.horizon == "any" or scenario.uses_unknowns:
        tight = engine.epsilon(scenario, tolerance=tolerance, seconds=run.seconds_left)
        run.note("searched words of every length", *_extended(tight))
    else:
        tight = _closed(scenario, _place_of(what, scenario, evidence), run)
    tight = replace(tight, seconds=time.perf_counter() - begun)
    return Bracket(
        scenario, tight, tight.witness, evidence, None, tuple(run.moves), time.perf_counter() - begun
    )


def _closed(scenario: Scenario, place: int, run: _Run) -> Tight:
    """Exact ratios of single pairs from below, each led by a witness of the one before, until the verifier agrees."""
    why = "the pair that the test proposes"
    best: Tight | None = None
    while True:
        one = engine.epsilon(narrowed(scenario, [place]), seconds=run.seconds_left)
        if best is None or _extended(one)[0] > _extended(best)[0]:
            best = _at(scenario, one, place)
        pair = scenario.pairs[place]
        run.note(f"{why}, {pair.left.name} against {pair.right.name}, exactly", _extended(one)[0])
        if not one.complete or best.ratio.lower in (math.inf, 0):
            return (
                best if best.ratio.lower == math.inf else engine.epsilon(scenario, seconds=run.seconds_left)
            )
        lower = best.ratio.lower
        assert isinstance(lower, Fraction)
        verdict = engine.verify(scenario.claiming(ratio=lower), seconds=run.seconds_left)
        match verdict:
            case Holds():
                run.note("no pair exceeds it: proved", lower, lower)
                return replace(
                    best, trace=verdict.trace, ratio=Bounds(lower, lower), left_out=verdict.left_out
                )
            case Violated(witness=witness):
                place, why = witness.pair, "a pair that exceeds it"
            case Unknown():
                bounds = Bounds(best.ratio.lower, verdict.bounds.upper)
                run.note(f"stopped: {verdict.reason}", _extended(best)[0])
                return replace(best, ratio=bounds, complete=False, reason=verdict.reason, attained=False)


def _at(scenario: Scenario, one: Tight, place: int) -> Tight:
    """The result of one pair as one of the whole scenario: a lower bound, so far without a proof of the upper one."""
    witness: Witness | None = None if one.witness is None else replace(one.witness, pair=place)
    return replace(one, scenario=scenario, witness=witness, trace=None)


def _place_of(what: Subject, scenario: Scenario, evidence: Evidence) -> int:
    """Which pair the evidence is about; the first where it is about none."""
    if what.places:
        ways = [(evidence.bound_left, evidence.bound_right), (evidence.bound_right, evidence.bound_left)]
        return next((place for pair, place in zip(what.pairs, what.places, strict=True) if pair in ways), 0)
    names = [_named(evidence.bound_left), _named(evidence.bound_right)]
    # A process starts in hidden states, so its beliefs are called "given" a data set.
    wanted = ({*names}, {f"given {name}" for name in names})
    return next((k for k, p in enumerate(scenario.pairs) if {p.left.name, p.right.name} in wanted), 0)


def _extended(tight: Tight) -> tuple[Extended, Extended]:
    low, high = tight.ratio.lower, tight.ratio.upper
    assert isinstance(low, Fraction | float)
    assert isinstance(high, Fraction | float)
    return low, high


def _named(data: object) -> str:
    assert isinstance(data, Hashable)
    return label(data)
