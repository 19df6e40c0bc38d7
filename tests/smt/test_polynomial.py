"""The sign of a polynomial on a box: planted zeros, negative somewhere tiny, cuts, limits, missing solvers."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from fractions import Fraction

import pytest

from faier.engine.smt.polynomial import Counterexample, GaveUp, Proved, decide_nonnegative, race
from faier.engine.smt.region import evaluate, sign
from faier.number.expression import parse

solvers = pytest.mark.parametrize("solver", ["z3", "cvc5"])
UNIT = (Fraction(0), Fraction(1), False, False)
OPEN = (Fraction(0), Fraction(1), True, True)


def poly(text: str, names: str):
    return parse(text).numerator(tuple(names))


@solvers
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("x*y", "xy"),
        ("x*(1-y) + y*(1-x)", "xy"),
        ("(2*x^2-1)^2*(1+y) + (x-y)^2", "xy"),
        ("(2*x^2-1)^2 + y", "xy"),
        ("(x-1/3)^2 + (y-x*z)^2 + (z-1/2)^2*y", "xyz"),
        ("x^4*y^2 + x^2*y^4 + 1 - 3*x^2*y^2", "xy"),
        ("x^3 + y^3 + z^3 - 3*x*y*z", "xyz"),
    ],
    ids=["corners", "two corners", "irrational inside", "irrational on a face", "inside", "Motzkin", "diagonal"],
)
def test_touching_zero_is_not_below_it(solver: str, text: str, names: str) -> None:
    asked = poly(text, names)
    box = [UNIT] * len(names)
    assert isinstance(decide_nonnegative(asked, box, solver=solver, seconds=20), Proved)
    zero = (0,) * len(names)
    # Integer coefficients: the least that can be taken away is a part of what they were multiplied by.
    lower = {p: c * 10**9 for p, c in asked.items()}
    lower[zero] = lower.get(zero, 0) - 1
    found = decide_nonnegative(lower, box, solver=solver, seconds=20)
    assert isinstance(found, Counterexample)
    assert found.point is not None
    assert all(0 <= x <= 1 for x in found.point)
    assert evaluate(lower, found.point) < 0


@solvers
def test_open_ends_are_left_out(solver: str) -> None:
    asked = poly("x*(1-x) - 10^-9*x", "x")
    assert isinstance(decide_nonnegative(asked, [OPEN], solver=solver, seconds=10), Counterexample)
    edge = poly("x - 1/2", "x")
    closed = (Fraction(0), Fraction(1, 2), False, True)
    assert isinstance(decide_nonnegative({p: -c for p, c in edge.items()}, [closed], solver=solver, seconds=10), Proved)
    found = decide_nonnegative(edge, [closed], solver=solver, seconds=10)
    assert found == Counterexample((Fraction(0),), solver, found.seconds)


@solvers
def test_cuts_restrict_the_question(solver: str) -> None:
    asked = poly("y - x", "xy")
    below = [(poly("y - x + 1/100", "xy"), ">"), (poly("x + y - 1", "xy"), "==")]
    found = decide_nonnegative(asked, [UNIT, UNIT], below, solver=solver, seconds=10)
    assert isinstance(found, Counterexample)
    x, y = found.point
    assert x + y == 1
    assert 0 < x - y < Fraction(1, 100)
    at_least = [(poly("y - x", "xy"), ">=")]
    assert isinstance(decide_nonnegative(asked, [UNIT, UNIT], at_least, solver=solver, seconds=10), Proved)


@solvers
def test_irrational_values_alone_have_no_point(solver: str) -> None:
    found = decide_nonnegative(
        poly("x - 1", "x"), [UNIT], [(poly("2*x^2 - 1", "x"), "==")], solver=solver, seconds=10
    )
    assert isinstance(found, Counterexample)
    assert found.point is None


@solvers
def test_points_are_simple(solver: str) -> None:
    found = decide_nonnegative(
        poly("(2*x^2-1)^2 - 1/10^6", "x"), [UNIT], solver=solver, seconds=10
    )
    assert isinstance(found, Counterexample)
    assert found.point[0].denominator <= 100


HARD = poly("(x-1/3)^2*(1+w) + (y-x*z)^2 + (z-1/2)^2*y + (w-x)^2*z", "wxyz")


@solvers
def test_a_time_limit_ends_the_solver(solver: str) -> None:
    started = time.perf_counter()
    assert decide_nonnegative(HARD, [UNIT] * 4, solver=solver, seconds=1) == GaveUp("the time limit was reached")
    assert time.perf_counter() - started < 3


def test_a_race_is_decided_by_the_first_and_ends_the_other() -> None:
    found = race(poly("x^2*y - x + 1", "xy"), [UNIT, UNIT], seconds=20)
    assert isinstance(found, Proved)
    assert found.solver in ("z3", "cvc5")
    assert race(HARD, [UNIT] * 4, seconds=1) == GaveUp("the time limit was reached")
    listing = subprocess.run(["ps", "-A", "-ww", "-o", "ppid=,args="], capture_output=True, text=True).stdout
    assert not [row for row in listing.splitlines() if row.split()[0] == str(os.getpid()) and "worker.py" in row]


def test_missing_solvers_give_up_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "z3", None)
    found = decide_nonnegative(poly("x", "x"), [UNIT], solver="z3", seconds=1)
    assert isinstance(found, GaveUp)
    assert "pip install faier[smt]" in found.reason
    # The one that is there answers for both.
    assert isinstance(race(poly("x", "x"), [UNIT], seconds=10), Proved)
    monkeypatch.setitem(sys.modules, "cvc5", None)
    both = race(poly("x", "x"), [UNIT], seconds=1)
    assert isinstance(both, GaveUp)
    assert "\n" not in both.reason


def test_no_variables_are_no_trouble() -> None:
    assert isinstance(race({(): 1}, [], seconds=10), Proved)
    assert isinstance(race({}, [UNIT], seconds=10), Proved)
    found = race({(): -1}, [], seconds=10)
    assert isinstance(found, Counterexample)
    assert found.point == ()


@pytest.mark.parametrize("seed", range(12))
def test_the_sign_by_coefficients_is_the_sign_on_a_grid(seed: int) -> None:
    dice = random.Random(seed)
    box = [(Fraction(-1, 2), Fraction(1, 3), False, False), (Fraction(1), Fraction(5, 2), True, True)]
    asked = {(i, j): dice.randint(-1, 5) for i in range(3) for j in range(3)}
    values = [
        evaluate(asked, [lo + (hi - lo) * Fraction(k, 6) for (lo, hi, *_), k in zip(box, at, strict=True)])
        for at in [(i, j) for i in range(7) for j in range(7)]
    ]
    found = sign(asked, box)
    assert found == 0 or all(found * v >= 0 for v in values)
    assert sign({(0, 0): 3, (0, 2): 1}, box) == 1
    assert sign({(0, 0): -3}, box) == -1
