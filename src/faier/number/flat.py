"""Sums of products of integers and powers of parameters, read at once: what long expressions are made of."""

from __future__ import annotations

import re

from faier.errors import NumberError

from .exact import Prob
from .rational_function import RationalFunction

LARGEST_POWER = 99
_FACTOR = r"(?:[0-9]{1,300}|[A-Za-z_]\w*(?:\^[0-9]{1,2})?)"
_TERM = rf"{_FACTOR}(?:\*{_FACTOR})*"
FLAT = rf"-?{_TERM}(?: ?[-+] ?{_TERM})+"
_FLAT = re.compile(FLAT)
_SIGNED = re.compile(rf"([-+]?) ?({_TERM})")
_NAME = re.compile(r"[A-Za-z_]\w*")
_DIGITS = frozenset("0123456789")
_NO_NAMES = frozenset({"e", "exp", "ln", "nan", "inf", "infinity"})
_SHORTEST = 24


def is_flat(text: str) -> bool:
    """Whether a text is such a sum, and long enough for that to matter."""
    return len(text) >= _SHORTEST and _FLAT.fullmatch(text) is not None


def flat(text: str, parameters: frozenset[str] | None) -> Prob | None:
    """The value of a text that `is_flat`; None where it has a mistake, to be read token by token and told there."""
    names = sorted({*_NAME.findall(text)})
    if any(name.lower() in _NO_NAMES for name in names) or (parameters is not None and not parameters >= {*names}):
        return None
    place = {name: i for i, name in enumerate(names)}
    none = [0] * len(names)
    known: dict[str, tuple[int, int]] = {}
    terms: dict[tuple[int, ...], int] = {}
    for sign, term in _SIGNED.findall(text):
        c, powers = -1 if sign == "-" else 1, none.copy()
        for factor in term.split("*"):
            if factor[0] in _DIGITS:
                c *= int(factor)
                continue
            if (power := known.get(factor)) is None:
                name, _, exponent = factor.partition("^")
                power = known[factor] = place[name], int(exponent or "1")
            powers[power[0]] += power[1]
        key = tuple(powers)
        terms[key] = terms.get(key, 0) + c
    try:
        return RationalFunction.make(names, {key: c for key, c in terms.items() if c}, {tuple(none): 1})
    except NumberError:
        return None
