"""The digest of a model with its secrets at every step, of no horizon. [T18]"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from .alone import is_every
from .family import Family, FamilyPair
from .gate import Gate
from .model import Distribution
from .number import exact


def digest_of_gates(family: Family, pairs: Sequence[FamilyPair | Gate]) -> str:
    """The digest of a model with its secrets at every step, and its other pairs with their numbers."""

    def row(entries: Distribution, names: tuple[str, ...]) -> list[list[str]]:
        return [[names[i], exact(n, entries.denominator)] for i, n in entries.entries]

    def rows(table: Sequence[object], names: tuple[str, ...]) -> list[list[object]]:
        return [
            [state, row(entries, names)]
            for state, entries in zip(family.states, table, strict=True)
            if isinstance(entries, Distribution)
        ]

    def belief(name: str, number: int) -> list[object]:
        found = family.beliefs[number]
        return [name, row(found, family.states) if isinstance(found, Distribution) else []]

    every: list[list[object]] = []
    others: list[list[object]] = []
    for number, pair in enumerate(pairs):
        if isinstance(pair, FamilyPair):
            sides = *belief(pair.left_name, pair.left), *belief(pair.right_name, pair.right)
            others.append([number, *sides, pair.one_way])
            continue
        states = ([family.states[i] for i in side] for side in (pair.left, pair.right))
        gate = [*belief(pair.start_name, pair.start), *states, pair.one_way]
        if is_every(pair):
            every.append(gate)
        else:
            others.append([number, *gate, pair.at])
    content = {
        "symbols": family.symbols,
        "emit": rows(family.emit, family.symbols),
        "step": rows(family.step, family.states),
        "every": every,
        **({"others": others} if others else {}),
    }
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()
