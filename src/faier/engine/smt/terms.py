"""SMT-LIB terms as text: what every encoding is written in, and both solvers and people can read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from faier.number.digits import digits
from faier.number.exact import Prob
from faier.number.rational_function import RationalFunction

ZERO, ONE = "0.0", "1.0"


def real(value: Prob | int) -> str:
    """A rational that is not negative, or a polynomial with rational coefficients, as a term of sort Real."""
    if isinstance(value, RationalFunction):
        (bottom,) = value.denominator().values()
        top = polynomial([symbol(name) for name in value.names], value.numerator())
        return top if bottom == 1 else f"(* {real(Fraction(1, bottom))} {top})"
    value = Fraction(value)
    if value.denominator == 1:
        return f"{digits(value.numerator)}.0"
    return f"(/ {digits(value.numerator)}.0 {digits(value.denominator)}.0)"


def symbol(parameter: str) -> str:
    """What a parameter is called in scripts, where `left` and `w0` mean something else."""
    return f"u_{parameter}"


def signed(value: Fraction | int) -> str:
    """Any rational as a term of sort Real."""
    return real(value) if value >= 0 else f"(- {real(-value)})"


def rational(text: str) -> Fraction:
    """Read a rational as solvers write it: "3.0", "(/ 1 2)", "(- (/ 1.0 2.0))"; anything else is a ValueError."""
    if text.startswith("(- ") and text.endswith(")"):
        return -rational(text[3:-1])
    if text.startswith("(/ ") and text.endswith(")"):
        # The numerator may be in brackets, when it is negative; the denominator never is.
        top, _, bottom = text[3:-1].rpartition(" ")
        return rational(top) / Fraction(bottom)
    return Fraction(text)


def polynomial(names: Sequence[str], coefficients: Mapping[tuple[int, ...], int]) -> str:
    """The sum of monomials: their exponents, in the order of the names, and integer coefficients."""
    terms: list[str] = []
    for powers, c in coefficients.items():
        factors = [name for name, power in zip(names, powers, strict=True) for _ in range(power)]
        if c != 1 or not factors:
            factors.insert(0, signed(c))
        if c != 0:
            terms.append(factors[0] if len(factors) == 1 else f"(* {' '.join(factors)})")
    return add(terms)


def combination(parts: Iterable[tuple[str, Prob]], factor: Prob | int = 1) -> str:
    """factor times the weighted sum; terms with coefficient 0 are left out."""
    return add([scaled(name, factor * weight) for name, weight in parts if factor * weight != 0])


def scaled(term: str, factor: Prob | int) -> str:
    if term == ONE:
        return real(factor)
    return term if factor == 1 else f"(* {real(factor)} {term})"


def add(terms: Sequence[str]) -> str:
    return _chain("+", terms, ZERO)


def chosen(cases: Sequence[tuple[str, str]], otherwise: str) -> str:
    """if-then-else over (condition, term), ending with `otherwise`."""
    term = otherwise
    for condition, value in reversed(cases):
        term = f"(ite {condition} {value} {term})"
    return term


def either(terms: Sequence[str]) -> str:
    return _chain("or", terms, "false")


def all_of(terms: Sequence[str]) -> str:
    return _chain("and", terms, "true")


def exactly_one(names: Sequence[str]) -> list[str]:
    """Formulas that together say: exactly one of these Bool variables is true."""
    return [either(names)] + [
        f"(not (and {a} {b}))" for i, a in enumerate(names) for b in names[i + 1 :]
    ]


def asserted(formula: str) -> str:
    return f"(assert {formula})"


def declared(name: str, sort: str) -> str:
    return f"(declare-fun {name} () {sort})"


def defined(name: str, sort: str, term: str) -> str:
    return f"(define-fun {name} () {sort} {term})"


def _chain(operator: str, terms: Sequence[str], empty: str) -> str:
    if not terms:
        return empty
    return terms[0] if len(terms) == 1 else f"({operator} {' '.join(terms)})"
