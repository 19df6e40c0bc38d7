"""How much work a certificate may ask for: one that would take for ever is refused with a reason."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import CertificateError


@dataclass(frozen=True)
class Limits:
    """`operations` counts multiplications and comparisons of short numbers, roughly ten million a second."""

    operations: int = 3_000_000_000
    file_bytes: int = 1 << 26
    memory_bytes: int = 1 << 28


DEFAULT = Limits()


class Meter:
    """Counts work and stops it at the limit."""

    def __init__(self, limits: Limits = DEFAULT):
        self.limits = limits
        self._left = limits.operations

    def spend(self, operations: int) -> None:
        self._left -= operations
        if self._left < 0:
            raise CertificateError(
                f"checking takes more than {self.limits.operations} operations; see --operations"
            )
