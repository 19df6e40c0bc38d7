"""When engines look at classes of states instead of states. [T14]"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from faier.model.hmm import HMM
from faier.model.lump import Classes
from faier.scenario.lumping import lump
from faier.scenario.scenario import Scenario

_LARGE_MODEL = 50_000


@dataclass(frozen=True)
class Smaller:
    """A scenario that asks the same, and the class of each state of the one that was asked about, where it differs."""

    scenario: Scenario
    classes: Classes | None


def smaller(scenario: Scenario) -> Smaller:
    """The scenario lumped, where that takes little time and makes a difference; with all its names."""
    model = scenario.model
    if not model.step.stored or not 1 < len(model.states) <= _LARGE_MODEL or not _some_emit_alike(model):
        return Smaller(scenario, None)
    found, classes = lump(scenario)
    return Smaller(found, None) if found is scenario else Smaller(found, classes)


def _some_emit_alike(model: HMM) -> bool:
    """Whether two states may emit alike, as far as floats can tell: equal numbers have equal floats."""
    table = model.emit
    keys = set()
    start, columns, values = table.indptr.tolist(), table.indices, table.floats
    for i in range(table.rows):
        span = slice(start[i], start[i + 1])
        key = columns[span].tobytes(), np.ascontiguousarray(values[span]).tobytes()
        if key in keys:
            return True
        keys.add(key)
    return False
