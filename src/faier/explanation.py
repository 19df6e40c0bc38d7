"""How an answer was come by, for those who ask: `--explain`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Explanation:
    """What was tried, in order; how many prefixes each rule closed; what would help where something was left open."""

    tried: tuple[str, ...]
    closed: Mapping[str, int]
    helps: tuple[str, ...]
