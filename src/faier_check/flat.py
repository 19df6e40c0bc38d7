"""Sums of products of integers and powers of parameters, read at once: what long expressions are made of."""

from __future__ import annotations

import re

from .polynomial import Poly, variable
from .scope import LARGEST_EXPONENT, Scope

_FACTOR = r"(?:[0-9]{1,600}|[A-Za-z_]\w*(?:\^[0-9]{1,5})?)"
_TERM = rf"{_FACTOR}(?:\*{_FACTOR})*"
_FLAT = re.compile(rf"-?{_TERM}(?: ?[-+] ?{_TERM})*")
_SIGNED = re.compile(rf"([-+]?) ?({_TERM})")
_DIGITS = frozenset("0123456789")


def flat(text: str, scope: Scope) -> Poly | None:
    """The polynomial, or None where the text is anything else, or has a mistake: then it is read token by token."""
    if _FLAT.fullmatch(text) is None:
        return None
    result: Poly = {}
    for sign, term in _SIGNED.findall(text):
        c, monomial = -1 if sign == "-" else 1, 0
        for factor in term.split("*"):
            if factor[0] in _DIGITS:
                c *= int(factor)
                continue
            power = _power(factor, scope)
            if power is None:
                return None
            monomial += power
            if monomial & scope.ring.too_high:
                return None
        result[monomial] = result.get(monomial, 0) + c
    scope.ring.meter.spend(len(text) // 4)
    return {monomial: c for monomial, c in result.items() if c}


def _power(factor: str, scope: Scope) -> int | None:
    """The monomial of p or p^2; None where there is no such parameter, or the exponent is too large."""
    known = scope.powers.get(factor)
    if known is None:
        name, _, exponent = factor.partition("^")
        if name not in scope.index or int(exponent or "1") > LARGEST_EXPONENT:
            return None
        (own,) = variable(scope.index[name])
        known = scope.powers[factor] = own * int(exponent or "1")
    return known
