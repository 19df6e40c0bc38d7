"""Signs of numbers that are made of powers of x = e^(1/q), decided exactly. [T7]"""

from __future__ import annotations

from fractions import Fraction

from .errors import CertificateError
from .exponential import exp_above, exp_below
from .polynomial import Poly, Ring, exponent
from .quotient import Number
from .scope import Scope

_FIRST_BITS, _MOST_BITS = 128, 1 << 16


def sign(value: Number, scope: Scope) -> int:
    """The sign of a number without parameters: -1, 0 or 1."""
    if isinstance(value, Fraction):
        return (value > 0) - (value < 0)
    return sign_of_polynomial(value.top, scope) * sign_of_polynomial(value.bottom, scope)


def sign_of_polynomial(p: Poly, scope: Scope) -> int:
    """The sign of a polynomial in x alone. It is 0 only where it vanishes identically, as x is transcendental."""
    terms = {exponent(monomial, scope.x): c for monomial, c in p.items()}
    if len(terms) < len(p):
        raise CertificateError("a number depends on parameters that have no value")
    if all(c > 0 for c in terms.values()) or all(c < 0 for c in terms.values()):
        return 0 if not terms else 1 if next(iter(terms.values())) > 0 else -1
    power, bits = Fraction(1, scope.fineness), _FIRST_BITS
    while bits <= _MOST_BITS:
        low, high = _power_bounds(power, bits)
        scope.ring.meter.spend(len(terms) * max(terms) * (1 + bits // 64))
        below = sum(c * (low if c > 0 else high) ** k for k, c in terms.items())
        above = sum(c * (high if c > 0 else low) ** k for k, c in terms.items())
        if below > 0:
            return 1
        if above < 0:
            return -1
        bits *= 2
    raise CertificateError(f"a number is too close to 0 to tell its sign in {_MOST_BITS} bits")


def _power_bounds(power: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    return exp_below(power, bits), exp_above(power, bits)


def bare(ring: Ring, scope: Scope) -> Scope:
    """What the names of an expression without parameters mean."""
    return Scope(ring, (), scope.fineness)
