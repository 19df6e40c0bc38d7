"""The measurements of `bench.sparse`, printed as JSON: `python -m bench.sparse_child PART STATES REPEATS`."""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

import faier
from faier.api import Engine
from faier.comparison import Automaton, Comparison, Floats
from faier.model.hmm import HMM
from faier.scenario.scenario import Scenario
from faier.verdict import Holds

from . import models
from .row import FLOOR, Row, expect
from .timing import best, once

SUCCESSORS, SYMBOLS, LENGTH, HORIZON = 5, 4, 20, 5
FAMILY = "sparse models, by states"


def main(part: str, states: int, repeats: int) -> None:
    before = peak()
    model, time = once(lambda: models.sparse(states, SUCCESSORS, SYMBOLS, seed=1))
    held = size(model)
    scenario = Scenario.of(model, [("0", "1")], horizon=HORIZON)
    if part == "forward":
        note = f"tables of {mib(held)}, {above_start(before, held)}"
        rows = [Row(f"build, {states} states", "", time, note=note).at(FAMILY, states, "faier, building the model")]
        rows += forward(Comparison(scenario).automaton, repeats)
    else:
        rows = [verification(scenario, "tree" if part == "tree" else "auto", held, before)]
    print(json.dumps([record(row) for row in rows]))


def forward(automaton: Automaton, repeats: int) -> list[Row]:
    word = np.random.default_rng(2).integers(0, SYMBOLS, size=LENGTH).tolist()
    start = np.full(automaton.size + 1, 1.0 / automaton.size)
    start[-1] = 0.0
    automaton.forward(start, word[:1])
    after, time = best(lambda: automaton.forward(start, word), repeats, patience=60)
    matrix = automaton.step
    square = csr_array(matrix[:, : automaton.size])
    turned = csr_array(square.T)
    _, bare = best(lambda: products(start[:-1], square, LENGTH), repeats, patience=60)
    _, least = best(lambda: transposed(start[:-1], turned, LENGTH), repeats, patience=60)
    answer = f"probability {after.sum():.4g}"
    what = f"forward pass over a word of {LENGTH} symbols, {automaton.size} states"
    beside = f"{LENGTH} bare scipy products, row @ matrix"
    return [
        Row(what, answer, time, beside, bare).at(FAMILY, automaton.size, "faier, forward pass"),
        Row(f"{beside}, {automaton.size} states", answer, bare).at(FAMILY, automaton.size, FLOOR + "scipy products"),
        Row(what, answer, time, f"{LENGTH} bare scipy products, transposed matrix @ column", least),
    ]


def products(row: Floats, matrix: csr_array, count: int) -> Floats:
    for _ in range(count):
        row = np.asarray(row @ matrix)
    return row


def transposed(column: Floats, matrix: csr_array, count: int) -> Floats:
    for _ in range(count):
        column = np.asarray(matrix @ column)
    return column


def verification(scenario: Scenario, engine: Engine, held: int, before: int) -> Row:
    """A symbol has a probability between 500/3500 and 1000/2500, so a ratio of 3 a symbol holds."""
    claim = scenario.claiming(ratio=3**HORIZON)
    verdict, time = once(lambda: faier.verify(claim, engine=engine))
    expect(isinstance(verdict, Holds), str(verdict))
    size = len(scenario.model.states)
    what = f"verify at horizon {HORIZON}, two of {size} start states, --engine {engine}"
    row = Row(what, "holds", time, note=f"{above_start(before, held)}, building the model included")
    return row.at(FAMILY, size, "faier.verify") if engine == "tree" else row


def above_start(before: int, held: int) -> str:
    above = peak() - before
    return f"peak {mib(above)} above start, {above / held:.1f} times the tables"


def peak() -> int:
    """The most memory this process has held so far, in bytes."""
    status = Path("/proc/self/status")
    if status.exists():
        # Linux hands ru_maxrss down from the process that started this one; the high water mark here is its own.
        return next(int(s.split()[1]) for s in status.read_text().splitlines() if s.startswith("VmHWM")) * 1024
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used * 1024


def size(model: HMM) -> int:
    """What the tables hold: one integer for each index and each numerator, two for each row."""
    return sum(8 * (2 * t.stored + 2 * t.rows) for t in (model.emit, model.step))


def mib(count: int) -> str:
    return f"{count / (1 << 20):.0f} MiB"


def record(row: Row) -> dict[str, object]:
    beside = row.beside_time
    return {
        "what": row.what, "answer": row.answer, "time": [row.time.wall, row.time.process], "beside": row.beside,
        "beside_time": None if beside is None else [beside.wall, beside.process], "note": row.note,
        "family": row.family, "size": row.size, "series": row.series,
    }


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
