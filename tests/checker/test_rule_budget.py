from __future__ import annotations

from fractions import Fraction

import pytest
from checker_cases import CONTAGIOUS, accepts, claim, holds, rejects, violated

from faier_check.budgets import budget, excess
from faier_check.certificate import Budget
from faier_check.errors import CertificateError


def proved(power: str, base: str, root: int, ratio: str = "4"):
    claimed = {**claim(horizon=1), "budget": {"power": power, "base": base, "root": root}}
    return holds(CONTAGIOUS, claimed, {"rule": "enumerate", "ratio": ratio})


@pytest.mark.parametrize(
    ("power", "base", "root"),
    [("0", "4", 1), ("0", "16", 2), ("0", "1024", 5), ("3/2", "1", 1), ("1", "9", 4), ("-1/2", "7", 1)],
)
def test_accepts_a_ratio_within_the_budget(power, base, root):
    accepts(proved(power, base, root), CONTAGIOUS)


@pytest.mark.parametrize(
    ("power", "base", "root"),
    [
        ("0", f"{4 * 10**30 - 1}/{10**30}", 1),
        ("0", f"{16 * 10**30 - 1}/{10**30}", 2),
        ("69/50", "1", 1),
        ("13/10", "1", 7),
        ("-1/2", "13/2", 1),
        ("6931471805599453/5000000000000000", "1", 1),
    ],
)
def test_rejects_a_ratio_above_the_budget(power, base, root):
    rejects(proved(power, base, root), CONTAGIOUS, "budget: the proved ratio 4 exceeds the claimed one")


def test_says_the_budget_as_an_epsilon():
    assert accepts(proved("3/2", "9", 2), CONTAGIOUS).claim.endswith(
        "left <= e^(3/2) * (9)^(1/2) * right (epsilon = 3/2 + ln(9)/2)"
    )


@pytest.mark.parametrize("power", ["100000000000", "-100000000000"])
def test_refuses_absurd_powers(power):
    rejects(proved(power, "1", 1), CONTAGIOUS, "budget: the claimed ratio is too large to compare with")


def test_refuses_absurd_roots():
    rejects(proved("0", "4", 10**15), CONTAGIOUS, "budget: the claimed ratio is too large to compare with")


@pytest.mark.parametrize(("base", "match"), [("0", "must be positive"), ("-4", "must be positive")])
def test_rejects_bases_that_are_not_positive(base, match):
    rejects(proved("0", base, 1), CONTAGIOUS, match)


def test_rejects_roots_below_1():
    rejects(proved("0", "4", 0), CONTAGIOUS, "root must be at least 1")


def test_a_witness_that_meets_the_budget_does_not_exceed_it():
    word = {"pair": 0, "forward": True, "word": ["~2"], "ended": False, "left": "2/3", "right": "1/6"}
    rejects(violated(CONTAGIOUS, claim("4", 1), word), CONTAGIOUS, "budget: the witness does not exceed")
    accepts(violated(CONTAGIOUS, claim(f"{4 * 10**30 - 1}/{10**30}", 1), word), CONTAGIOUS)


def test_close_calls_take_more_bits():
    # 1 + x is below e^x, but only by x^2/2.
    tiny = Fraction(1, 10**300)
    budget(1 + tiny, Budget(tiny, Fraction(1), 1))
    with pytest.raises(CertificateError, match="exceeds"):
        budget(1 + tiny + tiny**2, Budget(tiny, Fraction(1), 1))
    excess(1 + tiny + tiny**2, Fraction(1), Budget(tiny, Fraction(1), 1))
    with pytest.raises(CertificateError, match="does not exceed"):
        excess(1 + tiny, Fraction(1), Budget(tiny, Fraction(1), 1))


def test_calls_too_close_are_refused():
    tiny = Fraction(1, 10**30_000)
    with pytest.raises(CertificateError, match="too close"):
        budget(1 + tiny, Budget(tiny, Fraction(1), 1))


def test_impossible_words_exceed_nothing():
    with pytest.raises(CertificateError, match="does not exceed"):
        excess(Fraction(0), Fraction(0), Budget(Fraction(0), Fraction(1), 1))
    excess(Fraction(1, 2), Fraction(0), Budget(Fraction(10), Fraction(1), 1))
