"""The extreme value of one parameter that keeps a claim for all values of the others: exists, for all.

A value is judged exactly, one at a time. Where a word stops to break the claim says which value to judge next;
then the values on both sides of the one that was found are proved to be safe, or broken, all at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import assert_never

from faier.calibration import Calibration, Goal
from faier.engine.progress import Limits
from faier.errors import FaierError, NumberError
from faier.number.unknowns import Range
from faier.scenario.narrowing import restricted, spread
from faier.scenario.scenario import Scenario
from faier.trace import Boxes
from faier.verdict import Holds, Unknown, Violated, Witness

from .breach import Breaches, simplest_in

_SHORT, _LONG = 2.0, 30.0
_SECONDS_FOR_MANY = 20.0
_GRID = 16
_MOST_PIECES = 2_000
_MOST_RETURNS = 8
_GAIN, _PAUSE = 1, 8
_SUSPICIOUS = 64


def calibrate(scenario: Scenario, parameter: str, goal: Goal, tolerance: Fraction, limits: Limits) -> Calibration:
    """The largest or smallest value of a parameter that keeps the claim, to a share `tolerance` of its range."""
    search = Calibrator(scenario, parameter, goal, tolerance, limits)
    try:
        search.run()
    except KeyboardInterrupt:
        search.reason = "interrupted"
    return search.result()


class Calibrator:
    """What is known so far. `near` is the end of the range that the goal asks for, `far` the other one."""

    def __init__(self, scenario: Scenario, parameter: str, goal: Goal, tolerance: Fraction, limits: Limits):
        self.scenario, self.parameter, self.goal, self.tolerance = scenario, parameter, goal, tolerance
        self.limits = limits
        self.range = scenario.model.unknowns.ranges[parameter]
        self.breaches: Breaches | None = None
        try:
            spread_out, ranges = spread(scenario, [parameter])
            self.range = ranges[parameter]
            self.breaches = Breaches(spread_out, [parameter])
        except NumberError:
            # An equation that is not solved for another parameter: values are judged one by one all the same.
            pass
        lower, upper = self.range.lower, self.range.upper
        self.near, self.far = (lower, upper) if goal == "minimise" else (upper, lower)
        self.width = tolerance * (upper - lower)
        self.safe: Fraction | None = None
        self.unsafe: Fraction | None = None
        self.witnesses: dict[Fraction, Witness] = {}
        self.proofs: dict[Fraction, Holds] = {}
        self.empty: set[Fraction] = set()
        self.undecided: list[Fraction] = []
        self.safe_beyond: bool | None = None
        self.unsafe_beyond: bool | None = None
        self.exception: Witness | None = None
        self.proof: Holds | None = None
        self.reason: str | None = None
        self.verdicts = 0
        self.complete = False
        self.patient = False
        self.probed: set[Fraction] = set()

    def run(self) -> None:
        """Find a safe value and a broken one next to it, then prove what lies on both sides of them."""
        if self._is_safe(first := self._inside(self.near)):
            self.safe, self.complete = first, True
            self._prove_beyond(whole=True)
            return
        self._look_for_a_safe_value()
        for _ in range(_MOST_RETURNS):
            if self.safe is None or self.unsafe is None:
                break
            self._narrow()
            if self._stop() or not self.complete:
                break
            # A safe value may lie on the other side of what is broken.
            better = self._prove_broken(self.near, self.unsafe)
            if better is None:
                break
            self.safe, self.complete = better, False
            self.unsafe = self._nearest_broken(better)
        if self.safe is not None:
            self._prove_beyond(whole=False)

    def result(self) -> Calibration:
        """What is known, and how far it goes."""
        proof = self.proof
        if proof is None and self.safe is not None:
            proof = self.proofs.get(self.safe)
        witness = None if self.unsafe is None else self.witnesses.get(self.unsafe)
        reason = None if self.complete else self.reason or "some values could not be decided"
        return Calibration(
            self.scenario,
            self.parameter,
            self.goal,
            self.range,
            self.tolerance,
            self.safe,
            self.unsafe,
            witness,
            self.safe_beyond,
            self.unsafe_beyond,
            self.exception,
            tuple(self.undecided),
            self.complete,
            reason,
            self.limits.elapsed,
            self.verdicts,
            proof,
        )

    def _is_safe(self, value: Fraction) -> bool | None:
        """Judge one value; None where it cannot be decided, or where the other parameters have no values."""
        if value in self.proofs:
            return True
        if value in self.witnesses:
            return False
        if value in self.empty or value in self.undecided or self._stop():
            return None
        from faier.engine import verify

        self.verdicts += 1
        self._tell()
        try:
            at = self.scenario.fixing({self.parameter: value})
        except FaierError:
            # The constraints, or a condition that has probability 0 there, leave nothing to claim.
            self.empty.add(value)
            return None
        verdict = verify(at, seconds=self._seconds(_LONG if self.patient else _SHORT))
        match verdict:
            case Holds():
                if isinstance(verdict.trace, Boxes) and _claims_nothing(verdict.trace):
                    self.empty.add(value)
                    return None
                self.proofs[value] = verdict
                return True
            case Violated(witness=witness):
                assert isinstance(witness, Witness)
                self._broken_at(value, witness)
                return False
            case Unknown(reason=reason):
                self.reason = reason
                if reason == "interrupted":
                    raise KeyboardInterrupt
                self.undecided.append(value)
                return None
            case _:
                assert_never(verdict)

    def _broken_at(self, value: Fraction, witness: Witness) -> None:
        names = self.scenario.model.unknowns.ranges
        known: dict[str, Fraction] = {**witness.parameters, self.parameter: value}
        if self.breaches is not None and (point := self.breaches.completed(known, [value])) is not None:
            # A parameter that nothing depends on at this value has one all the same.
            known = self.breaches.domain.named(point)
        self.witnesses[value] = replace(witness, parameters={name: known[name] for name in names if name in known})
        if self.breaches is not None:
            self.breaches.of_witness(self.witnesses[value], [value])

    def _inside(self, end: Fraction) -> Fraction:
        """An end of the range; where it does not belong to it, a value closer than the tolerance."""
        if end in self.range:
            return end
        lower, upper = self.range.lower, self.range.upper
        step = min(self.width, (upper - lower) / 4)
        if end == lower:
            return simplest_in(lower + step / 2, lower + step)
        return simplest_in(upper - step, upper - step / 2)

    def _look_for_a_safe_value(self) -> None:
        """Judge values from all over the range; of the safe ones take the one nearest to the goal."""
        grid = [self.near + (self.far - self.near) * Fraction(k, _GRID) for k in range(1, _GRID)]
        grid.sort(key=lambda v: ((v - self.near) / (self.far - self.near)).denominator)
        for value in (self._inside(self.far), *grid):
            if self._stop():
                break
            if self._is_safe(value):
                break
        if not self.proofs and not self._stop():
            found = self._prove_broken(self.near, self.far)
            if found is None:
                # Of a range that is broken throughout, the simplest value is the best witness.
                self.unsafe = min(self.witnesses, key=lambda v: (v.denominator, v), default=None)
                self.complete = self.unsafe_beyond is True
                return
        if self.proofs:
            self.safe = min(self.proofs, key=lambda v: abs(v - self.near))
            self.unsafe = self._nearest_broken(self.safe)

    def _nearest_broken(self, safe: Fraction) -> Fraction | None:
        """The broken value next to a safe one, on the side of the goal; or one where nothing is claimed."""
        side = [v for v in (*self.witnesses, *self.empty) if self._is_ahead(v, safe)]
        return max(side, key=lambda v: abs(v - self.near), default=None)

    def _is_ahead(self, one: Fraction, two: Fraction) -> bool:
        return abs(one - self.near) < abs(two - self.near)

    def _narrow(self) -> None:
        """Bring a safe and a broken value to within the tolerance of one another."""
        assert self.safe is not None
        assert self.unsafe is not None
        # Where ever longer words matter, the last one says little about the next: then halving is as good.
        patience = 2
        while not self._stop():
            gap = abs(self.safe - self.unsafe)
            if gap <= self.width:
                self.complete = True
                self.undecided = []
                return
            guided = patience > 0
            if not any(self._try(value) for value in self._next(guided)):
                if self.patient:
                    self._only_between()
                    return
                # Nothing here can be decided quickly.
                self.patient, self.undecided = True, []
            patience += _GAIN if abs(self.safe - self.unsafe) * 8 <= gap else -1
            if patience < -_PAUSE:
                patience = 1
        self._only_between()

    def _try(self, value: Fraction) -> bool:
        """Judge a value between the broken one and the safe one; False where it cannot be decided."""
        decided = self._is_safe(value)
        if decided is True:
            self.safe = value
        elif decided is False or value in self.empty:
            self.unsafe = value
        return decided is not None or value in self.empty

    def _next(self, guided: bool) -> Iterator[Fraction]:
        """Values between the broken one and the safe one, the most telling first."""
        assert self.safe is not None
        assert self.unsafe is not None
        unsafe, step = self.unsafe, self.safe - self.unsafe
        yield from self._suspects()
        if guided and (end := self._end()) is not None:
            share = (end - unsafe) / step
            width = self.width / abs(step)
            # Where the word stops is a simple number at times; else one value on each side of it is enough.
            for before, after in ((-width / 4, width / 4), (width / 4, width / 2), (-width / 2, -width / 4)):
                first, last = max(share + before, width / 8), min(share + after, 1 - width / 8)
                if first <= last:
                    value = self._simple(unsafe + step * first, unsafe + step * last)
                    if value not in (self.safe, self.unsafe):
                        yield value
        for low, high in ((6, 10), (6, 7), (9, 10), (3, 5), (11, 13)):
            yield self._simple(unsafe + step * Fraction(low, 16), unsafe + step * Fraction(high, 16))

    def _suspects(self) -> Iterator[Fraction]:
        """A value too simple to lie between the two by chance; once it is one of them, the value next to it."""
        assert self.safe is not None
        assert self.unsafe is not None
        safe, unsafe = self.safe, self.unsafe
        gap = abs(safe - unsafe)
        inner = self._simple(safe + (unsafe - safe) / 2**20, unsafe + (safe - unsafe) / 2**20)
        if inner.denominator**2 * gap * _SUSPICIOUS < 1:
            yield inner
        for one, other in ((safe, unsafe), (unsafe, safe)):
            if one not in self.probed and one.denominator**2 * gap * _SUSPICIOUS < 1:
                self.probed.add(one)
                step = self.width * (1 if other > one else -1)
                yield self._simple(one + step / 2, one + step)

    def _end(self) -> Fraction | None:
        """About where the last of the known words stops to break the claim, between the two values."""
        assert self.safe is not None
        assert self.unsafe is not None
        if self.breaches is None:
            return None
        at, breach = self.unsafe, None
        for _ in range(4):
            ends = [
                (end, known)
                for known in self.breaches.breaking([at])
                if (end := self.breaches.ends(known, at, self.safe)) is not None
            ]
            if not ends:
                break
            end, breach = max(ends, key=lambda e: abs(e[0] - self.near))
            if abs(end - at) <= self.width / 8:
                break
            at = at + (end - at) * (1 - Fraction(1, 2**20))
            self.breaches.improve([at])
        return None if breach is None else end

    def _only_between(self) -> None:
        """Of the values that could not be decided, those in the way."""
        assert self.safe is not None
        assert self.unsafe is not None
        low, high = sorted((self.safe, self.unsafe))
        self.undecided = [v for v in self.undecided if low <= v <= high]

    def _prove_beyond(self, *, whole: bool) -> None:
        """Prove that all values from the safe one to the far end are safe, or find one that is not."""
        assert self.safe is not None
        from faier.engine import verify

        if self._stop():
            return
        lower, upper = sorted((self.near if whole else self.safe, self.far))
        below, above = (end not in self.range for end in (lower, upper))
        try:
            scenario = restricted(self.scenario, {self.parameter: Range(lower, upper, below, above)})
        except NumberError:
            return
        self.verdicts += 1
        match verify(scenario, seconds=self._seconds(_SECONDS_FOR_MANY)):
            case Holds() as proof:
                self.safe_beyond, self.proof = True, proof
            case Violated(witness=witness):
                assert isinstance(witness, Witness)
                self.safe_beyond, self.exception = False, witness
            case Unknown(reason="interrupted"):
                raise KeyboardInterrupt

    def _prove_broken(self, start: Fraction, stop: Fraction) -> Fraction | None:
        """Prove that every value between two is broken; a safe value where one is met.

        From `start` on, so that all values before the safe one are broken.
        """
        self.unsafe_beyond = None
        breaches = self.breaches
        if breaches is None:
            return None
        waiting, looked_at, left = [(start, stop)], 0, False
        while waiting:
            if self._stop() or looked_at >= _MOST_PIECES:
                return None
            looked_at += 1
            one, two = waiting.pop()
            sides = [(min(one, two), max(one, two))]
            if breaches.everywhere(sides) is not None or breaches.domain.misses(breaches.box(sides)) is not None:
                continue
            middle = self._simple(one + (two - one) * Fraction(3, 8), one + (two - one) * Fraction(5, 8))
            if breaches.known_to_break([middle]) is not None:
                breaches.improve([middle])
            elif self._is_safe(middle):
                return middle
            if breaches.everywhere(sides) is not None:
                continue
            if abs(two - one) <= self.width / 4:
                left = True
                continue
            waiting += [(middle, two), (one, middle)]
        self.unsafe_beyond = None if left else True
        return None

    def _simple(self, one: Fraction, two: Fraction) -> Fraction:
        return simplest_in(min(one, two), max(one, two))

    def _seconds(self, most: float) -> float:
        """What one verdict may take."""
        if self.limits.seconds is None:
            return most
        return max(0.001, min(most, self.limits.seconds - self.limits.elapsed))

    def _stop(self) -> bool:
        reason = self.limits.reached()
        if reason is not None:
            self.reason = reason
        return reason is not None

    def _tell(self) -> None:
        self.limits.tell_in_words(self._so_far)

    def _so_far(self) -> str:
        judged = f"{self.verdicts:,} value{'' if self.verdicts == 1 else 's'} judged"
        known = [("safe", self.safe), ("broken", self.unsafe)]
        parts = [f"{word} {float(value):.10g}" for word, value in known if value is not None]
        return ", ".join([judged, *parts])


def _claims_nothing(trace: Boxes) -> bool:
    """Whether a proof holds for want of values."""
    return all(step.rule == "outside" for step in trace.steps)

