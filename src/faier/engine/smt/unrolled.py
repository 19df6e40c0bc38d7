"""What an encoding hands over, and the names that all encodings share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from .backend import Feature

Tick: TypeAlias = Callable[[], None]
"""Called once for each place of the word; raises where the time is up."""


@dataclass(frozen=True)
class Unrolled:
    """The model unrolled: `left` and `right` are the terms for the two probabilities of the word."""

    logic: str
    needs: Feature
    commands: tuple[str, ...]
    left: str
    right: str
    letters: tuple[str, ...]
    """The variables that make up the word: `w<t>` with the symbol as its value, or Bools `w<t>_<symbol>`."""


def pair_name(index: int) -> str:
    return f"pair{index}"
