"""One query for a whole claim at a finite horizon, after Algorithm 1 of the paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from faier.errors import NotYetError, SolverError, UsageError
from faier.model.hmm import Word
from faier.number.exact import Prob
from faier.number.rational_function import RationalFunction
from faier.scenario.scenario import Scenario

from .automaton import Automaton
from .backend import Feature
from .linear import encode as linear
from .printed import literal, pushed
from .region import condition
from .simple import Point
from .terms import ZERO, all_of, asserted, declared, defined, either, exactly_one, rational, scaled
from .unknowns import Unknowns
from .unrolled import Tick, Unrolled, pair_name

Encoding: TypeAlias = Literal["linear", "pushed", "literal"]
How: TypeAlias = Encoding | Literal["words", "auto"]
ENCODINGS: Mapping[str, Callable[[Automaton, int, Tick], Unrolled]] = {
    "linear": linear,
    "pushed": pushed,
    "literal": literal,
}
FORWARD = "forward"
MOST_TERMS = 5_000_000


@dataclass(frozen=True)
class Finding:
    """What a model of the query says: a pair, a direction, a word, and whether it is a complete run."""

    pair: int
    forward: bool
    word: Word
    ended: bool
    near: Point = ()
    """The values of the unknown parameters, irrational ones rounded."""
    exact: bool = True
    """Whether none was rounded."""


@dataclass(frozen=True)
class Question:
    """Does some pair, direction, counted word and values of the parameters have left > bound * right?

    Under possible = "both" only words with left > 0 and right > 0 count. The bound is the claim's ratio c where
    that is rational, or a function; else a rational below c by a relative 2**-bits or so. [T7]
    """

    scenario: Scenario
    unknowns: Unknowns
    horizon: int
    bound: Prob

    @classmethod
    def of(cls, scenario: Scenario, bits: int = 64) -> Question:
        if scenario.claim.delta != 0:
            raise NotYetError("claims with a delta are not written for solvers")
        horizon, ratio = scenario.require_horizon(), scenario.claim.budget
        if ratio is None:
            ratio = scenario.require_budget()
        if not isinstance(horizon, int):
            raise UsageError('the solver engines need a finite horizon; "any" is for the tree engine')
        unknowns = Unknowns.of(scenario)
        bound = unknowns.plain(ratio if isinstance(ratio, RationalFunction) else ratio.below(bits))
        return cls(scenario, unknowns, horizon, bound)


@dataclass(frozen=True)
class Query(Question):
    """Satisfiable exactly when the answer is yes."""

    encoding: Encoding
    logic: str
    needs: Feature
    commands: tuple[str, ...]
    asked: tuple[str, ...]
    """The variables whose values make up a finding: Bools, Reals that are the index of a symbol, parameters."""

    @property
    def only_polynomials(self) -> bool:
        return False

    @property
    def script(self) -> str:
        """The query for a solver, without `check-sat`."""
        return "\n".join((f"(set-logic {self.logic})", *self.commands, ""))

    def read(self, values: Mapping[str, str], near: Mapping[str, str] | None = None) -> Finding:
        """The finding that a model of the query describes; `near` has the values that are not rational."""
        pairs = range(len(self.scenario.pairs))
        pair = 0 if len(pairs) == 1 else _only(k for k in pairs if values.get(pair_name(k)) == "true")
        forward = values.get(FORWARD, "true") == "true"
        symbols = self.scenario.model.symbols
        letters = [self._letter(t, values) for t in range(self.horizon)]
        word = [symbols[s] for s in letters if s < len(symbols)]
        point = self.unknowns.region.read({**values, **(near or {})})
        return Finding(pair, forward, tuple(word), len(word) < self.horizon, point, not near)

    def _letter(self, place: int, values: Mapping[str, str]) -> int:
        if (value := values.get(f"w{place}")) is not None:
            return int(rational(value))
        symbols = range(len(self.scenario.model.symbols) + 1)
        return _only(s for s in symbols if values.get(f"w{place}_{s}") == "true")


def build(
    scenario: Scenario, *, encoding: Encoding = "linear", bits: int = 64, tick: Tick = lambda: None
) -> Query:
    """Write the claim as one query.

    Where the claim's ratio is irrational an unsatisfiable query proves the claim, but a model of it need not
    break it.
    """
    question = Question.of(scenario, bits)
    horizon, unknowns = question.horizon, question.unknowns
    if encoding not in ENCODINGS:
        raise UsageError(f"unknown encoding {encoding!r}; there are {', '.join(ENCODINGS)}")
    terms = horizon * (scenario.model.step.stored + len(scenario.model.states)) * len(scenario.model.symbols)
    if terms > MOST_TERMS:
        raise UsageError(
            f"the query for horizon {horizon:,} would have about {terms:,} terms; {MOST_TERMS:,} are the most"
        )
    automaton = Automaton.of(scenario, unknowns)
    commands = unknowns.region.commands()
    commands += [asserted(condition(unknowns.region.names, cut)) for cut in automaton.cuts]
    unrolled = ENCODINGS[encoding](automaton, horizon, tick)
    selectors = [pair_name(k) for k in range(len(scenario.pairs))] if len(scenario.pairs) > 1 else []
    commands += [declared(name, "Bool") for name in selectors]
    if selectors:
        commands += map(asserted, exactly_one(selectors))
    commands += unrolled.commands
    directed = _direction(scenario, commands)
    if unknowns:
        # Variables would be more dimensions to solvers that decompose space.
        commands += [defined("left", "Real", unrolled.left), defined("right", "Real", unrolled.right)]
    else:
        commands += [declared("left", "Real"), declared("right", "Real")]
        commands += [asserted(f"(= left {unrolled.left})"), asserted(f"(= right {unrolled.right})")]
    if scenario.claim.possible == "both":
        commands += [asserted(f"(> left {ZERO})"), asserted(f"(> right {ZERO})")]
    commands.append(asserted(_goal(automaton, unknowns, question.bound, directed)))
    asked = (*selectors, *([FORWARD] if directed else []), *unrolled.letters, *unknowns.region.names)
    logic: tuple[str, Feature] = unrolled.logic, unrolled.needs
    if unknowns:
        logic = "QF_NRA", "polynomial real arithmetic"
    return Query(
        scenario, unknowns, horizon, question.bound, encoding, *logic, tuple(commands), asked
    )


def _goal(automaton: Automaton, unknowns: Unknowns, bound: Prob, directed: bool) -> str:
    """left > bound * right, or the other way round, with the factors that cleared denominators put in."""
    by = unknowns.factor([bound])
    pairs: dict[tuple[Prob, Prob], list[str]] = {}
    for k, factors in enumerate(zip(automaton.left_factors, automaton.right_factors, strict=True)):
        pairs.setdefault(factors, []).append(pair_name(k))
    goals: list[str] = []
    for (left, right), names in pairs.items():
        needed = [condition(unknowns.region.names, cut) for cut in unknowns.positive((by, left, right))]
        needed += [either(names)] if len(pairs) > 1 else []
        forward = f"(> {scaled('left', by * right)} {scaled('right', bound * by * left)})"
        if directed:
            backward = f"(> {scaled('right', by * left)} {scaled('left', bound * by * right)})"
            broken = either([all_of([FORWARD, forward]), all_of([f"(not {FORWARD})", backward])])
        else:
            broken = forward
        goals.append(all_of([*needed, broken]))
    return either(goals)


def _direction(scenario: Scenario, commands: list[str]) -> bool:
    """Declare the direction where there is a choice; pairs that are one way go forward."""
    one_way = [k for k, pair in enumerate(scenario.pairs) if pair.one_way]
    if len(one_way) == len(scenario.pairs):
        return False
    commands.append(declared(FORWARD, "Bool"))
    commands += [asserted(f"(=> {pair_name(k)} {FORWARD})") for k in one_way]
    return True


def _only(candidates: Iterable[int]) -> int:
    found = list(candidates)
    if len(found) != 1:
        raise SolverError("the solver's model does not choose exactly one symbol at each place, and one pair")
    return found[0]
