"""The rule `limit`: a ratio that is approached as the variables go to values, one after another. [T9]"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .boxes import entries_of
from .certificate import Claim, Limit
from .domain import Domain
from .errors import CertificateError
from .exponentials import sign_of_polynomial
from .family import Family
from .model import Distribution
from .poly_rows import Words
from .polynomial import Poly, constant, exponent, minus, plus, scaled, shifted, variable
from .quotient import Number, make, parts
from .witnesses import counted

_Way = tuple[int, Fraction, str]


def limit(family: Family, domain: Domain, claim: Claim, stated: Limit) -> Number | None:
    """The limit of left / right of a counted word, None where it is infinite.

    Guarantee: admissible values exist, at which all rows are distributions and where the word counts, with ratios as
    close to it as one likes.
    """
    way = _Approach(domain, stated.approach)
    word = counted(family, claim, stated.direction, stated.word, stated.ended, "limit")
    _admissible(family, domain, way)
    sides = family.sides(stated.direction)
    rows = [
        *family.emit,
        *(row for row in family.step if row is not None),
        *(family.beliefs[b] for b in sides),
        *family.written,
    ]
    for row in rows:
        if not isinstance(row, Distribution):
            for _, value in row:
                _defined(value, domain, way)
        for _, value in entries_of(row, domain):
            if way.sign(value) < 0:
                _reject("a probability is negative on the way")
    words = Words(
        domain.ring,
        len(family.symbols),
        [entries_of(row, domain) for row in family.emit],
        [None if row is None else entries_of(row, domain) for row in family.step],
        [entries_of(family.beliefs[b], domain) for b in sides],
        way.sign_of_polynomial,
    )
    prefix = 0
    for symbol in word:
        prefix = words.after(prefix, symbol)
    values = []
    for side in (0, 1):
        found = words.row(side, prefix)
        top = found.entries.get(words.done, {}) if stated.ended else found.total()
        other = words.denominators[1 - side]
        sign = way.sign_of_polynomial(words.denominators[side])
        # The sign of the own denominator and the other denominator make left / right of these two products.
        values.append((domain.ring.times(scaled(top, sign), _absolute(other, way)), found.scale))
    (left, left_scale), (right, right_scale) = values
    if claim.both and not (way.sign_of_polynomial(left) and way.sign_of_polynomial(right)):
        _reject("the word is not possible on both sides, so that it does not count")
    return way.ratio(scaled(left, 1), scaled(right, 1), left_scale / right_scale)


def _absolute(p: Poly, way: _Approach) -> Poly:
    return scaled(p, way.sign_of_polynomial(p))


def _reject(reason: str) -> None:
    raise CertificateError(reason, rule="limit")


def _admissible(family: Family, domain: Domain, way: _Approach) -> None:
    """The ranges of all parameters and all constraints hold on the way."""
    unknowns = domain.unknowns
    for i, allowed in enumerate(unknowns.ranges):
        top, bottom = domain.images.get(i, (variable(i), 1))
        for bound, is_open, factor in (
            (allowed.lower, allowed.open_below, 1),
            (allowed.upper, allowed.open_above, -1),
        ):
            gap = minus(scaled(top, bound.denominator), constant(bound.numerator * bottom))
            found = factor * way.sign_of_polynomial(gap)
            if found < 0 or (found == 0 and is_open):
                _reject(f"the parameter {unknowns.scope.names[i]} is not in its range on the way")
    for constraint in unknowns.constraints:
        _defined(constraint.gap, domain, way)
        found = way.sign(domain.on(constraint.gap))
        if not {"==": found == 0, ">": found > 0, ">=": found >= 0}[constraint.relation]:
            _reject(f"the constraint {constraint.text[:80]!r} does not hold on the way")


def _defined(value: Number, domain: Domain, way: _Approach) -> None:
    """The number of the file does not divide by 0 on the way, before equations cancel what it divides by."""
    bottom, _ = domain.ring.compose(parts(value)[1], domain.images)
    if way.sign_of_polynomial(bottom) == 0:
        _reject("a number divides by zero on the way")


class _Approach:
    """Points v1 = value +- t1, v2 = value +- t2, ... with t1 far smaller than t2, and so on.

    The sign of a polynomial there, once all t are small enough, is that of its leading coefficient.
    """

    def __init__(self, domain: Domain, stated: Sequence[tuple[str, Fraction, str]]):
        scope = domain.unknowns.scope
        self._ring, self._scope = domain.ring, scope
        self._way: list[_Way] = []
        for name, value, side in stated:
            i = scope.index.get(name, -1)
            if i not in domain.ranges or any(i == other for other, _, _ in self._way):
                _reject(f"{name[:60]!r} is not a variable, or comes twice")
            self._way.append((i, value, side))
        if len(self._way) < len(domain.ranges):
            _reject("every variable must go somewhere")

    def sign(self, value: Number) -> int:
        """The sign of a number on the way; where it divides by 0 there, CertificateError."""
        top, bottom = parts(value)
        under = self.sign_of_polynomial(bottom)
        if under == 0:
            _reject("a number divides by zero on the way")
        return self.sign_of_polynomial(top) * under

    def sign_of_polynomial(self, p: Poly) -> int:
        for step in self._way:
            (p,) = self._lead([p], step)
        return sign_of_polynomial(p, self._scope)

    def ratio(self, left: Poly, right: Poly, scale: Fraction) -> Number | None:
        for step in self._way:
            left, right = self._lead([left, right], step)
        if not left and not right:
            _reject("left and right are 0 on the way")
        return make(self._ring, left, right) * scale if right else None

    def _lead(self, polynomials: list[Poly], step: _Way) -> list[Poly]:
        """Divide by the common power of t, and let t be 0."""
        i, value, side = step
        towards = {"above": 1, "below": -1, "at": 0}[side]
        image = plus(scaled(variable(i), towards * value.denominator), constant(value.numerator))
        # Both by the same positive numbers: their quotient stays what it is.
        tops = [max([exponent(m, i) for m in p], default=0) for p in polynomials]
        found = []
        for p, top in zip(polynomials, tops, strict=True):
            moved, scale = self._ring.compose(p, {i: (image, value.denominator)})
            assert scale == value.denominator**top
            found.append(scaled(moved, value.denominator ** (max(tops) - top)))
        least = min([exponent(m, i) for p in found for m in p], default=0)
        divided = [shifted(p, i, -least) for p in found]
        return [{m: c for m, c in p.items() if not exponent(m, i)} for p in divided]
