"""Regions against polynomials whose safe values are known: partitions, and what is said of each box."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge import examples
from planted import kept_where_not_positive

import faier
from faier.definition import tight_by_definition
from faier.engine.boxes.values import at
from faier.partition import Region, RegionBox

UNIT = {"p": "0 <= p <= 1"}
SQUARE = {**UNIT, "q": "0 <= q <= 1"}
CUBE = {**SQUARE, "r": "0 <= r <= 1"}


def surveyed(gap: str, over: str, parameters=SQUARE, constraints=(), **options) -> Region:
    region = faier.region(kept_where_not_positive(gap, parameters, constraints), over, **options)
    is_partition(region)
    return region


def is_partition(region: Region) -> None:
    """The boxes fill the rectangle, and no two share an inner point."""
    assert sum(region.areas.values()) == 1
    cuts = [sorted({end for box in region.boxes for end in box.sides[i]}) for i in range(len(region.over))]
    middles = product(*([(lo + hi) / 2 for lo, hi in pairwise(ends)] for ends in cuts))
    if sum(1 for _ in product(*cuts)) <= 4_000:
        assert all(sum(contains(box, point) for box in region.boxes) == 1 for point in middles)


def contains(box: RegionBox, point: tuple[F, ...]) -> bool:
    return all(lo <= x <= hi for x, (lo, hi) in zip(point, box.sides, strict=True))


def points(box: RegionBox) -> list[tuple[F, ...]]:
    """Corners and points inside."""
    return list(product(*((lo, lo + (hi - lo) / 3, (lo + hi) / 2, hi) for lo, hi in box.sides)))


small = st.fractions(-1, 1, max_denominator=8)


@examples(40)
@given(st.tuples(*[small] * 6))
def test_boxes_say_what_is_true_of_a_conic(weights: tuple[F, ...]) -> None:
    """A conic through the square: safe where a + b p + c q + d p^2 + e p q + f q^2 <= 0."""

    def gap(p: F, q: F) -> F:
        monomials = (F(1), p, q, p * p, p * q, q * q)
        return sum((w * m for w, m in zip(weights, monomials, strict=True)), F(0)) / 8

    texts = ("1", "p", "q", "p^2", "p*q", "q^2")
    text = "(" + " + ".join(f"({w})*{m}" for w, m in zip(weights, texts, strict=True)) + ")/8"
    region = surveyed(text, "p,q", effort=120)
    for box in region.boxes:
        values = [gap(*point) for point in points(box)]
        if box.verdict == "safe":
            assert max(values) <= 0
        elif box.verdict == "unsafe":
            assert min(values) > 0
            assert contains(box, tuple(box.witness.parameters[name] for name in "pq"))
            assert box.witness.ratio > 2
        else:
            assert box.verdict == "undecided"


def test_unsafe_boxes_are_broken_at_every_point_by_their_witness() -> None:
    """Three parameters, two in the picture: the witness's word and its value of the third break everywhere."""
    region = surveyed("p*q + r*(1 - r) - 3/4", "p,q", CUBE, effort=200)
    unsafe = [box for box in region.boxes if box.verdict == "unsafe"]
    assert unsafe
    for box in unsafe:
        third = box.witness.parameters["r"]
        for p, q in points(box):
            fixed = at(region.scenario, {"p": p, "q": q, "r": third})
            assert tight_by_definition(fixed, 1) > 2


def test_safe_boxes_are_safe_for_all_values_of_the_others() -> None:
    region = surveyed("p*q + r*(1 - r) - 3/4", "p,q", CUBE, effort=200)
    safe = [box for box in region.boxes if box.verdict == "safe"]
    assert safe
    for box in safe:
        for (p, q), r in product(points(box), (F(0), F(1, 3), F(1, 2), F(1))):
            assert p * q + r * (1 - r) <= F(3, 4)
    # The exact area of p q <= 1/2.
    assert float(region.areas["safe"]) <= 0.8466 <= float(1 - region.areas["unsafe"])


def test_what_is_undecided_shrinks_with_effort() -> None:
    areas = [surveyed("p^2 + q^2 - 1/2", "p,q", effort=n).areas["undecided"] for n in (20, 200, 2000)]
    assert areas[0] > 2 * areas[1] > 4 * areas[2] > 0
    assert areas[2] < F(1, 25)


def test_a_claim_that_holds_everywhere_is_one_box() -> None:
    region = surveyed("-p*q", "p,q")
    assert [box.verdict for box in region.boxes] == ["safe"]
    assert (region.areas["safe"], region.reason, region.examined) == (1, None, 1)


