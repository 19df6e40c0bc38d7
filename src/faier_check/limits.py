"""How much work a certificate may ask for: one that would take for ever is refused with a reason."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field

from .errors import CertificateError


def processors() -> int:
    """How many processes may work: FAIER_JOBS, or as many as this one may use processors; 1 where that is not known."""
    text = os.environ.get("FAIER_JOBS", "").strip()
    if text.isascii() and text.isdigit() and 1 <= int(text) <= 1024:
        return int(text)
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


@dataclass(frozen=True)
class Limits:
    """`operations` counts multiplications and comparisons of short numbers, roughly ten million a second.

    Each of `jobs` processes may use the memory; the operations are those of all together.
    """

    operations: int = 3_000_000_000
    file_bytes: int = 1 << 26
    memory_bytes: int = 1 << 28
    jobs: int = field(default_factory=processors)


DEFAULT = Limits()


class Meter:
    """Counts work and stops it at the limit."""

    def __init__(self, limits: Limits = DEFAULT):
        self.limits = limits
        self.left = limits.operations

    def spend(self, operations: int) -> None:
        self.left -= operations
        if self.left < 0:
            raise CertificateError(
                f"checking takes more than {self.limits.operations} operations; see --operations"
            )
