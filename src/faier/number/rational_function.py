"""Quotients of polynomials in named parameters, exact and in lowest terms.

A constant e**r, r rational, is a power of e**(1/q), which is transcendental: polynomials in it vanish only where
they vanish identically (T7). So it is carried as one more name, "exp(1/q)", that no parameter can have.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import flint

from faier.errors import NumberError

from .digits import digits

Polynomial: TypeAlias = dict[tuple[int, ...], int]
"""Exponents, one for each parameter in the order given, and the integer coefficient of each monomial."""

MOST_TERMS = 20_000
MOST_DEGREE = 10_000
MOST_BITS = 100_000


class RationalFunction:
    """A quotient of polynomials in at least one parameter; immutable and hashable.

    Numerator and denominator have integer coefficients and no common factor, the leading coefficient of the
    denominator is positive, and `names` are the parameters that occur: equal functions are equal values.
    Arithmetic with integers, fractions and other functions is exact, and gives a `Fraction` where no
    parameter is left. What would grow beyond all use is refused with a `NumberError`.
    """

    __slots__ = ("_den", "_hash", "_num", "names")

    names: tuple[str, ...]
    _num: Any
    _den: Any
    _hash: int | None

    def __init__(self) -> None:
        raise TypeError(
            "a RationalFunction is made by RationalFunction.parameter, by arithmetic, or by parse"
        )

    @classmethod
    def parameter(cls, name: str) -> RationalFunction:
        """The function that is the parameter itself."""
        context = _context(1)
        return _new((name,), context.gens()[0], context.constant(1))

    @classmethod
    def make(
        cls,
        parameters: Sequence[str],
        numerator: Mapping[tuple[int, ...], int],
        denominator: Mapping[tuple[int, ...], int],
    ) -> Fraction | RationalFunction:
        """The quotient of two polynomials, in lowest terms; a `Fraction` where no parameter is left."""
        names = tuple(parameters)
        order = sorted(range(len(names)), key=names.__getitem__)
        context = _context(len(names))
        top, bottom = (
            context.from_dict({tuple(powers[i] for i in order): c for powers, c in p.items()})
            for p in (numerator, denominator)
        )
        return _reduced(tuple(names[i] for i in order), top, bottom)

    @classmethod
    def exponential(cls, power: Fraction) -> Fraction | RationalFunction:
        """The constant e**power."""
        if power == 0:
            return Fraction(1)
        if max(abs(power.numerator), power.denominator) > MOST_DEGREE:
            raise NumberError(f"exp takes fractions whose parts are at most {MOST_DEGREE}")
        return cls.parameter(exponential_name(power.denominator)) ** power.numerator

    @property
    def terms(self) -> int:
        """How many terms numerator and denominator have together."""
        return len(self._num) + len(self._den)

    @property
    def parameters(self) -> frozenset[str]:
        """The names but for a power of e."""
        return frozenset(name for name in self.names if root_of(name) is None)

    @property
    def root(self) -> int:
        """q where e**(1/q) occurs, else 0."""
        return next((q for name in self.names if (q := root_of(name))), 0)

    def with_root(self, root: int) -> RationalFunction:
        """The same function written in e**(1/root), for a multiple of its own root."""
        own = self.root
        if own in (0, root):
            return self
        return self._renamed(own, root, root // own, 1)

    def _renamed(self, own: int, root: int, times: int, divide: int) -> RationalFunction:
        """Exchange e**(1/own) for e**(1/root), exponents multiplied and divided."""
        names = [exponential_name(root) if root_of(n) == own else n for n in self.names]
        order = sorted(range(len(names)), key=names.__getitem__)
        place = next(i for i, n in enumerate(self.names) if root_of(n) == own)
        context = _context(len(names))
        parts = []
        for polynomial in (self._num, self._den):
            moved = {}
            for powers, c in polynomial.to_dict().items():
                changed = [int(e) * times // divide if i == place else int(e) for i, e in enumerate(powers)]
                moved[tuple(changed[i] for i in order)] = c
            parts.append(context.from_dict(moved))
        return _plain(tuple(names[i] for i in order), *parts)

    def numerator(self, parameters: Sequence[str] | None = None) -> Polynomial:
        """The numerator, its exponents in the order of the parameters given (default: `names`)."""
        return self._spread(self._num, parameters)

    def denominator(self, parameters: Sequence[str] | None = None) -> Polynomial:
        """The denominator, its exponents in the order of the parameters given (default: `names`)."""
        return self._spread(self._den, parameters)

    def over(self, parameters: Sequence[str]) -> tuple[Any, Any]:
        """Numerator and denominator as polynomials of the context of so many variables, in the order given."""
        order, context = tuple(parameters), _context(len(parameters))
        if order == self.names:
            return self._num, self._den
        if len(order) == len(self.names):
            # The library takes a projection to a context of the same size for the identity.
            return context.from_dict(self.numerator(order)), context.from_dict(self.denominator(order))
        places = {i: order.index(name) for i, name in enumerate(self.names)}
        return self._num.project_to_context(context, places), self._den.project_to_context(context, places)

    def _spread(self, polynomial: Any, parameters: Sequence[str] | None) -> Polynomial:
        order = self.names if parameters is None else tuple(parameters)
        if missing := set(self.names) - set(order):
            raise NumberError(f"the function also uses {', '.join(sorted(missing))}")
        place = {name: i for i, name in enumerate(self.names)}
        columns = [place.get(name) for name in order]
        return {
            tuple(0 if i is None else int(powers[i]) for i in columns): int(c)
            for powers, c in polynomial.to_dict().items()
        }

    def evaluate(self, values: Mapping[str, Fraction]) -> Fraction:
        """The exact value where every parameter has one; a pole is a `NumberError`."""
        if missing := set(self.names) - set(values):
            raise NumberError(f"no value for {', '.join(sorted(missing))}")
        point = [Fraction(values[name]) for name in self.names]
        bottom = _at(self._den, point)
        if bottom == 0:
            raise NumberError(f"{self} divides by zero at this point")
        value: Fraction = _at(self._num, point) / bottom
        return value

    def substitute(self, values: Mapping[str, Fraction | RationalFunction]) -> Fraction | RationalFunction:
        """The function with some parameters replaced by other functions."""
        point = [values.get(name, RationalFunction.parameter(name)) for name in self.names]
        bottom = _at(self._den, point)
        if bottom == 0:
            raise NumberError(f"{self} divides by zero identically here")
        value: Fraction | RationalFunction = _at(self._num, point) / bottom
        return value

    def __add__(self, other: object) -> Fraction | RationalFunction:
        found = _operands(self, other)
        if found is None:
            return NotImplemented
        names, a, b, c, d = found
        if b == d:
            return _reduced(names, a + c, b)
        return _reduced(names, _product(a, d) + _product(c, b), _product(b, d))

    __radd__ = __add__

    def __neg__(self) -> RationalFunction:
        return _plain(self.names, -self._num, self._den)

    def __pos__(self) -> RationalFunction:
        return self

    def __sub__(self, other: object) -> Fraction | RationalFunction:
        return self + -other if isinstance(other, (int, Fraction, RationalFunction)) else NotImplemented

    def __rsub__(self, other: object) -> Fraction | RationalFunction:
        return -self + other

    def __mul__(self, other: object) -> Fraction | RationalFunction:
        found = _operands(self, other)
        if found is None:
            return NotImplemented
        names, a, b, c, d = found
        return _reduced(names, _product(a, c), _product(b, d))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Fraction | RationalFunction:
        found = _operands(self, other)
        if found is None:
            return NotImplemented
        names, a, b, c, d = found
        if c == 0:
            raise ZeroDivisionError("division by zero")
        return _reduced(names, _product(a, d), _product(b, c))

    def __rtruediv__(self, other: object) -> Fraction | RationalFunction:
        return self**-1 * other if isinstance(other, (int, Fraction)) else NotImplemented

    def __pow__(self, exponent: int) -> Fraction | RationalFunction:
        if isinstance(exponent, bool) or not isinstance(exponent, int):
            return NotImplemented
        if exponent == 0:
            return Fraction(1)
        top, bottom = (self._num, self._den) if exponent > 0 else (self._den, self._num)
        return _signed(self.names, _power(top, abs(exponent)), _power(bottom, abs(exponent)))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RationalFunction):
            return self.names == other.names and bool(self._num == other._num and self._den == other._den)
        return False if isinstance(other, (int, Fraction)) else NotImplemented

    def __hash__(self) -> int:
        if self._hash is None:
            parts = (frozenset(p.to_dict().items()) for p in (self._num, self._den))
            object.__setattr__(self, "_hash", hash((self.names, *parts)))
        assert self._hash is not None
        return self._hash

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a RationalFunction cannot be changed")

    def __reduce__(self) -> tuple[Any, ...]:
        return RationalFunction.make, (self.names, self.numerator(), self.denominator())

    def __str__(self) -> str:
        """A text that `parse` reads back to an equal value."""
        top = _text(self._num, self.names)
        if self._den.is_one():
            return top
        bottom = _text(self._den, self.names)
        top = f"({top})" if len(self._num) > 1 else top
        plain = bottom.isalnum() or bottom in self.names
        return f"{top}/{bottom}" if plain else f"{top}/({bottom})"

    def __repr__(self) -> str:
        return f"RationalFunction({self})"


def _context(count: int) -> Any:
    # Generators are anonymous, because the library's names are ASCII only and ours need not be.
    return flint.fmpz_mpoly_ctx.get([f"x{i}" for i in range(count)], "degrevlex")


def exponential_name(root: int) -> str:
    """The name of e**(1/root)."""
    return "exp(1)" if root == 1 else f"exp(1/{root})"


def root_of(name: str) -> int | None:
    """q where a name is that of e**(1/q), else None."""
    if not name.startswith("exp("):
        return None
    return int(name[6:-1] or 1) if name != "exp(1)" else 1


def _new(names: tuple[str, ...], top: Any, bottom: Any) -> RationalFunction:
    """A function in lowest terms; e**(1/q) with the smallest q that does."""
    made = _plain(names, top, bottom)
    if (root := made.root) > 1:
        place = next(i for i, n in enumerate(names) if root_of(n))
        common = root
        for polynomial in (top, bottom):
            for powers in polynomial.to_dict():
                common = math.gcd(common, int(powers[place]))
        if common > 1:
            return made._renamed(root, root // common, 1, common)
    return made


def _plain(names: tuple[str, ...], top: Any, bottom: Any) -> RationalFunction:
    made = RationalFunction.__new__(RationalFunction)
    for slot, value in (("names", names), ("_num", top), ("_den", bottom), ("_hash", None)):
        object.__setattr__(made, slot, value)
    return made


def _signed(names: tuple[str, ...], top: Any, bottom: Any) -> RationalFunction:
    if bottom.leading_coefficient() < 0:
        top, bottom = -top, -bottom
    return _new(names, top, bottom)


def _reduced(names: tuple[str, ...], top: Any, bottom: Any) -> Fraction | RationalFunction:
    """Cancel what is common, drop parameters that do not occur, make the denominator lead with a +."""
    if top == 0:
        return Fraction(0)
    if not bottom.is_one() and not (common := top.gcd(bottom)).is_one():
        top, bottom = top / common, bottom / common
    _check_terms(top)
    _check_terms(bottom)
    used = [i for i, (a, b) in enumerate(zip(top.degrees(), bottom.degrees(), strict=True)) if a or b]
    if not used:
        return Fraction(int(top.leading_coefficient()), int(bottom.leading_coefficient()))
    if len(used) < len(names):
        context, places = _context(len(used)), {i: k for k, i in enumerate(used)}
        top, bottom = (p.project_to_context(context, places) for p in (top, bottom))
    return _signed(tuple(names[i] for i in used), top, bottom)


def _operands(one: RationalFunction, other: object) -> tuple[tuple[str, ...], Any, Any, Any, Any] | None:
    """Both numerators and denominators over one set of parameters, or None where `other` is no number."""
    if isinstance(other, (int, Fraction)) and not isinstance(other, bool):
        context = _context(len(one.names))
        return (
            one.names,
            one._num,
            one._den,
            context.constant(other.numerator),
            context.constant(other.denominator),
        )
    if not isinstance(other, RationalFunction):
        return None
    if one.names == other.names:
        return one.names, one._num, one._den, other._num, other._den
    if one.root and other.root and one.root != other.root:
        common_root = math.lcm(one.root, other.root)
        if common_root > MOST_DEGREE:
            raise NumberError(f"the exponents of exp have a common denominator of more than {MOST_DEGREE}")
        one, other = one.with_root(common_root), other.with_root(common_root)
    names = tuple(sorted({*one.names, *other.names}))
    return names, *one.over(names), *other.over(names)


def _product(a: Any, b: Any) -> Any:
    if len(a) > 1 and len(b) > 1 and len(a) * len(b) > MOST_TERMS:
        box = 1
        for i, j in zip(a.degrees(), b.degrees(), strict=True):
            box *= int(i) + int(j) + 1
        if box > MOST_TERMS:
            raise NumberError(_TOO_MANY)
    product = a * b
    _check_coefficients(product)
    return product


def _power(base: Any, exponent: int) -> Any:
    terms = len(base)
    degrees = [int(d) * exponent for d in base.degrees()]
    if max(degrees, default=0) > MOST_DEGREE:
        raise NumberError(f"the degree would exceed {MOST_DEGREE}")
    box = 1
    for d in degrees:
        box *= d + 1
    if terms > 1 and min(_multisets(terms, exponent), box) > MOST_TERMS:
        raise NumberError(_TOO_MANY)
    bits = sum(abs(int(c)) for c in base.coeffs()).bit_length() * exponent
    if bits > MOST_BITS and not (terms == 1 and abs(int(base.leading_coefficient())) == 1):
        raise NumberError(_TOO_LARGE)
    return base**exponent


def _multisets(terms: int, exponent: int) -> int:
    """How many terms a power has at most; anything beyond the limit is as good as any other."""
    count = 1
    for i in range(1, min(terms, exponent + 1)):
        count = count * (exponent + terms - i) // i
        if count > MOST_TERMS:
            break
    return count


def _check_terms(polynomial: Any) -> None:
    if len(polynomial) > MOST_TERMS:
        raise NumberError(_TOO_MANY)
    if max(map(int, polynomial.degrees()), default=0) > MOST_DEGREE:
        raise NumberError(f"the degree would exceed {MOST_DEGREE}")


def _check_coefficients(polynomial: Any) -> None:
    if max((int(c).bit_length() for c in polynomial.coeffs()), default=0) > MOST_BITS:
        raise NumberError(_TOO_LARGE)


_TOO_MANY = f"the expression grows to more than {MOST_TERMS} terms"
_TOO_LARGE = f"the numbers in it grow to more than {MOST_BITS} bits"


def _at(polynomial: Any, point: Sequence[Any]) -> Any:
    total: Any = Fraction(0)
    powers: dict[tuple[int, int], Any] = {}
    for exponents, coefficient in polynomial.to_dict().items():
        term: Any = Fraction(int(coefficient))
        for i, exponent in enumerate(map(int, exponents)):
            if exponent:
                if (i, exponent) not in powers:
                    powers[i, exponent] = point[i] ** exponent
                term = term * powers[i, exponent]
        total = total + term
    return total


def _text(polynomial: Any, names: tuple[str, ...]) -> str:
    parts: list[str] = []
    for exponents, coefficient in polynomial.to_dict().items():
        factors = [
            name if e == 1 else f"{name}^{e}" for name, e in zip(names, map(int, exponents), strict=True) if e
        ]
        value = int(coefficient)
        if abs(value) != 1 or not factors:
            factors.insert(0, digits(abs(value)))
        sign = ("- " if value < 0 else "+ ") if parts else ("-" if value < 0 else "")
        parts.append(sign + "*".join(factors))
    return " ".join(parts)
