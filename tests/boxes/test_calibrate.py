"""Calibration against polynomials whose safe values are known, and what it says where it cannot finish."""

from __future__ import annotations

import json
from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge import examples
from planted import kept_where_not_positive

import faier
import faier_check
from faier.calibration import Calibration, Goal
from faier.engine import calibrate
from faier.model.toml_write import dumps

TOLERANCE = F(1, 10**9)
GRID = [F(k, 97) for k in range(98)]
UNIT = {"p": "0 <= p <= 1"}
SQUARE = {"p": "0 <= p <= 1", "q": "0 <= q <= 1"}


def found(gap: str, goal: Goal, parameters=UNIT, constraints=(), **options) -> Calibration:
    scenario = kept_where_not_positive(gap, parameters, constraints)
    result = calibrate(scenario, "p", goal, **options)
    if result.proof is not None:
        certificate = json.dumps(faier.certify(result.proof)).encode()
        faier_check.check(certificate, dumps(result.proof.scenario).encode())
    return result


def ahead(result: Calibration, one: F, two: F) -> bool:
    """Whether one value is nearer to the goal than another."""
    return one < two if result.goal == "minimise" else one > two


fractions = st.fractions(F(-1, 4), F(5, 4), max_denominator=12)


@examples(120)
@given(
    st.lists(fractions, min_size=1, max_size=4),
    st.booleans(),
    st.sampled_from(["minimise", "maximise"]),
    st.sampled_from(["0 <= p <= 1", "0 < p < 1", "0 < p <= 1"]),
)
def test_polynomials_with_planted_roots(roots: list[F], flipped: bool, goal: Goal, range_: str) -> None:
    """The product of all p - root, which is at most 3 in absolute value, times 1/4."""

    def gap(p: F) -> F:
        value = F(-1 if flipped else 1, 4)
        for root in roots:
            value *= p - root
        return value

    text = ("-1/4" if flipped else "1/4") + "".join(f"*(p - ({root}))" for root in roots)
    result = found(text, goal, {"p": range_})
    inside = [v for v in GRID if v in result.range]
    if result.safe is not None:
        assert gap(result.safe) <= 0
        assert result.safe in result.range
    if result.unsafe is not None:
        assert gap(result.unsafe) > 0
        assert result.witness.parameters == {"p": result.unsafe}
        assert result.witness.ratio > 2
    if result.safe is not None and result.unsafe is not None and result.complete:
        assert ahead(result, result.unsafe, result.safe)
        assert abs(result.safe - result.unsafe) <= TOLERANCE
    if result.safe is not None and result.safe_beyond is not None:
        whole = result.unsafe is None
        beyond = [v for v in inside if whole or not ahead(result, v, result.safe)]
        if result.safe_beyond:
            assert all(gap(v) <= 0 for v in beyond)
        else:
            at = result.exception.parameters["p"]
            assert gap(at) > 0
            assert whole or not ahead(result, at, result.safe)
    if result.unsafe_beyond:
        broken = inside if result.safe is None else [v for v in inside if not ahead(result, result.unsafe, v)]
        assert all(gap(v) > 0 for v in broken)


@examples(60)
@given(st.fractions(0, 1, max_denominator=50), st.sampled_from(["minimise", "maximise"]))
def test_one_threshold_is_found_from_either_side(root: F, goal: Goal) -> None:
    """p - root, or root - p: safe from the root on, away from the goal."""
    sign = "-" if goal == "minimise" else ""
    result = found(f"{sign}(p - {root})", goal)
    assert result.complete
    assert result.safe_beyond
    assert result.monotone
    assert abs(result.safe - root) <= TOLERANCE


def test_an_irrational_threshold_is_enclosed() -> None:
    result = found("1/2 - p^2", "minimise")
    assert result.unsafe**2 < F(1, 2) <= result.safe**2
    assert result.safe - result.unsafe <= TOLERANCE
    assert result.safe_beyond
    assert result.unsafe_beyond
    assert str(result).startswith("safe: p = ")


@pytest.mark.parametrize("tolerance", [F(1, 10), F(1, 10**4), F(1, 10**20)])
def test_the_tolerance_is_kept(tolerance: F) -> None:
    result = found("1/2 - p^2", "minimise", tolerance=tolerance)
    assert result.complete
    assert result.safe - result.unsafe <= tolerance


def test_a_value_is_safe_for_all_values_of_the_others() -> None:
    """p >= q (1 - q) * 2 for all q: p from 1/2 on, where q = 1/2 is the worst."""
    result = found("2*q*(1 - q) - p", "minimise", SQUARE)
    assert result.safe == F(1, 2)
    assert result.safe_beyond
    assert result.unsafe_beyond
    assert F(1, 2) - result.unsafe <= TOLERANCE


def test_the_worst_value_of_another_parameter_may_be_approached_only() -> None:
    """p >= q for all q < 1/2: p = 1/2 is safe although no q reaches it."""
    result = found("q - p", "minimise", {"p": "0 <= p <= 1", "q": "0 < q < 1/2"})
    assert result.safe == F(1, 2)
    assert F(1, 2) - result.unsafe <= TOLERANCE
    assert result.unsafe < result.witness.parameters["q"] < F(1, 2)


