"""Random models of several kinds, for questions about words of every length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random

from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.scenario.scenario import Claim, Pair, Scenario

Row = dict[str, Fraction]


def mixing(states: int, seed: int) -> Scenario:
    """Every probability positive."""
    dice = Random(seed)
    names = _names(states)
    return _asked(HMM({s: _row(dice, "abc") for s in names}, {s: _row(dice, names) for s in names}), "s0", "s1")


def periodic(states: int, seed: int) -> Scenario:
    """States in two rooms, left in turn; every symbol possible."""
    dice = Random(seed)
    names = _names(states)
    rooms = names[::2], names[1::2]
    step = {s: _row(dice, rooms[(i + 1) % 2]) for i, s in enumerate(names)}
    return _asked(HMM({s: _row(dice, "abc") for s in names}, step), "s0", f"s{2 if states > 2 else 0}")


def reducible(states: int, seed: int) -> Scenario:
    """States in a row of rooms, left and never entered again; a start may be in any."""
    dice = Random(seed)
    names = _names(states)
    step = {s: _row(dice, names[i - i % 2 :]) for i, s in enumerate(names)}
    return _asked(HMM({s: _row(dice, "abc") for s in names}, step), "s0", "s1")


def absorbing(states: int, seed: int) -> Scenario:
    """Runs end, sooner or later, in some of the states."""
    dice = Random(seed)
    names = _names(states)
    ends = {s for s in names[2:] if dice.random() < 0.3} | {names[-1]}
    step = {s: _row(dice, names) for s in names if s not in ends}
    return _asked(HMM({s: _row(dice, "abc") for s in names}, step), "s0", "s1")


def hidden(states: int, seed: int) -> Scenario:
    """One process on both sides, of which the right side chooses the next state one step early: no common states."""
    dice = Random(seed)
    names = _names(states)
    emit = {s: _row(dice, "abc") for s in names}
    step = {s: _row(dice, names) for s in names}
    ahead = {f"{s}>{t}": {f"{t}>{u}": p for u, p in step[t].items()} for s in names for t in names}
    model = HMM(emit | {name: emit[name.partition(">")[0]] for name in ahead}, step | ahead)
    right = Belief.of("right", {f"s1>{t}": p for t, p in step["s1"].items()}, model)
    return Scenario(model, (Pair(Belief.at("s0"), right),), Claim(horizon="any"))


def sparse(states: int, seed: int, zeros: float) -> Scenario:
    """A share of all steps is impossible; every symbol is possible in every state."""
    dice = Random(seed)
    names = _names(states)
    step = {s: _row(dice, names, zeros) for s in names}
    return _asked(HMM({s: _row(dice, "abc") for s in names}, step), "s0", "s1")


def silent(states: int, seed: int) -> Scenario:
    """Two fifths of all probabilities are 0, those of symbols too; words count that are possible on both sides."""
    dice = Random(seed)
    names = _names(states)
    step = {s: _row(dice, names, 0.4) for s in names}
    asked = _asked(HMM({s: _row(dice, "abc", 0.4) for s in names}, step), "s0", "s1")
    return replace(asked, claim=replace(asked.claim, possible="both"))


KINDS: dict[str, Callable[[int, int], Scenario]] = {
    "mixing": mixing,
    "periodic": periodic,
    "reducible": reducible,
    "absorbing": absorbing,
    "hidden": hidden,
    "sparse (20 % zeros)": partial(sparse, zeros=0.2),
    "sparse (40 % zeros)": partial(sparse, zeros=0.4),
    "sparse (60 % zeros)": partial(sparse, zeros=0.6),
    "silent": silent,
}
"""By the name of a kind: the model of so many states with this seed."""


def _names(states: int) -> list[str]:
    return [f"s{i}" for i in range(states)]


def _row(dice: Random, names: str | list[str], zeros: float = 0.0) -> Row:
    weights = [0 if dice.random() < zeros else dice.randint(1, 20) for _ in names]
    if not any(weights):
        weights[dice.randrange(len(names))] = 1
    return {n: Fraction(w, sum(weights)) for n, w in zip(names, weights, strict=True) if w}


def _asked(model: HMM, left: str, right: str) -> Scenario:
    return Scenario(model, (Pair(Belief.at(left), Belief.at(right)),), Claim(horizon="any"))