def test_one_parameter_is_an_interval() -> None:
    region = surveyed("p^2 - 1/2", "p", UNIT, effort=100)
    edges = [box.sides[0] for box in region.boxes if box.verdict == "undecided"]
    assert edges
    assert all(lo * lo <= F(1, 2) <= hi * hi for lo, hi in edges)
    assert region.areas["undecided"] < F(1, 2**30)


def test_what_constraints_leave_out_is_outside() -> None:
    region = surveyed("p/2 - q/2", "p,q", SQUARE, ["p + q <= 1"], effort=200)
    for box in region.boxes:
        allowed = [p + q <= 1 for p, q in points(box)]
        if box.verdict == "outside":
            assert not any(allowed)
        broken = [p > q for p, q in points(box)]
        if box.verdict == "unsafe":
            assert all(b for b, a in zip(broken, allowed, strict=True) if a)
            values = box.witness.parameters
            assert values["p"] + values["q"] <= 1
        elif box.verdict == "safe":
            assert not any(b for b, a in zip(broken, allowed, strict=True) if a)
    assert float(region.areas["outside"]) > 0.2


def test_shares_of_a_whole() -> None:
    parameters = {name: f"0 <= {name} <= 1" for name in "pqr"}
    region = surveyed("p - r", "p,q", parameters, ["p + q + r == 1"], effort=400)
    for box in region.boxes:
        for p, q in points(box):
            r = 1 - p - q
            if box.verdict == "safe" and r >= 0:
                assert p <= r
            elif box.verdict == "unsafe" and r >= 0:
                assert p > r
    assert region.areas["safe"] > F(1, 8)
    assert region.areas["unsafe"] > F(1, 8)


def test_parameters_tied_by_an_equation_are_refused() -> None:
    scenario = kept_where_not_positive("p - q", SQUARE, ["p + q == 1"])
    with pytest.raises(faier.UsageError, match="no region over p, q: an equation ties p and q together"):
        faier.region(scenario, "p,q")


def test_a_region_of_a_finite_horizon_and_of_every_length() -> None:
    """Randomised response of two states that flip: safe where (1 - f)/f, or more after more symbols, is small."""
    model = faier.HMM(
        emit={"a": {"0": "1 - f", "1": "f"}, "b": {"0": "f", "1": "1 - f"}},
        step={"a": {"a": "1 - s", "b": "s"}, "b": {"a": "s", "b": "1 - s"}},
        parameters={"f": "1/5 <= f <= 1/2", "s": "1/10 <= s <= 1/2"},
    )
    for horizon in (3, "any"):
        scenario = faier.Scenario.of(model, [("a", "b")], ratio=6, horizon=horizon)
        region = faier.region(scenario, ["f", "s"], effort=60)
        is_partition(region)
        for box in region.boxes:
            for f, s in points(box):
                value = tight_by_definition(at(scenario, {"f": f, "s": s}), 3)
                if box.verdict == "safe":
                    assert value <= 6
                elif box.verdict == "unsafe" and horizon == 3:
                    assert value > 6
        assert region.areas["safe"] > F(1, 2)
        assert region.areas["unsafe"] > F(1, 20)


def test_a_time_limit_leaves_a_partition() -> None:
    region = surveyed("p^2 + q^2 - 1/2", "p,q", timeout=1e-9)
    assert region.stopped
    assert "time limit" in region.reason
    assert region.areas["undecided"] == 1


@pytest.mark.parametrize(
    ("over", "message"),
    [
        ("p", None),
        ("p,p", "two different parameters, got p twice"),
        ("p,q,r", "over one or two parameters, got 3"),
        ("p,x", "unknown parameter 'x'; known are p, q, r"),
        ("", "unknown parameter ''"),
        ([1], "parameters are named as in"),
    ],
)
def test_names(over: str, message: str | None) -> None:
    scenario = kept_where_not_positive("p*q*r/4", CUBE)
    if message is None:
        assert faier.region(scenario, over, effort=3).over == ("p",)
    else:
        with pytest.raises(faier.UsageError, match=message):
            faier.region(scenario, over)


@pytest.mark.parametrize("effort", [0, -1, 2.5, True])
def test_no_effort(effort: object) -> None:
    with pytest.raises(faier.UsageError, match="an effort is a number of boxes"):
        faier.region(kept_where_not_positive("p", UNIT), "p", effort=effort)


def test_it_is_no_truth_value() -> None:
    with pytest.raises(TypeError, match=r"look at \.boxes"):
        bool(surveyed("-p*q", "p,q"))
