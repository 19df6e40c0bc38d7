"""From what a solver found to a witness: simple values of the parameters, and exact probabilities."""

from __future__ import annotations

from faier.errors import NumberError, SolverError
from faier.number.rational_function import RationalFunction
from faier.scenario.scenario import Scenario
from faier.verdict import Witness

from .query import Finding, Query
from .replay import probability
from .simple import Point
from .unknowns import evaluated


def breaking(query: Query, finding: Finding) -> Witness | None:
    """A witness that breaks the claim, with parameters of small denominators near those found; None where none is.

    Raises where the finding is not what the query asked for.
    """
    if not query.unknowns:
        witness = replayed(query, finding, ())
        return witness if _breaks(query.scenario, witness) else None

    def good(point: Point) -> bool:
        try:
            return _breaks(query.scenario, replayed(query, finding, point))
        except (_NotFound, NumberError):
            # The claim is not broken here, or the secret is impossible here.
            return False

    point = query.unknowns.region.simple_point(finding.near, good)
    if point is None and finding.exact:
        replayed(query, finding, finding.near)
    return None if point is None else replayed(query, finding, point)


class _NotFound(SolverError):
    """The finding is not what the query asked for."""


def replayed(query: Query, finding: Finding, point: Point) -> Witness:
    """The finding with its exact probabilities; raises where it is not what the query asked for."""
    scenario, pair = query.scenario, query.scenario.pairs[finding.pair]
    values = {**query.unknowns.constants, **query.unknowns.values(point)}
    left, right = (pair.left, pair.right) if finding.forward else (pair.right, pair.left)
    above = probability(scenario.model, left, finding.word, ended=finding.ended, values=values)
    below = probability(scenario.model, right, finding.word, ended=finding.ended, values=values)
    allowed = bool(finding.word) and (finding.forward or not pair.one_way)
    counted = scenario.claim.possible == "either" or (above > 0 and below > 0)
    if not allowed or not counted or above <= evaluated(query.bound, values) * below:
        raise _NotFound(f"the solver's model does not satisfy its query: {finding}")
    return Witness(
        pair=finding.pair,
        forward=finding.forward,
        left=left.name,
        right=right.name,
        word=finding.word,
        ended=finding.ended,
        left_probability=above,
        right_probability=below,
        parameters=query.unknowns.values(point),
    )


def _breaks(scenario: Scenario, witness: Witness) -> bool:
    """Exactly; a ratio that is a function of the parameters is the bound that was replayed."""
    budget = scenario.claim.budget
    if isinstance(budget, RationalFunction):
        return True
    return not scenario.require_budget().allows(witness.left_probability, witness.right_probability)
