"""By how much an event exceeds a ratio, exact also where the ratio is irrational."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .budget import Budget
from .digits import exact_text

_BITS = 256


@dataclass(frozen=True)
class Mass:
    """left - ratio * right: by how much the probabilities of one event exceed the ratio."""

    left: Fraction
    right: Fraction
    ratio: Budget

    @property
    def exact(self) -> Fraction | None:
        """The value where it is rational, else None."""
        if not self.right:
            return self.left
        return None if self.ratio.exact is None else self.left - self.ratio.exact * self.right

    def exceeds(self, delta: Fraction) -> bool:
        """Whether the value is greater than delta, exactly. [T7]"""
        return self.compare(self.left - delta, self.right) > 0

    def compare(self, left: Fraction, right: Fraction) -> int:
        """The sign of left - ratio * right."""
        if not right:
            return (left > 0) - (left < 0)
        sign = self.ratio.compare(left / right)
        return sign if right > 0 else -sign

    def more_than(self, other: Mass) -> bool:
        """Whether the value is greater than another at the same ratio, exactly."""
        return self.compare(self.left - other.left, self.right - other.right) > 0

    @property
    def below(self) -> Fraction:
        """Guarantee: result <= value; equal where the value is rational, else closer than any float can show."""
        return self.left if not self.right else self.left - self.ratio.above(_BITS) * self.right

    @property
    def above(self) -> Fraction:
        """Guarantee: result >= value; equal where the value is rational, else closer than any float can show."""
        return self.left if not self.right else self.left - self.ratio.below(_BITS) * self.right

    def __str__(self) -> str:
        """The exact value: a fraction, or an expression such as "1/2 - 1/4*exp(7/10)"."""
        if (value := self.exact) is not None:
            return exact_text(value)
        ratio = self.ratio
        right = self.right * ratio.base if ratio.root == 1 else self.right
        parts = [] if right == 1 else [exact_text(right)]
        if ratio.root > 1:
            parts.append(f"({exact_text(ratio.base)})^(1/{ratio.root})")
        if ratio.power:
            parts.append(f"exp({exact_text(ratio.power)})")
        return f"{exact_text(self.left)} - {'*'.join(parts)}"
