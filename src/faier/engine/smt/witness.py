"""From what a solver found to a witness: simple values of the parameters, and exact probabilities."""

from __future__ import annotations

from fractions import Fraction

from faier.errors import NumberError, SolverError
from faier.model.belief import Belief
from faier.number.budget import Budget
from faier.verdict import Witness

from .query import Finding, Question
from .replay import probability
from .simple import Point
from .unknowns import evaluated


def breaking(question: Question, finding: Finding) -> Witness | None:
    """A witness that breaks the claim, with parameters of small denominators near those found; None where none is.

    Raises where the finding is not what the query asked for.
    """
    if not question.unknowns:
        return _witness(question, finding, ()) if _breaks(question, probabilities(question, finding, ())) else None

    def good(point: Point) -> bool:
        try:
            return _breaks(question, probabilities(question, finding, point))
        except (_NotFound, NumberError):
            # The claim is not broken here, or the secret is impossible here.
            return False

    point = question.unknowns.region.simple_point(finding.near, good)
    if point is None and finding.exact:
        probabilities(question, finding, finding.near)
    return None if point is None else _witness(question, finding, point)


class _NotFound(SolverError):
    """The finding is not what the query asked for."""


def probabilities(question: Question, finding: Finding, point: Point = ()) -> tuple[Fraction, Fraction]:
    """Left and right, exactly; raises where the finding is not what the query asked for."""
    scenario, pair = question.scenario, question.scenario.pairs[finding.pair]
    values = {**question.unknowns.constants, **question.unknowns.values(point)}
    left, right = _sides(question, finding)
    above = probability(scenario.model, left, finding.word, ended=finding.ended, values=values)
    below = probability(scenario.model, right, finding.word, ended=finding.ended, values=values)
    allowed = bool(finding.word) and (finding.forward or not pair.one_way)
    counted = scenario.claim.possible == "either" or (above > 0 and below > 0)
    if not allowed or not counted or above <= evaluated(question.bound, values) * below:
        raise _NotFound(f"the solver's model does not satisfy its query: {finding}")
    return above, below


def _breaks(question: Question, found: tuple[Fraction, Fraction]) -> bool:
    """Exactly; a ratio that is a function of the parameters is the bound that was looked at already."""
    budget = question.scenario.claim.budget
    return not isinstance(budget, Budget) or not budget.allows(*found)


def _witness(question: Question, finding: Finding, point: Point) -> Witness:
    above, below = probabilities(question, finding, point)
    left, right = _sides(question, finding)
    return Witness(
        pair=finding.pair,
        forward=finding.forward,
        left=left.name,
        right=right.name,
        word=finding.word,
        ended=finding.ended,
        left_probability=above,
        right_probability=below,
        parameters=question.unknowns.values(point),
    )


def _sides(question: Question, finding: Finding) -> tuple[Belief, Belief]:
    pair = question.scenario.pairs[finding.pair]
    return (pair.left, pair.right) if finding.forward else (pair.right, pair.left)
