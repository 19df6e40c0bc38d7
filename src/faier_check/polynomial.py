"""Polynomials with integer coefficients in numbered variables; nothing here is rounded.

A monomial is one integer: 16 bits for the exponent of each variable, variable 0 lowest. The product of two
monomials is then their sum, and integers are ordered like monomials (lexicographically, last variable first).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import TypeAlias

from .errors import CertificateError
from .limits import Meter

Poly: TypeAlias = dict[int, int]
"""Monomial -> coefficient, which is not 0; the empty dictionary is 0. Never changed once made."""

ONE: Poly = {0: 1}
_WIDTH = 16
_FIELD = (1 << _WIDTH) - 1
_MOST_TERMS = 1_000_000
_MOST_GCD_BITS = 200_000
_GCD_ATTEMPTS = 4


def variable(index: int) -> Poly:
    return {1 << (_WIDTH * index): 1}


def constant(value: int) -> Poly:
    return {0: value} if value else {}


def exponent(monomial: int, index: int) -> int:
    return monomial >> (_WIDTH * index) & _FIELD


def degree(p: Poly, index: int) -> int:
    shift = _WIDTH * index
    return max([monomial >> shift & _FIELD for monomial in p], default=0)


def occurring(p: Poly) -> list[int]:
    """The variables that occur, ascending."""
    fields = reduce(or_, p, 0)
    return [i for i in range(-(-fields.bit_length() // _WIDTH)) if exponent(fields, i)]


def plus(a: Poly, b: Poly) -> Poly:
    if len(a) < len(b):
        a, b = b, a
    result = dict(a)
    for monomial, c in b.items():
        total = result.get(monomial, 0) + c
        if total:
            result[monomial] = total
        else:
            del result[monomial]
    return result


def scaled(p: Poly, factor: int) -> Poly:
    if factor == 1:
        return p
    return {monomial: c * factor for monomial, c in p.items()} if factor else {}


def minus(a: Poly, b: Poly) -> Poly:
    return plus(a, scaled(b, -1))


def total(polynomials: Iterable[Poly]) -> Poly:
    result: Poly = {}
    for p in polynomials:
        for monomial, c in p.items():
            result[monomial] = result.get(monomial, 0) + c
    return {monomial: c for monomial, c in result.items() if c}


def content(p: Poly) -> int:
    """The greatest common divisor of the coefficients, 0 for 0."""
    return math.gcd(*p.values())


def divided(p: Poly, factor: int) -> Poly:
    """p / factor, for a factor that divides the content."""
    return p if factor == 1 else {monomial: c // factor for monomial, c in p.items()}


def coefficients_of(p: Poly, index: int) -> dict[int, Poly]:
    """p as a polynomial in one variable: exponent -> coefficient."""
    shift = _WIDTH * index
    found: dict[int, Poly] = {}
    for monomial, c in p.items():
        power = monomial >> shift & _FIELD
        found.setdefault(power, {})[monomial - (power << shift)] = c
    return found


def shifted(p: Poly, index: int, by: int) -> Poly:
    """p times the variable to the power `by`, which may be negative where it divides."""
    step = by << (_WIDTH * index) if by >= 0 else -(-by << (_WIDTH * index))
    return {monomial + step: c for monomial, c in p.items()} if by else p


def common_monomial(polynomials: Iterable[Poly]) -> int:
    """The largest monomial that divides all of them."""
    least: dict[int, int] | None = None
    for p in polynomials:
        if not p:
            continue
        if least is None:
            least = dict.fromkeys(occurring(p), _FIELD)
        least = {i: low for i in least if (low := min(least[i], *[exponent(m, i) for m in p]))}
        if not least:
            return 0
    return sum(low << (_WIDTH * i) for i, low in (least or {}).items())


def size(p: Poly) -> int:
    """Roughly how many bytes it takes."""
    return 200 + len(p) * 150 + (max(map(abs, p.values())).bit_length() * len(p) // 8 if p else 0)


class Ring:
    """Arithmetic whose work is counted: `meter` stops it at the limit."""

    def __init__(self, count: int, meter: Meter):
        self.count = count
        self.meter = meter
        self._guard = sum(0x8000 << (_WIDTH * i) for i in range(count))
        self.too_high = sum(0xC000 << (_WIDTH * i) for i in range(count))
        """What a monomial has in common with this if an exponent is 2^14 or more."""

    def times(self, a: Poly, b: Poly) -> Poly:
        if len(a) < len(b):
            a, b = b, a
        if not b:
            return {}
        if b == ONE:
            return a
        self.meter.spend(len(a) * len(b) * (1 + (_bits(a) + _bits(b)) // 256))
        self._check_degree(a, b)
        if len(b) == 1:
            ((monomial, c),) = b.items()
            return {i + monomial: x * c for i, x in a.items()} if monomial or c != 1 else a
        result: Poly = {}
        get = result.get
        for monomial, c in b.items():
            for i, x in a.items():
                i += monomial
                result[i] = get(i, 0) + x * c
            if len(result) > _MOST_TERMS:
                raise CertificateError(f"a polynomial has more than {_MOST_TERMS} terms")
        return {i: x for i, x in result.items() if x}

    def _check_degree(self, a: Poly, b: Poly) -> None:
        """Below 2^14 before a product, exponents of the product never run over into the next variable's."""
        if (reduce(or_, a, 0) | reduce(or_, b, 0)) & self.too_high:
            raise CertificateError("the degree of a polynomial is too large")

    def power(self, p: Poly, n: int) -> Poly:
        if n == 1 or p == ONE:
            return p
        if len(p) == 1:
            ((monomial, c),) = p.items()
            if any(exponent(monomial, i) * n >= 1 << 15 for i in range(self.count)):
                raise CertificateError("the degree of a polynomial is too large")
            self.meter.spend(1 + c.bit_length() * n // 64)
            return {monomial * n: c**n}
        result = ONE
        while n:
            if n & 1:
                result = self.times(result, p)
            n >>= 1
            if n:
                p = self.times(p, p)
        return result

    def product(self, polynomials: Iterable[Poly]) -> Poly:
        result = ONE
        for p in polynomials:
            result = self.times(result, p)
        return result

    def compose(self, p: Poly, images: Mapping[int, tuple[Poly, int]]) -> tuple[Poly, int]:
        """p with variables replaced, all at once, by image / denominator: the result likewise, denominators > 0."""
        used = {i: degree(p, i) for i in occurring(p) if i in images}
        if not used:
            return p, 1
        powers = {i: self._powers(*images[i], top) for i, top in used.items()}
        parts: list[Poly] = []
        for monomial, c in p.items():
            part = {monomial - sum(exponent(monomial, i) << (_WIDTH * i) for i in used): c}
            for i in used:
                part = self.times(powers[i][exponent(monomial, i)], part)
            parts.append(part)
        return total(parts), math.prod(images[i][1] ** top for i, top in used.items())

    def _powers(self, image: Poly, denominator: int, top: int) -> list[Poly]:
        """image^k * denominator^(top - k) for k up to top."""
        found = [ONE]
        for _ in range(top):
            found.append(self.times(found[-1], image))
        if denominator == 1:
            return found
        return [scaled(p, denominator ** (top - k)) for k, p in enumerate(found)]

    def divide(self, a: Poly, b: Poly) -> Poly | None:
        """a / b, where that is a polynomial with integer coefficients."""
        if not b:
            return None
        lead = max(b)
        first = b[lead]
        rest = [(monomial, c) for monomial, c in b.items() if monomial != lead]
        left = dict(a)
        heap = [-monomial for monomial in a]
        heapq.heapify(heap)
        result: Poly = {}
        while heap:
            monomial = -heapq.heappop(heap)
            c = left.pop(monomial)
            if not c:
                continue
            if ((monomial | self._guard) - lead) & self._guard != self._guard or c % first:
                return None
            factor, shift = c // first, monomial - lead
            result[shift] = factor
            self.meter.spend(len(b) * (1 + c.bit_length() // 256))
            for i, x in rest:
                i += shift
                if i in left:
                    left[i] -= factor * x
                else:
                    left[i] = -factor * x
                    heapq.heappush(heap, -i)
        return result

    def common_divisor(self, a: Poly, b: Poly) -> Poly:
        """A primitive common divisor, the greatest but in rare cases; nothing may depend on that it is.

        Values at large integers have the divisor's value as a common divisor, from whose digits it can be read; what is
        read is tried by division.
        """
        if not a or not b or not (set(occurring(a)) & set(occurring(b))):
            return ONE
        found = self._heuristic(a, b, self.count - 1)
        if found is None:
            return ONE
        found = divided(found, content(found))
        return found if found[max(found)] > 0 else scaled(found, -1)

    def _heuristic(self, a: Poly, b: Poly, index: int) -> Poly | None:
        while index >= 0 and not degree(a, index) and not degree(b, index):
            index -= 1
        common = math.gcd(content(a), content(b))
        if index < 0:
            return {0: common}
        a, b = divided(a, common), divided(b, common)
        top = max(degree(a, index), degree(b, index))
        point = 2 * min(max(map(abs, a.values())), max(map(abs, b.values()))) + 29
        for _ in range(_GCD_ATTEMPTS):
            if point.bit_length() * top > _MOST_GCD_BITS:
                return None
            self.meter.spend((len(a) + len(b)) * (1 + point.bit_length() * top // 64))
            a_there, b_there = _evaluated(a, index, point), _evaluated(b, index, point)
            if a_there and b_there:
                there = self._heuristic(a_there, b_there, index - 1)
                found = None if there is None else _from_digits(there, index, point, top)
                if found:
                    found = divided(found, content(found))
                    if self.divide(a, found) is not None and self.divide(b, found) is not None:
                        return scaled(found, common)
            point = 73_794 * point * math.isqrt(math.isqrt(point)) // 27_011
        return None


def _bits(p: Poly) -> int:
    return max(map(abs, p.values())).bit_length()


def _evaluated(p: Poly, index: int, point: int) -> Poly:
    powers = {power: point**power for power in {exponent(m, index) for m in p}}
    result: Poly = {}
    for monomial, c in p.items():
        power = exponent(monomial, index)
        monomial -= power << (_WIDTH * index)
        result[monomial] = result.get(monomial, 0) + c * powers[power]
    return {monomial: c for monomial, c in result.items() if c}


def _from_digits(p: Poly, index: int, point: int, top: int) -> Poly | None:
    """The polynomial in one more variable whose value at the point is p, with coefficients of least size."""
    result: Poly = {}
    for monomial, c in p.items():
        power = 0
        while c:
            if power > top:
                return None
            c, digit = divmod(c, point)
            if digit > point // 2:
                c, digit = c + 1, digit - point
            if digit:
                result[monomial + (power << (_WIDTH * index))] = digit
            power += 1
    return result