def test_safe_values_in_the_middle_are_found() -> None:
    """(p - 1/3)(p - 2/3): safe between the roots, in both directions."""
    down, up = (found("(p - 1/3)*(p - 2/3)", goal) for goal in ("minimise", "maximise"))
    assert (down.safe, up.safe) == (F(1, 3), F(2, 3))
    for result in (down, up):
        assert result.safe_beyond is False
        assert result.unsafe_beyond
        assert result.monotone is False
        assert "but not every" in str(result)


def test_a_small_island_of_safe_values_is_not_called_broken() -> None:
    """Safe between 1/2 and 1/2 + 1/1000 alone, which no grid of a few values meets but by luck."""
    result = found("(p - 5003/10000)*(p - 5004/10000)", "minimise")
    assert result.complete
    assert abs(result.safe - F(5003, 10000)) <= TOLERANCE


def test_safe_everywhere() -> None:
    result = found("-p", "minimise", {"p": "0 < p <= 1"})
    assert result.unsafe is None
    assert result.safe_beyond
    assert str(result) == "safe: every p in 0 < p <= 1 keeps the ratio 2 (epsilon ln(2)), at horizon 1"


def test_safe_nowhere() -> None:
    result = found("(p + 1)/4", "minimise")
    assert result.safe is None
    assert result.complete
    assert result.unsafe_beyond
    assert result.proof is None
    assert str(result).startswith("none: every p in 0 <= p <= 1 breaks the ratio 2")


def test_a_single_safe_value_at_an_irrational_point_is_never_called_none() -> None:
    """(p^2 - 1/2)^2: safe at the root of 1/2 alone, which is no rational number."""
    result = found("(p^2 - 1/2)^2", "minimise")
    assert result.safe is None
    assert result.unsafe_beyond is None
    assert not result.complete
    assert str(result).startswith("undecided: ")


def test_values_that_constraints_leave_out_are_no_safe_values() -> None:
    """p + q <= 1/2 leaves p up to 1/2; broken below 1/4."""
    result = found("1/4 - p", "maximise", SQUARE, ["p + q <= 1/2"])
    assert result.complete
    assert result.safe <= F(1, 2) < result.unsafe
    assert result.unsafe - result.safe <= TOLERANCE
    assert result.witness is None
    assert "the constraints leave nothing at" in str(result)
    low = found("1/4 - p", "minimise", SQUARE, ["p + q <= 1/2"])
    assert low.safe == F(1, 4)


def test_shares_of_a_whole() -> None:
    """p + q + r == 1: p >= 2 q r for all q, r; p + 2 sqrt(p / 2) = 1 at the worst."""
    parameters = {name: f"0 <= {name} <= 1" for name in "pqr"}
    result = found("2*q*r - p", "minimise", parameters, ["p + q + r == 1"])
    # The worst is q = r = (1 - p)/2: p = (1 - p)^2 / 2, p = 2 - sqrt(3).
    assert (2 - result.safe) ** 2 <= 3
    assert (2 - result.unsafe) ** 2 > 3
    assert result.safe - result.unsafe <= TOLERANCE


def test_a_time_limit_leaves_what_is_known() -> None:
    result = found("1/2 - p^2", "minimise", seconds=1e-9)
    assert not result.complete
    assert "time limit" in result.reason
    assert str(result).startswith("undecided: the time limit")


def test_it_is_no_truth_value() -> None:
    with pytest.raises(TypeError, match=r"look at \.safe"):
        bool(found("-p", "minimise"))


@pytest.mark.parametrize(
    ("parameter", "message"),
    [
        ("r", "unknown parameter 'r'; known are p, q"),
        ("Q", "unknown parameter 'Q'"),
        ("k", "k has a value in the model, not a range"),
    ],
)
def test_what_is_no_unknown_parameter(parameter: str, message: str) -> None:
    scenario = kept_where_not_positive("p*q*k", {**SQUARE, "k": "1/2"})
    with pytest.raises(faier.UsageError, match=message):
        calibrate(scenario, parameter, "minimise")


def test_the_python_names() -> None:
    scenario = kept_where_not_positive("1/2 - p^2", UNIT)
    result = faier.calibrate(scenario, minimise="p", tolerance="1/1000")
    assert isinstance(result, faier.Calibration)
    assert faier.calibrate(scenario, minimise="p", ratio="9/4").safe < F(71, 100)
    with pytest.raises(faier.UsageError, match="one of minimise= and maximise="):
        faier.calibrate(scenario)
    with pytest.raises(faier.UsageError, match="one of minimise= and maximise="):
        faier.calibrate(scenario, minimise="p", maximise="p")
    with pytest.raises(faier.UsageError, match="a tolerance is greater than 0"):
        faier.calibrate(scenario, minimise="p", tolerance=0)
