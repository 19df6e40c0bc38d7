"""Secrets at every step, past and future apart: a certificate of certificates. [T18]

Each part speaks about one direction of one gate at one step, at every step, or at all steps after some: by the product
of what is proved of the symbols before the step, read backwards, and of those from it on. Where a side is a set of
states, parts about each of them bound it. Other parts are about pairs that are asked about alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product

from .alone import Alone, family_of, is_every
from .apart_certificate import Apart, Part, read_apart
from .apart_certificate import is_apart as is_apart
from .apart_digest import digest_of_gates
from .around import Window, family_around
from .backward import Chain, Direction
from .budgets import budget, excess
from .certificate import Horizon
from .errors import CertificateError
from .family import Family, FamilyPair
from .gate import Gate
from .limits import Meter
from .model import Distribution
from .number import brief

Upper = Fraction | None
"""A bound from above; None where there is none."""
Bounds = tuple[Fraction | None, Upper]
"""A bound from below, None for infinity, and one from above."""


@dataclass(frozen=True)
class Answer:
    """What a certificate about an ordinary model proves: bounds, for a horizon, by so many rules.

    Where `reach` is not None, all words of so many symbols begin with one that the proof dominates. [T18]
    """

    bounds: Bounds
    horizon: Horizon
    rules: int
    reach: int | None


Check = Callable[[object, Family, Meter], Answer]


def prove_apart(
    value: object, family: Family, pairs: Sequence[FamilyPair | Gate], meter: Meter, check: Check
) -> tuple[str, str, int, Mapping[str, object]]:
    """The kind, the proved claim as a sentence, how many rules were checked, and the claim as written."""
    certificate = read_apart(value)
    proof = _Proof(certificate, family, pairs, meter, check)
    return certificate.kind, proof.sentence(), proof.rules, certificate.terms


class _Proof:
    """One certificate against one model; made, it is proved."""

    def __init__(
        self, certificate: Apart, family: Family, pairs: Sequence[FamilyPair | Gate], meter: Meter, check: Check
    ):
        self.certificate, self.family, self.meter, self.check = certificate, family, meter, check
        self.pairs = pairs
        self.gates = _gates(family, pairs)
        if certificate.model != (found := digest_of_gates(family, pairs)):
            stated = certificate.model[:80]
            raise CertificateError(f"it is about another model: {stated!r}, not {found!r}", rule="model")
        self.rules = 0
        self._answers: dict[tuple[int, tuple[object, ...]], Answer] = {}
        self._chains: dict[tuple[int, frozenset[int]], Chain] = {}
        self._of_sets: dict[int, Chain] = {}
        self._stationary: set[tuple[Gate, int]] = set()
        bounds = [self._proves(part) for part in certificate.parts]
        if certificate.kind != "violated":
            self._above([upper for _, upper in bounds])
        self._below(None if certificate.shows is None else bounds[certificate.shows][0])

    def sentence(self) -> str:
        """The claim in words."""
        certificate = self.certificate
        words = "every counted word of " + (
            "any length" if certificate.horizon is None else f"horizon {certificate.horizon}"
        )
        scope = f"for {self._counted} directions of the secret at every step"
        if others := len(self.pairs) - len(self.gates):
            scope += f", and {others} other pair{'' if others == 1 else 's'}"
        if certificate.kind == "epsilon":
            low, high = ("infinity" if x is None else brief(x) for x in (certificate.lower, certificate.upper))
            return f"{scope}, the tight ratio over {words} lies between {low} and {high}"
        assert certificate.budget is not None
        bound = f"{certificate.budget.ratio_text} * right (epsilon = {certificate.budget.epsilon_text})"
        if certificate.kind == "holds":
            return f"{scope}, {words} has left <= {bound}"
        assert certificate.shows is not None
        part = certificate.parts[certificate.shows]
        if isinstance(part, Window):
            raise CertificateError("a window shows no lower bound", rule="window")
        if isinstance(part, Alone):
            return f"of the pairs {', '.join(map(str, part.pairs))}, from 0, some counted word has left > {bound}"
        gate, forward = self.gates[part.direction[0]], part.direction[1]
        sides = [self.family.states[side[0]] for side in (gate.left, gate.right)][:: 1 if forward else -1]
        when = f"step {part.step}" if part.step else "some step"
        given = f"given {sides[0][:60]!r} (left) or {sides[1][:60]!r} (right) at {when}"
        return f"{given}, some counted word has left > {bound}"

    @cached_property
    def _counted(self) -> int:
        return sum(1 if gate.one_way else 2 for gate in self.gates.values())

    @cached_property
    def _directions(self) -> list[Direction]:
        """Of every gate, of either way, and of each two states of its sides, if these are not the same.

        A state against itself has the ratio 1, which is no more than any upper bound.
        """
        found = []
        for n, gate in self.gates.items():
            for left, right in product(gate.left, gate.right):
                if left != right or not _is_of_sets(gate):
                    found.append(Direction(n, True, left, right))
                    if not gate.one_way:
                        found.append(Direction(n, False, right, left))
        return found

    def _direction(self, part: Part) -> Direction:
        """What a part is about."""
        number, forward = part.direction
        gate = self.gates.get(number)
        if gate is None or (gate.one_way and not forward):
            raise CertificateError("the model has no such direction", rule="apart")
        if _is_of_sets(gate) != (part.states is not None):
            raise CertificateError("parts name a state of either side where these are sets, else none", rule="apart")
        states = part.states or ((gate.left[0], gate.right[0]) if forward else (gate.right[0], gate.left[0]))
        direction = Direction(number, forward, *states)
        if direction not in self._directions:
            raise CertificateError("the model has no such direction", rule="apart")
        return direction

    def _chain(self, direction: Direction) -> Chain:
        key = direction.gate, frozenset((direction.left, direction.right))
        if key not in self._chains:
            single = replace(self.gates[direction.gate], left=(direction.left,), right=(direction.right,))
            self._chains[key] = Chain(self.family, single, self.meter)
        return self._chains[key]

    def _proves(self, part: Part | Alone | Window) -> Bounds:
        if isinstance(part, Alone):
            return self._alone(part)
        return self._window(part) if isinstance(part, Window) else self._bounds(part)

    def _window(self, part: Window) -> Bounds:
        """What a part proves of all steps from above, as more is shown around them than words."""
        gate = self.gates.get(part.pair)
        if gate is None or self.certificate.horizon is not None:
            raise CertificateError('a window bounds a pair at every step, at "any"', rule="window")
        chain, factor = self._chain_of_sets(part.pair), Fraction(1)
        if part.measure is None:
            if not chain.stationary:
                raise CertificateError("a window is for a stationary start", rule="window")
            row: Mapping[int, Fraction] = chain.start
        else:
            if (part.step or 1 + (part.after or 0)) <= part.before:
                raise CertificateError("a window begins at a step", rule="window")
            row = self._measure_of(part.measure, chain)
            if part.after is None:
                factor = chain.factor_of_sets(row, part.step)
            else:
                factor = chain.factor_of_sets_after(row, part.after)

        def make() -> Family:
            return family_around(self.family, gate, row, part, self.meter)

        key = "window", part.pair, part.before, part.symbols_on, part.measure
        _, upper = self._answer(part.question, key, make, part.symbols)
        return Fraction(0), None if upper is None else upper * factor

    def _chain_of_sets(self, number: int) -> Chain:
        if number not in self._of_sets:
            self._of_sets[number] = Chain(self.family, self.gates[number], self.meter)
        return self._of_sets[number]

    def _alone(self, part: Alone) -> Bounds:
        """What a part proves of pairs that are asked about alone."""
        claimed, key = self.certificate.horizon, ("alone", part.pairs, part.horizon, part.step)

        def make() -> Family:
            return family_of(self.family, self.pairs, part, self.meter)

        bounds = self._answer(part.question, key, make, part.horizon)
        if claimed is not None and part.step is not None and part.step > claimed:
            raise CertificateError(f"nothing is asked at step {part.step}", rule="alone")
        if part.horizon == claimed:
            return bounds
        if claimed is not None:
            raise CertificateError("pairs are asked about at the horizon of the claim", rule="alone")
        # A word of a horizon counts at "any" too; and words of a horizon are not all.
        return bounds[0], None

    def _bounds(self, part: Part) -> Bounds:
        """What a part proves of its steps; of sets of states no lower bound."""
        lower, upper = self._of_states(part)
        return (lower, upper) if part.states is None else (Fraction(0), upper)

    def _of_states(self, part: Part) -> Bounds:
        direction = self._direction(part)
        chain = self._chain(direction)
        horizon = self.certificate.horizon
        if part.after is not None:
            return Fraction(0), self._after(part, direction, chain)
        if part.step == 0:
            if part.measure is not None or horizon is not None or not chain.stationary or not chain.is_possible(1):
                raise CertificateError('one part is for every step at "any", from a stationary start', rule="apart")
            past = self._answer(part.past, ("past", direction), lambda: chain.past_of_any_step(direction), None)
            return _times(past, self._future(part, direction, chain, None))
        if (horizon is not None and part.step > horizon) or not chain.is_possible(part.step):
            raise CertificateError(f"nothing is asked at step {part.step}", rule="apart")
        future = self._future(part, direction, chain, None if horizon is None else horizon - part.step + 1)
        if part.measure is not None:
            past = self._from_measure(part, direction, chain, part.step - 1)
            factor = chain.from_measure(direction, self._measure_of(part.measure, chain), part.step)
            upper = _times(past, future)[1]
            return Fraction(0), None if upper is None else upper * factor
        if part.step == 1:
            if part.past is not None:
                raise CertificateError("before step 1 there is nothing", rule="apart")
            return future
        if chain.stationary:
            past = self._answer(
                part.past, ("past", direction), lambda: chain.past_of_any_step(direction), part.step - 1
            )
        else:
            key = "past", direction, part.step
            past = self._answer(part.past, key, lambda: chain.past(direction, part.step), part.step - 1)
        return _times(past, future)

    def _future(self, part: Part, direction: Direction, chain: Chain, horizon: Horizon) -> Bounds:
        return self._answer(part.future, ("future", direction), lambda: chain.future(direction), horizon)

    def _after(self, part: Part, direction: Direction, chain: Chain) -> Upper:
        """An upper bound for all steps after one."""
        assert part.after is not None
        if self.certificate.horizon is not None:
            raise CertificateError("at a finite horizon every step has its part", rule="after")
        if part.past is None and part.future is None:
            if not chain.never_after(part.after):
                raise CertificateError(f"both sides are possible after step {part.after}", rule="after")
            return Fraction(0)
        if part.after < 1:
            raise CertificateError("a window has at least one symbol", rule="after")
        if part.measure is not None:
            past = self._from_measure(part, direction, chain, part.after)
            factor = chain.from_measure_after(direction, self._measure_of(part.measure, chain), part.after)
            _, upper = _times(past, self._future(part, direction, chain, None))
            return None if upper is None else upper * factor
        family, factor = chain.window(direction, part.after)
        past = self._answer(part.past, ("window", direction, part.after), lambda: family, part.after + 1)
        _, upper = _times(past, self._future(part, direction, chain, None))
        return None if upper is None else upper * factor

    def _from_measure(self, part: Part, direction: Direction, chain: Chain, symbols: int) -> Bounds:
        """What holds of the symbols before a step, for whatever start, where there are at least so many of them."""
        measure = self._measure_of(part.measure, chain)
        key = "measured", direction, part.measure
        bounds = self._answer(part.past, key, lambda: chain.past_of_any_step(direction, measure), None)
        assert part.past is not None
        reach = self._answers[part.past, key].reach
        # What is dominated is where a run was one step before the symbols: there has to be such a step.
        if reach is None or reach >= symbols:
            raise CertificateError("the proof does not dominate all words of so many symbols", rule="measure")
        return bounds

    def _measure_of(self, number: int | None, chain: Chain) -> Mapping[int, Fraction]:
        if number is None or number >= len(self.certificate.measures):
            raise CertificateError("a part names the number of a measure", rule="apart")
        measure = self.certificate.measures[number]
        if (chain.gate, number) not in self._stationary:
            chain.require_stationary(measure)
            self._stationary.add((chain.gate, number))
        if not _is_of_sets(chain.gate) and not {*chain.gate.left, *chain.gate.right} <= measure.keys():
            raise CertificateError("a side is never reached", rule="measure")
        return measure

    def _answer(
        self, number: int | None, about: tuple[object, ...], make: Callable[[], Family], horizon: Horizon
    ) -> Bounds:
        """What the certificate of that number proves about a model, which is made where it has not been checked yet."""
        if number is None or number >= len(self.certificate.questions):
            raise CertificateError("a part names the numbers of two questions", rule="apart")
        if (number, about) not in self._answers:
            self._answers[number, about] = self.check(self.certificate.questions[number], make(), self.meter)
            self.rules += self._answers[number, about].rules
        found = self._answers[number, about]
        if found.horizon == horizon:
            return found.bounds
        if horizon is None or (found.horizon is not None and found.horizon < horizon):
            raise CertificateError(f"question {number} is about shorter words", rule="apart")
        # What holds of longer words holds of shorter ones [T5]; but what a longer word shows, a shorter one need not.
        return Fraction(0), found.bounds[1]

    def _above(self, uppers: list[Upper]) -> None:
        """The parts of every direction cover all steps, and none exceeds the claim."""
        certificate = self.certificate
        if certificate.kind == "epsilon" and certificate.upper is None:
            return
        proofs = [part for part, upper in zip(certificate.parts, uppers, strict=True) if self._keeps(upper)]
        whole = {n for part in proofs if isinstance(part, Alone) and part.step is None for n in part.pairs}
        whole |= {part.pair for part in proofs if isinstance(part, Window) and part.measure is None}
        for direction in self._directions:
            if direction.gate not in whole:
                about = (part for part in proofs if self._is_about(part, direction))
                self._covers(direction, [(part.step, part.after) for part in about])
        for n, pair in enumerate(self.pairs):
            if n not in whole and n not in self.gates and self._is_asked(pair):
                raise CertificateError(f"no part is about pair {n}", rule="alone")
        # On both sides the words of a horizon sum to 1; and of a state against itself there is no part.
        if not proofs or not self._keeps(Fraction(1)):
            raise CertificateError("no ratio below 1 is kept", rule="apart")

    def _keeps(self, upper: Upper) -> bool:
        """Whether a part shows what is claimed of its steps; it may be there for a lower bound alone."""
        certificate = self.certificate
        if upper is None:
            return False
        if certificate.budget is None:
            return certificate.upper is not None and upper <= certificate.upper
        try:
            budget(upper, certificate.budget)
        except CertificateError:
            return False
        return True

    def _is_asked(self, pair: FamilyPair | Gate) -> bool:
        """Whether a pair is not left out, as one is whose gate no run passes."""
        return not isinstance(pair, Gate) or Chain(self.family, pair, self.meter).is_possible(pair.at)

    def _is_about(self, part: Part | Alone | Window, direction: Direction) -> bool:
        """Whether a part is about some of the steps of these states; what is about sets is about their states too."""
        if isinstance(part, Alone):
            return part.step is not None and part.pairs == (direction.gate,)
        return part.pair == direction.gate if isinstance(part, Window) else self._direction(part) == direction

    def _covers(self, direction: Direction, parts: list[tuple[int | None, int | None]]) -> None:
        chain, horizon = self._chain(direction), self.certificate.horizon
        which = f"the direction {[direction.gate, direction.forward]}"
        steps = {step for step, after in parts if after is None}
        if horizon is None and 0 in steps:
            return
        last = horizon
        if last is None:
            last = min((after for _, after in parts if after is not None), default=None)
            if last is None:
                raise CertificateError(f"{which} has no part for late steps", rule="apart")
        if missing := {step for step in range(1, last + 1) if step not in steps and chain.is_possible(step)}:
            raise CertificateError(f"{which} has no part for step {min(missing)}", rule="apart")

    def _below(self, lower: Fraction | None) -> None:
        """The part that shows it reaches the claimed lower bound, or exceeds the budget."""
        certificate = self.certificate
        if certificate.kind == "violated":
            if certificate.shows is None or certificate.budget is None:
                raise CertificateError("no part shows that the claim is broken", rule="apart")
            if lower is not None:
                excess(lower, Fraction(1), certificate.budget)
        elif certificate.kind == "epsilon":
            claimed = certificate.lower
            if certificate.shows is None:
                if claimed != 0:
                    raise CertificateError("no part shows the lower bound", rule="apart")
            elif lower is not None and (claimed is None or claimed > lower):
                raise CertificateError("the lower bound is not reached", rule="apart")
            if certificate.upper is not None and (claimed is None or claimed > certificate.upper):
                raise CertificateError("the upper bound is below the lower one", rule="budget")


def _gates(family: Family, pairs: Sequence[FamilyPair | Gate]) -> Mapping[int, Gate]:
    """The gates at every step, by the number of their pair."""
    gates = {n: pair for n, pair in enumerate(pairs) if isinstance(pair, Gate) and is_every(pair)}
    starts = {n for pair in pairs for n in ((pair.start,) if isinstance(pair, Gate) else (pair.left, pair.right))}
    rows = (*family.emit, *(row for row in family.step if row is not None), *(family.beliefs[n] for n in starts))
    if not all(isinstance(row, Distribution) for row in rows):
        raise CertificateError("past and future are apart in models without parameters", rule="apart")
    if not gates:
        raise CertificateError("past and future are apart where a pair is at every step", rule="apart")
    return gates


def _is_of_sets(gate: Gate) -> bool:
    return not len(gate.left) == 1 == len(gate.right)


def _times(one: Bounds, other: Bounds) -> Bounds:
    lower: Fraction | None
    if 0 in (one[0], other[0]):
        lower = Fraction(0)
    else:
        lower = None if one[0] is None or other[0] is None else one[0] * other[0]
    upper = None if one[1] is None or other[1] is None else one[1] * other[1]
    return lower, upper
