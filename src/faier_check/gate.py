"""Secrets inside a run: `from` and `at` of a pair, and the model with copies that they are compiled to. [T13]

docs/certificates.md says what the model is, states and orders included. A certificate is about that model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from .errors import CertificateError, ModelFileError
from .family import Family, FamilyPair, Weights
from .limits import Meter
from .model import Distribution
from .quotient import Number
from .rows import row_of

_Column = dict[int, Number]
"""From each state where it is not 0 the probability of passing a gate."""
_FURTHEST = 100_000
_MOST_STEPS = 10_000
EVERY = 0
"""The step of a gate that is asked about at every step."""


@dataclass(frozen=True)
class Gate:
    """From a belief, by number: the state that emits symbol `at` is among `left`, or among `right`."""

    start_name: str
    start: int
    at: int
    left: tuple[int, ...]
    right: tuple[int, ...]
    one_way: bool


def read_gate(
    entry: Mapping[str, object], start_name: str, start: int, one_way: bool, index: Mapping[str, int], place: str
) -> Gate:
    """Read a pair that has `at`; its belief has been looked up."""
    at = entry.get("at")
    if at == "every":
        at = EVERY
    elif isinstance(at, bool) or not isinstance(at, int) or not 1 <= at <= _FURTHEST:
        raise ModelFileError(f'a number from 1 to {_FURTHEST}, or "every", is expected here', f"{place}.at")
    sides: list[tuple[int, ...]] = []
    for side in ("left", "right"):
        names = entry.get(side)
        if not isinstance(names, list) or not names:
            raise ModelFileError("a list of states is expected here", f"{place}.{side}")
        for name in names:
            if not isinstance(name, str) or name not in index:
                raise ModelFileError("unknown state", f"{place}.{side}")
        sides.append(tuple(dict.fromkeys(index[name] for name in names)))
    return Gate(start_name, start, at, sides[0], sides[1], one_way)


def gated(
    family: Family, pairs: Sequence[FamilyPair | Gate], meter: Meter, horizon: Callable[[], int | None]
) -> Family:
    """The model with copies of its states for runs that pass, and pairs of beliefs over them.

    `horizon` is asked for where a gate stands at every step: it then stands at each from 1 to the horizon.
    """
    pairs = _spelled_out(pairs, horizon)
    gates: dict[frozenset[int], int] = {}
    for pair in pairs:
        if isinstance(pair, Gate):
            for states in (pair.left, pair.right):
                gate = frozenset(states)
                gates[gate] = max(pair.at, gates.get(gate, 1))
    steps = [[] if row is None else entries(row) for row in family.step]
    columns = {gate: _columns(steps, gate, at - 1, meter) for gate, at in gates.items()}
    copies: dict[tuple[frozenset[int], int, int], int] = {}
    names = list(family.states)
    for k, (gate, found) in enumerate(columns.items()):
        for before in range(1, len(found)):
            for i in sorted(found[before]):
                copies[gate, before, i] = len(names)
                names.append(f"{k}:{before}:{family.states[i]}")
    if len(set(names)) < len(names):
        raise ModelFileError("states are named like copies of one another", "model.emit")
    emit, step = list(family.emit), list(family.step)
    for gate, before, i in copies:
        after, own = columns[gate][before - 1], columns[gate][before][i]
        place = {j: j if before == 1 else copies[gate, before - 1, j] for j in after}
        emit.append(family.emit[i])
        row = [(place[j], _reduced(p * after[j] / own)) for j, p in steps[i] if j in after]
        step.append(row_of([(j, p) for j, p in row if p != 0], f"model.step.{family.states[i]}, given the gate"))
    beliefs: list[Distribution | Weights] = []
    written = list(family.written)
    places: dict[int, int] = {}
    compiled: list[FamilyPair] = []

    def compared(belief: int) -> int:
        # Only beliefs that are compared belong to the model: others may have parameters that it does not depend on.
        if belief not in places:
            places[belief] = len(beliefs)
            beliefs.append(family.beliefs[belief])
        return places[belief]

    for pair in pairs:
        if isinstance(pair, FamilyPair):
            compiled.append(replace(pair, left=compared(pair.left), right=compared(pair.right)))
            continue
        starts: list[tuple[str, Distribution | Weights]] = []
        for states in (pair.left, pair.right):
            gate = frozenset(states)
            passing = _passing(entries(family.beliefs[pair.start]), columns[gate][pair.at - 1])
            if passing is None:
                break
            which = " or ".join(family.states[i] for i in states)
            placed = [(i if pair.at == 1 else copies[gate, pair.at - 1, i], p) for i, p in passing]
            starts.append((f"{pair.start_name}, {which} at {pair.at}", row_of(placed, "a compared belief")))
        else:
            written.append(family.beliefs[pair.start])
            (left_name, left), (right_name, right) = starts
            compiled.append(FamilyPair(left_name, right_name, pair.one_way, len(beliefs), len(beliefs) + 1))
            beliefs += [left, right]
    if not compiled:
        raise ModelFileError("no run passes a gate, so nothing is compared", "compare")
    return Family(
        family.unknowns,
        family.symbols,
        tuple(names),
        tuple(emit),
        tuple(step),
        tuple(beliefs),
        tuple(compiled),
        tuple(written),
    )


def _spelled_out(
    pairs: Sequence[FamilyPair | Gate], horizon: Callable[[], int | None]
) -> Sequence[FamilyPair | Gate]:
    if not any(isinstance(pair, Gate) and pair.at == EVERY for pair in pairs):
        return pairs
    last = horizon()
    if last is None or last > _MOST_STEPS:
        raise CertificateError(
            f"a secret at every step is checked at a finite horizon of at most {_MOST_STEPS}", rule="model"
        )
    found: list[FamilyPair | Gate] = []
    for pair in pairs:
        if isinstance(pair, Gate) and pair.at == EVERY:
            found += [replace(pair, at=step) for step in range(1, last + 1)]
        else:
            found.append(pair)
    return found


def entries(row: Distribution | Weights) -> list[tuple[int, Number]]:
    """The numbers of a row."""
    if isinstance(row, Distribution):
        return [(i, Fraction(n, row.denominator)) for i, n in row.entries]
    return list(row)


def _columns(
    steps: Sequence[Sequence[tuple[int, Number]]], gate: frozenset[int], count: int, meter: Meter
) -> list[_Column]:
    """The probability to be in the gate after 0, 1, ..., count steps, from each state where it is not 0."""
    found: list[_Column] = [dict.fromkeys(gate, Fraction(1))]
    for _ in range(count):
        after, column = found[-1], {}
        for i, row in enumerate(steps):
            meter.spend(10 * len(row) + 1)
            total: Number = Fraction(0)
            for j, p in row:
                if j in after:
                    total = total + p * after[j]
            if total != 0:
                column[i] = _reduced(total)
        found.append(column)
    return found


def _passing(belief: Sequence[tuple[int, Number]], column: _Column) -> list[tuple[int, Number]] | None:
    """The belief given that the gate is passed; None where it never is."""
    found = [(i, p * column[i]) for i, p in belief if i in column]
    total: Number = Fraction(0)
    for _, p in found:
        total = total + p
    if total == 0:
        return None
    return [(i, _reduced(p / total)) for i, p in found if p != 0]


def _reduced(value: Number) -> Number:
    return value if isinstance(value, Fraction) else value.reduced()
