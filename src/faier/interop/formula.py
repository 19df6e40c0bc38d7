"""A claim as polynomial inequalities, a conjunction for each way to break it: for quantifier elimination."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from faier.engine.smt.query import Question
from faier.engine.smt.region import Cut, Polynomial
from faier.engine.smt.words import Breach, breaches
from faier.errors import NotYetError, UsageError
from faier.number.budget import Budget
from faier.number.digits import digits
from faier.number.exact import Prob
from faier.number.rational_function import RationalFunction
from faier.scenario.scenario import Scenario

_BITS = 128
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9]+|[a-z]")
# What Redlog or QEPCAD take for something else.
_WORDS = """
    e i t pi nil infinity catalan khinchin euler_gamma golden_ratio positive negative
    ex all and or not impl repl equiv true false region broken
    if then else for do while repeat until begin end procedure return go to let clear in out on off where when
    mod max min abs sin cos tan exp log sqrt df int sum prod deg den num lcm gcd
"""
_TAKEN = frozenset(_WORDS.split())


@dataclass(frozen=True)
class Formula:
    """There are values in the region that meet all conditions of one of the ways: then the claim is broken."""

    question: Question
    variables: tuple[str, ...]
    region: tuple[Cut, ...]
    ways: tuple[Breach, ...]

    @classmethod
    def of(cls, scenario: Scenario) -> Formula:
        """Where the claim's ratio is irrational it is a rational a little below it that is compared with."""
        require_written(scenario)
        question = Question.of(scenario, _BITS)
        if not question.unknowns:
            raise UsageError("the question has no unknown parameters; --to smtlib writes it for SMT solvers")
        ways = tuple(breaches(question))
        region = (*_ends(question), *question.unknowns.region.cuts)
        return cls(question, _variables(question.unknowns.parameters), region, ways)

    def explained(self) -> Iterator[str]:
        """What is asked and what the variables are, a line each; names are quoted as JSON: none ends a line."""
        scenario, claim = self.question.scenario, self.question.scenario.claim
        budget = claim.budget
        if scenario.title:
            yield json.dumps(scenario.title)
        told = f"ln c = {budget.epsilon_text}" if isinstance(budget, Budget) else f"c = {budget}"
        yield f"claim: left(w) <= c * right(w), {told},"
        yield f"for words w of {self.question.horizon} symbols and for shorter complete runs"
        if claim.possible == "both":
            yield "(only words that both sides can produce count)"
        yield "true:  the claim is violated for some values of the parameters"
        yield "false: the claim holds for all of them"
        if isinstance(budget, Budget) and budget.exact is None:
            yield f"c is irrational; a rational below it by a relative 2^-{_BITS} or so stands for it: true does not"
            yield "prove that the claim is violated"
        for name, variable in zip(self.question.unknowns.parameters, self.variables, strict=True):
            if name != variable:
                yield f"{variable} is the parameter {json.dumps(name)}"

    def said(self, way: Breach) -> str:
        """Which pair, direction and word this is about."""
        pair = self.question.scenario.pairs[way.pair]
        left, right = (pair.left, pair.right) if way.forward else (pair.right, pair.left)
        run = "the complete run" if way.ended else "words that begin with"
        word = ", ".join(json.dumps(str(symbol)) for symbol in way.word)
        return f"{json.dumps(left.name)} against {json.dumps(right.name)} on {run} {word}"


def require_written(scenario: Scenario) -> None:
    """Raise where the model or the claim has powers of e, which no tool that we write for knows exactly."""
    model, claim = scenario.model, scenario.claim
    tables = [table for table in (model.emit, model.step) if not table.is_constant]
    values: list[Prob] = [v for table in tables for i in range(table.rows) for v in table.row(i).values()]
    values += [v for p in scenario.pairs for b in (p.left, p.right) for v in b.weights.values()]
    values += [*model.unknowns.solved.values(), *(cut.function for cut in model.unknowns.cuts)]
    if isinstance(claim.budget, RationalFunction):
        values.append(claim.budget)
    if any(isinstance(v, RationalFunction) and v.root for v in map(model.unknowns.simplify, values)):
        raise NotYetError("models with exp(...) are not written for other tools yet; --to toml writes them")


def sum_of(polynomial: Polynomial, variables: Sequence[str], times: str) -> str:
    """The polynomial as text, with what stands for multiplication: "3*p^2*q - 2"."""
    parts: list[str] = []
    for powers, c in polynomial.items():
        factors = [v if e == 1 else f"{v}^{e}" for v, e in zip(variables, powers, strict=True) if e]
        if abs(c) != 1 or not factors:
            factors.insert(0, digits(abs(c)))
        sign = ("- " if c < 0 else "+ ") if parts else ("- " if c < 0 else "")
        parts.append(sign + times.join(factors))
    return " ".join(parts) or "0"


def atom(cut: Cut, variables: Sequence[str], times: str, relations: Mapping[str, str]) -> str:
    polynomial, relation = cut
    return f"{sum_of(polynomial, variables, times)} {relations[relation]} 0"


def _ends(question: Question) -> Iterator[Cut]:
    """The ranges as signs of linear polynomials."""
    box = question.unknowns.region.box
    for i, (low, high, open_below, open_above) in enumerate(box):
        unit = tuple(int(i == j) for j in range(len(box)))
        yield _linear(unit, 1, low), ">" if open_below else ">="
        yield _linear(unit, -1, high), ">" if open_above else ">="


def _linear(unit: tuple[int, ...], sign: int, end: Fraction) -> Polynomial:
    """sign * (x - end), without denominators."""
    found = {unit: sign * end.denominator, (0,) * len(unit): -sign * end.numerator}
    return {powers: c for powers, c in found.items() if c}


def _variables(parameters: Sequence[str]) -> tuple[str, ...]:
    """The parameters' own names where no tool takes them for something else; some do not tell a from A."""
    found: list[str] = []
    used = {name.lower() for name in parameters}
    for i, name in enumerate(parameters):
        first = name.lower() not in {other.lower() for other in parameters[:i]}
        if _PLAIN.fullmatch(name) and name.lower() not in _TAKEN and first:
            found.append(name)
            continue
        k = i + 1
        while f"x{k}" in used:
            k += 1
        used.add(f"x{k}")
        found.append(f"x{k}")
    return tuple(found)
