"""Polynomials and their Bernstein coefficients against the definitions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from random import Random

import pytest

from faier_check import CertificateError
from faier_check.bernstein import coefficients, not_negative, positive, sign
from faier_check.expression import Scope, expression
from faier_check.limits import Meter
from faier_check.polynomial import ONE, Poly, Ring, content, degree, exponent, minus, plus, scaled, variable
from faier_check.quotient import parts, same

RING = Ring(4, Meter())
SCOPE = Scope(RING, ("p", "q", "r"), 1)


def read(text: str) -> Poly:
    top, bottom = parts(expression(text, SCOPE))
    assert bottom == ONE
    return top


def value(p: Poly, point: list[Fraction]) -> Fraction:
    return sum(
        (c * math.prod(v ** exponent(m, i) for i, v in enumerate(point)) for m, c in p.items()), Fraction(0)
    )


def some(random: Random, count: int, largest: int, terms: int = 6) -> Poly:
    result: Poly = {}
    for _ in range(terms):
        term = {0: random.choice([-5, -2, -1, 1, 1, 3, 7])}
        for i in range(count):
            term = RING.times(term, RING.power(variable(i), random.randint(0, largest)))
        result = plus(result, term)
    return result


def test_arithmetic_is_that_of_values():
    random = Random(1)
    for _ in range(100):
        a, b = some(random, 3, 3), some(random, 3, 3)
        point = [Fraction(random.randint(-5, 5), random.randint(1, 4)) for _ in range(3)]
        x, y = value(a, point), value(b, point)
        assert value(plus(a, b), point) == x + y
        assert value(minus(a, b), point) == x - y
        assert value(RING.times(a, b), point) == x * y
        assert value(RING.power(a, 3), point) == x**3
        image = {0: (b, 3), 2: (some(random, 2, 2), 5)}
        composed, scale = RING.compose(a, image)
        moved = [y / 3, point[1], value(image[2][0], point) / 5]
        assert value(composed, point) == scale * value(a, moved)


def test_division_is_exact():
    random = Random(2)
    for _ in range(200):
        a, b = some(random, 3, 3), some(random, 3, 2, 3)
        if b:
            assert RING.divide(RING.times(a, b), b) == a
            if a and degree(b, 0) + degree(b, 1) + degree(b, 2):
                assert RING.divide(plus(RING.times(a, b), ONE), b) is None


def test_common_divisors():
    random = Random(3)
    missed = 0
    for _ in range(100):
        a, b, c = (some(random, 3, 2, 3) for _ in range(3))
        if not (a and b and c):
            continue
        one, two = RING.times(a, c), RING.times(b, c)
        found = RING.common_divisor(one, two)
        assert content(found) == 1
        assert RING.divide(one, scaled(found, math.gcd(content(one)))) is not None
        missed += RING.divide(found, scaled(c, 1)) is None and content(c) == 1
    assert missed < 5


def test_degrees_do_not_run_over():
    high = RING.power(variable(0), 16_000)
    assert RING.times(high, variable(1)) == {16_000 + (1 << 16): 1}
    for make in (lambda: RING.times(RING.times(high, high), high), lambda: RING.power(variable(0), 40_000)):
        with pytest.raises(CertificateError, match="the degree of a polynomial is too large"):
            make()


def by_definition(p: Poly, box: list[tuple[Fraction, Fraction]]) -> list[Fraction]:
    """Expand in local coordinates, and sum with quotients of binomials."""
    used = [i for i in range(3) if degree(p, i)]
    degrees = [degree(p, i) for i in used]
    images = {}
    for i in used:
        low, high = box[i]
        scale = low.denominator * high.denominator
        line = plus(scaled(variable(i), int((high - low) * scale)), {0: int(low * scale)} if low else {})
        images[i] = line, scale
    local, scale = RING.compose(p, images)
    found = []
    for place in itertools.product(*(range(n + 1) for n in degrees)):
        total = Fraction(0)
        for monomial, c in local.items():
            factor = Fraction(c, scale)
            for i, j, n in zip(used, place, degrees, strict=True):
                factor *= Fraction(math.comb(j, exponent(monomial, i)), math.comb(n, exponent(monomial, i)))
            total += factor
        found.append(total)
    return found


def test_bernstein_coefficients():
    random = Random(4)
    for _ in range(100):
        p = some(random, 3, 4)
        if not p:
            continue
        box = []
        for _ in range(3):
            ends = sorted(Fraction(random.randint(-6, 6), random.randint(1, 5)) for _ in range(2))
            box.append((ends[0], ends[1]))
        box.append((Fraction(0), Fraction(1)))
        found, expected = coefficients(p, tuple(box), Meter()), by_definition(p, box)
        scale = next((Fraction(x) / y for x, y in zip(found, expected, strict=True) if y), Fraction(1))
        assert scale > 0
        assert found == [scale * y for y in expected]


UNIT = ((Fraction(0), Fraction(1)),) * 4


def test_signs():
    meter = Meter()
    assert not_negative(read("p*(1-q)"), UNIT, meter)
    assert not_negative({}, UNIT, meter)
    assert not positive(read("p*(1-q)"), UNIT, meter)
    assert positive(read("1+p-q^2/1*1/1+p*q"), UNIT, meter) is False
    assert positive(read("2-q"), UNIT, meter)
    assert not positive({}, UNIT, meter)
    assert not not_negative(read("3*p^2-3*p+1"), UNIT, meter)
    assert sign(read("3*p^2-3*p+1"), UNIT, (0, 1, 2), meter) == 1
    assert sign(read("3*p-3*p^2-1"), UNIT, (0, 1, 2), meter) == -1
    assert sign(read("p-q"), UNIT, (0, 1, 2), meter) == 0
    assert sign(read("(p-q)^2"), UNIT, (0, 1, 2), meter) == 0
    assert sign({0: -3}, UNIT, (), meter) == -1
    negative = ((Fraction(-1), Fraction(1)),) * 4
    assert not not_negative(read("p"), negative, meter)


def test_quotients_are_functions():
    for one, other in (
        ("p^2/(1-(1-p)^2)", "p/(2-p)"),
        ("(p^2-q^2)/(p-q)", "p+q"),
        ("1/(1+1/(1+p))", "(1+p)/(2+p)"),
        ("exp(1)^2*exp(-3)", "1/exp(1)"),
        ("(p/q)^(-2)", "q^2/p^2"),
    ):
        assert same(expression(one, SCOPE), expression(other, SCOPE))
    assert expression("(p+q)/(2*q+2*p)", SCOPE) == Fraction(1, 2)
    assert expression("p-p", SCOPE) == 0
    assert not same(expression("p", SCOPE), expression("q", SCOPE))
    assert not same(expression("p", SCOPE), Fraction(1))
