"""What a tree search ends with."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from faier.comparison import Floats
from faier.engine.progress import Stopped as Stopped
from faier.engine.words import Found
from faier.families import Divergence, WordsLimit
from faier.number.exact import Extended
from faier.trace import Trace


@dataclass(frozen=True)
class Outcome:
    """lower <= tight ratio <= upper; `found` is a counted word of ratio `lower`; `reason` says what stopped it.

    Where `limit` is given, words come as close to `lower` as one likes, and `found` is the worst met; where
    `diverges` is given, both bounds are infinite.
    """

    lower: Extended
    upper: Extended
    found: Found | None
    trace: Trace | None
    reason: str | None = None
    diverges: Divergence | None = None
    limit: WordsLimit | None = None


def highest(bound: Floats, margin: Floats) -> Extended:
    """A rational no smaller than any of the numbers that these floats stand for; infinite where floats cannot tell."""
    with np.errstate(over="ignore"):
        top = float(np.max(np.nan_to_num(bound * (1 + 2 * margin), nan=np.inf, posinf=np.inf)))
    return Fraction(np.nextafter(top, np.inf)) if top < np.inf else np.inf
