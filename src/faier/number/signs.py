"""Polynomials that denominators are cleared with: known to be positive wherever they are not 0. [T9]"""

from __future__ import annotations

from typing import Any

from faier.errors import NumberError

from .bernstein import Box, coefficients
from .domain import Domain

_MOST_BOXES = 64


def made_positive(domain: Domain, polynomial: Any) -> Any:
    """The polynomial with the sign that it has on the whole hull, or its square where that is not known.

    Guarantee: nowhere negative on the hull, and 0 only where the polynomial is. A sign found at one value proves
    nothing about others: constraints may leave pieces of a range that do not touch, and a common multiple of
    denominators that are positive on each of them may change its sign in between.
    """
    sign = sign_on_hull(domain, polynomial)
    return polynomial * (sign or polynomial)


def sign_on_hull(domain: Domain, polynomial: Any) -> int:
    """1 where a polynomial is >= 0 on the whole hull, -1 where it is <= 0 there, 0 where some pieces do not tell."""
    if polynomial.is_constant():
        return int(polynomial.leading_coefficient() > 0) - int(polynomial.leading_coefficient() < 0)
    if (known := domain.sign_of_number(polynomial)) is not None:
        return known
    axes = [i for i, d in enumerate(polynomial.degrees()) if d]
    wanted = 0
    waiting: list[tuple[Box, int]] = [(domain.hull, 0)]
    for _ in range(_MOST_BOXES):
        if not waiting:
            break
        box, turn = waiting.pop()
        found = _sign(polynomial, box)
        if found:
            if wanted == -found:
                return 0
            wanted = found
            continue
        i = axes[turn % len(axes)]
        lo, hi = box[i]
        at = (lo + hi) / 2
        waiting += [((*box[:i], side, *box[i + 1 :]), turn + 1) for side in ((lo, at), (at, hi))]
    return 0 if waiting else wanted


def _sign(polynomial: Any, box: Box) -> int:
    try:
        found = coefficients([polynomial], box)
    except NumberError:
        return 0
    return 1 if (found >= 0).all() else -1 if (found <= 0).all() else 0
