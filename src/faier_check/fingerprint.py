"""Numbers with parameters as they enter the digest: their values at one point, in a finite field.

Equal functions have equal fingerprints, however they are written; different ones differ, but for a coincidence
as unlikely as one of SHA-256. The digest says which model a certificate is about. Nothing is proved with it.
"""

from __future__ import annotations

import hashlib

from .domain import derive
from .polynomial import Poly, exponent, occurring
from .quotient import Number, parts
from .unknowns import Unknowns

ORDER = 2**255 - 18_057
"""A prime."""
MODULUS = 2 * ORDER + 1
"""A prime as well, so that the squares modulo it can be raised to any fraction whose denominator is below `ORDER`."""
BASE = 4
"""Stands for e."""


class Fingerprints:
    """Values where each parameter has a value made from its name, but for those that an equation determines."""

    def __init__(self, unknowns: Unknowns):
        scope = unknowns.scope
        domain = derive(unknowns, sticks=False)
        self._values = {
            i: _residue(scope.names[i]) for i in range(len(scope.names)) if i not in domain.images
        }
        root = pow(scope.fineness, -1, ORDER)
        self._values[scope.x] = pow(BASE, root, MODULUS)
        for i, (p, scale) in domain.images.items():
            self._values[i] = self._at(p) * pow(scale, -1, MODULUS) % MODULUS

    def of(self, value: Number) -> str:
        """64 hexadecimal digits, or "pole"."""
        top, bottom = parts(value)
        under = self._at(bottom)
        return f"{self._at(top) * pow(under, -1, MODULUS) % MODULUS:064x}" if under else "pole"

    def _at(self, p: Poly) -> int:
        used = occurring(p)
        total = 0
        for monomial, c in p.items():
            for i in used:
                c = c * pow(self._values[i], exponent(monomial, i), MODULUS) % MODULUS
            total += c
        return total % MODULUS


def _residue(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode("utf-8")).digest(), "big") % MODULUS
