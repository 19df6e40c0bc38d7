"""The encoding for linear arithmetic: no product of two unknowns, no variable that is always 0."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from faier.number.exact import Prob

from .automaton import Automaton, Flows, Row
from .terms import ONE, ZERO, add, asserted, combination, declared, exactly_one, real
from .unrolled import Tick, Unrolled, pair_name

_NEVER = Fraction(0)


def encode(automaton: Automaton, horizon: int, tick: Tick) -> Unrolled:
    """Unroll the model `horizon` times.

    A Bool `w<t>_<s>` says that the word has symbol s at place t; exactly one holds at each place. A Real
    `left<t>_<i>` is the probability, on the left, of the word up to place t and of emitting its symbol t in
    state i: for each symbol an implication says which linear combination of the variables one place earlier
    it is. Only states that a side can be in have variables, and only symbols that a side can show.
    """
    commands: list[str] = []
    words: list[str] = []
    left = _starts("left", automaton.lefts, commands)
    right = _starts("right", automaton.rights, commands)
    padded = False
    for t in range(horizon):
        tick()
        shown = sorted({s for flows in (left, right) for i in flows for s in automaton.emit[i]})
        letters = {s: f"w{t}_{s}" for s in shown}
        words += letters.values()
        commands += [declared(name, "Bool") for name in letters.values()]
        commands += map(asserted, exactly_one(list(letters.values())))
        if padded:
            commands.append(asserted(f"(=> w{t - 1}_{automaton.pad} w{t}_{automaton.pad})"))
        padded = automaton.pad in letters
        left_masses = _place(f"left{t}", left, letters, automaton, commands)
        right_masses = _place(f"right{t}", right, letters, automaton, commands)
        left, right = automaton.into(left_masses), automaton.into(right_masses)
    return Unrolled(
        logic="QF_LRA",
        needs="linear real arithmetic",
        commands=tuple(commands),
        left=add(list(left_masses.values())),
        right=add(list(right_masses.values())),
        letters=tuple(words),
    )


def _place(
    prefix: str, flows: Flows, letters: dict[int, str], automaton: Automaton, commands: list[str]
) -> dict[int, str]:
    """Declare one side's variables at one place; return their names by state."""
    masses: dict[int, str] = {}
    for i, parts in flows.items():
        masses[i] = name = f"{prefix}_{i}"
        commands.append(declared(name, "Real"))
        # Implied by the rest, but solvers do not see it, and are many times faster when told.
        commands.append(asserted(f"(>= {name} {ZERO})"))
        commands += [
            asserted(f"(=> {letter} (= {name} {combination(parts, automaton.emit[i].get(s, _NEVER))}))")
            for s, letter in letters.items()
        ]
    return masses


def _starts(side: str, rows: Sequence[Row], commands: list[str]) -> dict[int, list[tuple[str, Prob]]]:
    """The initial row: constants where there is one pair, else variables that depend on the chosen pair."""
    if len(rows) == 1:
        return {i: [(ONE, weight)] for i, weight in rows[0].items()}
    starts: dict[int, list[tuple[str, Prob]]] = {}
    for i in sorted({i for row in rows for i in row}):
        name = f"{side}_start_{i}"
        commands.append(declared(name, "Real"))
        commands += [
            asserted(f"(=> {pair_name(k)} (= {name} {real(row.get(i, _NEVER))}))")
            for k, row in enumerate(rows)
        ]
        starts[i] = [(name, Fraction(1))]
    return starts
