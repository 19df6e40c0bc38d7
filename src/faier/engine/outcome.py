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

from .tree.batch import Batch, Margin, bounds


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


def bound_above(batch: Batch | None, margin: Margin) -> Extended:
    """A rational no smaller than every mediant bound of the rows; infinite where floats cannot tell."""
    if batch is None:
        return np.inf
    if not len(batch):
        return Fraction(0)
    return highest(bounds(batch), margin.entry(batch.depth))


def highest(bound: Floats, margin: Floats) -> Extended:
    with np.errstate(over="ignore"):
        top = float(np.max(np.nan_to_num(bound * (1 + 2 * margin), nan=np.inf, posinf=np.inf)))
    return Fraction(np.nextafter(top, np.inf)) if top < np.inf else np.inf
