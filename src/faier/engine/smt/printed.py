"""Algorithm 1 as the paper prints it, and the same with its products pushed into the choice of the symbol."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from faier.number.exact import Prob

from .automaton import Automaton, Row
from .backend import Feature
from .terms import ONE, ZERO, add, asserted, chosen, combination, declared, defined, either, real
from .unrolled import Tick, Unrolled, pair_name

Observe: TypeAlias = Callable[[Sequence[tuple[str, Prob]], Mapping[int, str], Row, str], str]
"""(terms that flow into a state, symbol -> "it is here", the state's emissions, the variable) -> product."""


def literal(automaton: Automaton, horizon: int, tick: Tick) -> Unrolled:
    """Algorithm 1 as printed: products of sums with nested ites that fall through to the variable itself.

    The fall-through branch is never taken, but it makes the query non-linear. Coefficients of 0 and states
    that a side cannot be in are left out; the word's variables are reals, so that the query has one sort.
    """
    return _unroll(automaton, horizon, tick, _as_printed, "QF_NRA", "polynomial real arithmetic")


def pushed(automaton: Automaton, horizon: int, tick: Tick) -> Unrolled:
    """Algorithm 1 with every product inside the ite, which ends with 0: the query is linear."""
    return _unroll(automaton, horizon, tick, _pushed, "QF_LRA", "linear real arithmetic")


def _as_printed(
    parts: Sequence[tuple[str, Prob]], here: Mapping[int, str], emit: Row, variable: str
) -> str:
    select = chosen([(this, real(emit.get(s, Fraction(0)))) for s, this in here.items()], variable)
    return f"(* {combination(parts)} {select})"


def _pushed(parts: Sequence[tuple[str, Prob]], here: Mapping[int, str], emit: Row, variable: str) -> str:
    return chosen([(this, combination(parts, emit[s])) for s, this in here.items() if s in emit], ZERO)


def _unroll(
    automaton: Automaton, horizon: int, tick: Tick, observe: Observe, logic: str, needs: Feature
) -> Unrolled:
    commands: list[str] = []
    padding = automaton.can_pad(horizon)
    left, right = _starts(automaton.lefts), _starts(automaton.rights)
    for t in range(horizon):
        tick()
        word = f"w{t}"
        symbols = range(automaton.pad + 1 if padding and t else automaton.pad)
        here = {s: f"(= {word} {real(s)})" for s in symbols}
        commands += [declared(word, "Real"), asserted(either(list(here.values())))]
        masses: list[dict[int, str]] = []
        for side, flows in (("left", left), ("right", right)):
            names = {i: f"{side}{t}_{i}" for i in flows}
            commands += [
                defined(names[i], "Real", observe(parts, here, automaton.emit[i], word))
                for i, parts in flows.items()
            ]
            masses.append(names)
        left, right = automaton.into(masses[0]), automaton.into(masses[1])
    return Unrolled(
        logic=logic,
        needs=needs,
        commands=tuple(commands),
        left=add(list(masses[0].values())),
        right=add(list(masses[1].values())),
        letters=tuple(f"w{t}" for t in range(horizon)),
    )


def _starts(rows: Sequence[Row]) -> dict[int, list[tuple[str, Prob]]]:
    if len(rows) == 1:
        return {i: [(ONE, weight)] for i, weight in rows[0].items()}
    states = sorted({i for row in rows for i in row})
    starts: dict[int, list[tuple[str, Prob]]] = {}
    for i in states:
        cases = [(pair_name(k), real(row[i])) for k, row in enumerate(rows) if i in row]
        starts[i] = [(chosen(cases, ZERO), Fraction(1))]
    return starts
