"""Float rows of many nodes of one search, with the error bound that makes their comparisons proofs. [T6]"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from faier.comparison import Automaton, Bools, Floats, Ints

HALF_ULP = 2.0**-53
_SMALLEST_ROW_ENTRY = 2.0**-500
_SMALLEST_MODEL_ENTRY = 2.0**-200
# Where the model's probabilities are larger than this, rows may have smaller entries than elsewhere.
_LARGE_MODEL_ENTRY = 2.0**-30
_SMALLEST_ENTRY_OF_LARGE = 2.0**-940
_LARGEST_SHIFT = 1000
_SMALLEST_SHIFT = -400

YES, NO, UNDECIDED = 1, -1, 0


@dataclass
class Batch:
    """Rows of several nodes over the same states (`columns`, ascending, `done` last where present).

    True left = left * 2**left_exponent up to the margin of the depth, likewise right. Where `safe`, nothing has
    underflowed since the start, so an entry is 0 exactly where the true one is.
    """

    columns: Ints
    ids: Ints
    depth: Ints
    left: Floats
    right: Floats
    left_exponent: Ints
    right_exponent: Ints
    safe: Bools

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def nbytes(self) -> int:
        return self.left.nbytes + self.right.nbytes

    def pick(self, which: Bools | Ints) -> Batch:
        return Batch(
            self.columns,
            self.ids[which],
            self.depth[which],
            self.left[which],
            self.right[which],
            self.left_exponent[which],
            self.right_exponent[which],
            self.safe[which],
        )

    @staticmethod
    def join(parts: list[Batch]) -> Batch:
        """Rows of several batches over the same columns, in order."""
        if len(parts) == 1:
            return parts[0]
        return Batch(
            parts[0].columns,
            *(
                np.concatenate([getattr(p, name) for p in parts])
                for name in ("ids", "depth", "left", "right", "left_exponent", "right_exponent", "safe")
            ),
        )

    @property
    def shift(self) -> Ints:
        """left/right of true rows is left/right here times 2**shift."""
        return self.left_exponent - self.right_exponent


class Margin:
    """Relative error bounds of float rows, by depth: a row after t letters, or the sum of its entries. [T6]"""

    def __init__(self, automaton: Automaton):
        # A letter costs two roundings of matrix entries, two products and the additions of one sum.
        self._per_letter = automaton.most_terms + 4
        self._terms = automaton.size + 1
        self.usable = automaton.smallest_entry > _SMALLEST_MODEL_ENTRY
        large = automaton.smallest_entry > _LARGE_MODEL_ENTRY
        self.least = _SMALLEST_ENTRY_OF_LARGE if large else _SMALLEST_ROW_ENTRY
        # Where the entries of a row differ by more bits, scaling all of them to floats loses the smallest.
        self.widest = (940 if large else 500) - 20

    def entry(self, depth: Ints) -> Floats:
        """Bound on the relative error of left/right for one entry, doubled to cover the comparison's own roundings."""
        return np.asarray((4.0 * HALF_ULP) * (depth * float(self._per_letter) + 8.0), dtype=np.float64)

    def total(self, depth: Ints) -> Floats:
        """The same for quotients of sums over all entries."""
        return self.entry(depth) + 4.0 * HALF_ULP * self._terms


def normalise(batch: Batch, margin: Margin) -> Ints:
    """Scale every row by powers of two so that its largest entry lies in [1/2, 1), and mark what is not safe.

    Returns how many bits lie between the largest and the smallest entry of either row, at least.
    """
    least = np.ones(len(batch))
    for rows, exponents in ((batch.left, batch.left_exponent), (batch.right, batch.right_exponent)):
        if not rows.size:
            continue
        largest = rows.max(axis=1)
        _, power = np.frexp(largest)
        power = np.where(largest > 0, power, 0)
        np.ldexp(rows, -power[:, None], out=rows)
        exponents += power
        smallest = np.where(rows > 0, rows, 1.0).min(axis=1, initial=1.0)
        batch.safe &= smallest > margin.least
        least = np.minimum(least, smallest)
    if not margin.usable:
        batch.safe[:] = False
    return 1 - np.frexp(least)[1].astype(np.int64)


def split(ratio: Fraction) -> tuple[float, int]:
    """ratio as mantissa * 2**exponent, the mantissa a normal float within one rounding."""
    exponent = ratio.numerator.bit_length() - ratio.denominator.bit_length()
    scaled = ratio / Fraction(2) ** exponent
    return float(scaled), exponent


def bounds(batch: Batch) -> Floats:
    """The mediant bound of each row: the largest left/right over states, as a float (inf where unbounded)."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        quotient = np.where(batch.left > 0, batch.left / batch.right, 0.0)
        worst = quotient.max(axis=1) if batch.left.shape[1] else np.zeros(len(batch))
        return np.where(batch.safe, np.ldexp(worst, np.clip(batch.shift, -5000, 5000)), np.nan)


def quotients(batch: Batch, left: Floats, right: Floats) -> Floats:
    """left/right of one reading per row, as floats; 0/0 is 0, and NaN where floats cannot tell."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        quotient = np.where(left > 0, left / right, 0.0)
        return np.where(batch.safe, np.ldexp(quotient, np.clip(batch.shift, -5000, 5000)), np.nan)


def compare(value: Floats, ratio: Fraction, margin: Floats) -> Ints:
    """For each float quotient: YES where the true one is <= ratio for sure, NO where it is > ratio, else UNDECIDED."""
    result = np.full(value.shape, UNDECIDED, dtype=np.int64)
    if ratio <= 0:
        result[value > 0] = NO
        return result
    mantissa, exponent = split(ratio)
    if not _SMALLEST_SHIFT <= exponent <= _LARGEST_SHIFT:
        return result
    limit = float(np.ldexp(mantissa, exponent))
    with np.errstate(invalid="ignore", over="ignore"):
        result[value * (1 + margin) <= limit] = YES
        result[value > limit * (1 + margin)] = NO
    return result


def rounded(values: Floats) -> Floats:
    """To about ten digits, so that equal ratios stay equal whatever their last bits."""
    with np.errstate(invalid="ignore"):
        mantissa, exponent = np.frexp(values)
        return np.asarray(np.ldexp(np.round(mantissa * 2**34), exponent - 34), dtype=np.float64)
