"""Numbers with parameters as they enter a digest: their values at one point, in a finite field.

The point is fixed by the names of the parameters, and by the equations between them. So a number's fingerprint does
not depend on how it is written; see docs/certificates.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from faier.number.exact import Prob
from faier.number.expression import parse
from faier.number.rational_function import Polynomial, RationalFunction, root_of

ORDER = 2**255 - 18_057
MODULUS = 2 * ORDER + 1
BASE = 4
"""Stands for e, in the group of squares, whose order is the prime `ORDER`."""

_COMPARISONS = ("<", ">", "=")


class Fingerprints:
    """Fingerprints for one model; `used` says whether any was needed."""

    def __init__(self, parameters: Mapping[str, str], constraints: Sequence[str]):
        self.used = False
        self._parameters, self._constraints = parameters, constraints

    def of(self, value: RationalFunction) -> str | Fraction:
        """64 hexadecimal digits, or "pole"; a fraction where only constants were written with names."""
        plain = _substituted(value, self._constants)
        if isinstance(plain, Fraction):
            return plain
        self.used = True
        under = self._at(plain.denominator(), plain.names)
        if under == 0:
            return "pole"
        return f"{self._at(plain.numerator(), plain.names) * pow(under, -1, MODULUS) % MODULUS:064x}"

    @cached_property
    def _constants(self) -> dict[str, Prob]:
        return {
            name: parse(text, frozenset())
            for name, text in self._parameters.items()
            if not any(sign in text for sign in _COMPARISONS)
        }

    @cached_property
    def _solved(self) -> dict[str, Prob]:
        """Parameters that an equation gives in terms of the others, the last one in the file that it can."""
        free = [name for name in self._parameters if name not in self._constants]
        solved: dict[str, Prob] = {}
        for text in self._constraints:
            if text.count("==") != 1:
                continue
            left, right = (parse(side, frozenset(self._parameters)) for side in text.split("=="))
            gap = _substituted(_substituted(left - right, self._constants), solved)
            if isinstance(gap, Fraction):
                continue
            for name in reversed(free):
                if name not in solved and (formula := _solve(gap, name)) is not None:
                    solved = {n: _substituted(f, {name: formula}) for n, f in solved.items()} | {name: formula}
                    break
        return solved

    @cached_property
    def _values(self) -> dict[str, int]:
        values = {
            name: int.from_bytes(hashlib.sha256(name.encode()).digest(), "big") % MODULUS
            for name in self._parameters
            if name not in self._solved and name not in self._constants
        }
        for name, formula in self._solved.items():
            top: Polynomial
            if isinstance(formula, Fraction):
                found = formula.numerator * pow(formula.denominator, -1, MODULUS)
            else:
                top, bottom = formula.numerator(), formula.denominator()
                found = _at(top, formula.names, values) * pow(_at(bottom, formula.names, values), -1, MODULUS)
            values[name] = found % MODULUS
        return values

    def _at(self, polynomial: Polynomial, names: Sequence[str]) -> int:
        return _at(polynomial, names, self._values)


def _at(polynomial: Polynomial, names: Sequence[str], values: Mapping[str, int]) -> int:
    point = [values[name] if (root := root_of(name)) is None else _power_of_base(root) for name in names]
    total = 0
    for exponents, c in polynomial.items():
        for value, exponent in zip(point, exponents, strict=True):
            c = c * pow(value, exponent, MODULUS) % MODULUS
        total += c
    return total % MODULUS


def _power_of_base(root: int) -> int:
    """Stands for e**(1/root)."""
    return pow(BASE, pow(root, -1, ORDER), MODULUS)


def _substituted(value: Prob, values: Mapping[str, Prob]) -> Prob:
    if isinstance(value, Fraction) or values.keys().isdisjoint(value.names):
        return value
    return value.substitute(values)


def _solve(gap: RationalFunction, name: str) -> Prob | None:
    """The value of `name` where gap is 0, where gap's numerator has it once, alone, with a constant factor."""
    if name not in gap.names:
        return None
    index, top = gap.names.index(name), gap.numerator()
    with_it = [exponents for exponents in top if exponents[index]]
    if len(with_it) != 1 or sum(with_it[0]) != 1:
        return None
    (own,) = with_it
    rest = {exponents: -c for exponents, c in top.items() if exponents != own}
    return RationalFunction.make(gap.names, rest, {(0,) * len(gap.names): top[own]})
