"""Runs read backwards from a state: what the symbols before it say about it. [T18]"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import flint

from faier.errors import ModelError

from .hmm import HMM
from .names import label
from .table import Table

Row = dict[int, Fraction]


@dataclass(frozen=True)
class Backward:
    """`model` reads the symbols before a step from the last to the first; `start[i]` is its row where the state is i.

    Guarantee: from that row a word has the probability, given that the state at the step is i, of being what was read
    before it, the other way round.
    """

    model: HMM
    start: Mapping[int, Mapping[Hashable, Fraction]]


def is_stationary(model: HMM, start: Row) -> bool:
    """Whether the state has this distribution at every step; then no run ends."""
    return after(model, start) == start


def after(model: HMM, row: Row) -> Row:
    """The distribution one step later, without what has ended."""
    found: Row = {}
    for i, weight in row.items():
        for j, p in model.step.row(i).items():
            assert isinstance(p, Fraction)
            found[j] = found.get(j, Fraction(0)) + weight * p
    return found


def stationary(model: HMM, among: Sequence[int]) -> Row | None:
    """The stationary distribution of a closed set of states from each of which each can be reached; None if it is not.

    Then it is the only one, and positive.
    """
    if not _communicate(model, among):
        return None
    places = {i: n for n, i in enumerate(among)}
    size = len(among)
    # One of the equations x = x step follows from the others; that the entries sum to 1 takes its place.
    system = [[Fraction(0)] * size for _ in range(size)]
    for i in among:
        for j, p in model.step.row(i).items():
            assert isinstance(p, Fraction)
            system[places[j]][places[i]] += p
        system[places[i]][places[i]] -= 1
    system[-1] = [Fraction(1)] * size
    matrix = flint.fmpq_mat(size, size, [flint.fmpq(v.numerator, v.denominator) for row in system for v in row])
    right = flint.fmpq_mat(size, 1, [flint.fmpq(int(n == size - 1)) for n in range(size)])
    found = matrix.solve(right)
    return {i: Fraction(int(found[n, 0].p), int(found[n, 0].q)) for i, n in places.items()}


def _communicate(model: HMM, among: Sequence[int]) -> bool:
    inside = set(among)
    onward = {i: set(model.step.row(i)) for i in among}
    if not all(after and after <= inside for after in onward.values()):
        return False
    back: dict[int, set[int]] = {i: set() for i in among}
    for i, successors in onward.items():
        for j in successors:
            back[j].add(i)
    for links in (onward, back):
        seen, waiting = {among[0]}, [among[0]]
        while waiting:
            new = links[waiting.pop()] - seen
            seen |= new
            waiting += new
        if seen != inside:
            return False
    return True


def from_any_step(model: HMM, start: Row) -> Backward:
    """Of a stationary start, at once for every step: the words of n symbols are those before step n + 1."""
    places = {i: n for n, i in enumerate(sorted(start))}
    rows = _before(model, start)
    step = [{places[k]: p for k, p in rows[i].items()} for i in places]
    names = [model.states[i] for i in places]
    made = _model(model, names, [model.emit.row(i) for i in places], step, model.symbols)
    return Backward(made, {i: {model.states[k]: p for k, p in rows[i].items()} for i in places})


def from_step(model: HMM, start: Row, at: int) -> Backward:
    """Of step `at` >= 2: states are pairs of a step and a state, and the runs end with that of step 1."""
    return _layers(model, start, at, reveal=False)


def window(model: HMM, start: Row, steps: int) -> Backward:
    """From `start` in so many steps; after the symbols, backwards, the state that the run began in is shown as well."""
    return _layers(model, start, steps + 1, reveal=True)


def shown(name: Hashable) -> str:
    """The symbol that shows a state at the end of a window."""
    return f"began in {label(name)}"


def around(model: HMM, start: Row, before: int, after: int) -> tuple[HMM, dict[tuple[int, int], Hashable]]:
    """What a stationary run shows around a step, with the states where that begins and ends, and the states' names.

    The first symbol shows the state so many steps before; then the run's own symbols follow, and after so many from the
    step on, which has the layer `before`, the last one shows the state that comes then. Names are by layer and state.
    """
    kept, last = sorted(start), before + after
    places = {(d, i): n for n, (d, i) in enumerate((d, i) for d in range(last + 1) for i in kept)}
    symbols = [*model.symbols]
    symbols += [shown(model.states[i]) for i in kept]
    symbols += [f"then in {label(model.states[i])}" for i in kept]
    if len(set(map(label, symbols))) < len(symbols):
        raise ModelError(f"a symbol is named like one that is needed here, such as {symbols[-1]!r}", "model.emit")
    emit: list[Mapping[int, object]] = []
    step: list[Mapping[int, object]] = []
    for d, i in places:
        place = len(model.symbols) + kept.index(i) + (len(kept) if d == last else 0)
        emit.append({place: Fraction(1)} if d in (0, last) else model.emit.row(i))
        step.append({} if d == last else {places[d + 1, j]: p for j, p in model.step.row(i).items()})
    names: list[Hashable] = [f"{d}:{label(model.states[i])}" for d, i in places]
    return _model(model, names, emit, step, symbols), dict(zip(places, names, strict=True))


def _layers(model: HMM, start: Row, at: int, *, reveal: bool) -> Backward:
    rows: list[Row] = [start]
    for _ in range(at - 1):
        rows.append(after(model, rows[-1]))
    places = {(d, i): n for n, (d, i) in enumerate((d, i) for d in range(1, at) for i in sorted(rows[d - 1]))}
    names = [f"{d}:{label(model.states[i])}" for d, i in places]
    emit = [dict(model.emit.row(i)) for _, i in places]
    step: list[Row] = []
    for d in range(1, at):
        before = {} if d == 1 else _before(model, rows[d - 2])
        step += [{places[d - 1, k]: p for k, p in before.get(i, {}).items()} for i in sorted(rows[d - 1])]
    symbols = list(model.symbols)
    if reveal:
        for n, i in enumerate(sorted(start)):
            step[n] = {len(names): Fraction(1)}
            names.append(f"0:{label(model.states[i])}")
            emit.append({len(symbols): Fraction(1)})
            step.append({})
            symbols.append(shown(model.states[i]))
        if len(set(map(label, symbols))) < len(symbols):
            raise ModelError(f"a symbol is named like one that is needed here, such as {symbols[-1]!r}", "model.emit")
    made = _model(model, names, emit, step, symbols)
    last = _before(model, rows[at - 2])
    return Backward(made, {i: {names[places[at - 1, k]]: p for k, p in row.items()} for i, row in last.items()})


def _before(model: HMM, row: Row) -> dict[int, Row]:
    """For each state, where a run was one step earlier if it was distributed like this and is in the state now."""
    found: dict[int, Row] = {}
    for k, weight in sorted(row.items()):
        for i, p in model.step.row(k).items():
            assert isinstance(p, Fraction)
            found.setdefault(i, {})[k] = weight * p
    totals = {i: sum(before.values()) for i, before in found.items()}
    return {i: {k: p / totals[i] for k, p in before.items()} for i, before in found.items()}


def _model(
    model: HMM,
    names: Sequence[Hashable],
    emit: Iterable[Mapping[int, object]],
    step: Iterable[Mapping[int, object]],
    symbols: Sequence[Hashable],
) -> HMM:
    made = HMM.__new__(HMM)
    made._fill(
        tuple(names),
        tuple(symbols),
        Table.from_rows(len(symbols), list(emit)),  # type: ignore[arg-type]
        Table.from_rows(len(names), list(step)),  # type: ignore[arg-type]
        {},
        model.unknowns,
        (),
    )
    return made
