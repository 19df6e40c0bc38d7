"""Ten thousand questions about words of every length, the same every time: one for each seed, of ten kinds in turn.

The kinds are made so that each rule of the proofs at `any` has its work: dominance, subsumption, simulations both ways,
combinations, loops that grow without end and suprema that no word reaches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from random import Random

from faier.errors import ModelError
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.stream import Stream
from faier.scenario.scenario import Claim, Pair, Scenario
from faier.scenario.written import Gate

Row = dict[str, Fraction]


def question(seed: int) -> Scenario:
    """A question at `any` without a budget."""
    return list(KINDS.values())[seed % len(KINDS)](Random(seed))


def kind(seed: int) -> str:
    return list(KINDS)[seed % len(KINDS)]


def mixing(dice: Random) -> Scenario:
    """Every probability positive: bounds close in from both sides."""
    names = _names(dice.randint(2, 4))
    step = {s: row(dice, names) for s in names}
    return _between(dice, HMM(emit={s: row(dice, _symbols(dice, 2)) for s in names}, step=step))


def zeros(dice: Random) -> Scenario:
    """Zeros anywhere, and states that end the run; words that only one side can say."""
    names = _names(dice.randint(2, 5))
    symbols, share = _symbols(dice), dice.choice((0.2, 0.4, 0.6))
    model = HMM(
        emit={s: row(dice, symbols, share) for s in names},
        step={s: row(dice, names, share) for s in names if dice.random() > 0.15},
    )
    return _between(dice, model)


def rooms(dice: Random) -> Scenario:
    """Rooms of one or two states, left and never entered again; equal symbols in some."""
    names = _names(dice.randint(2, 5))
    symbols, size = _symbols(dice, 2), dice.choice((1, 2))
    shared = row(dice, symbols)
    emit = {s: shared if dice.random() < 0.2 else row(dice, symbols) for s in names}
    step = {s: row(dice, names[i - i % size :], 0.2) for i, s in enumerate(names)}
    return _between(dice, HMM(emit=emit, step=step))


def periodic(dice: Random) -> Scenario:
    """Two rooms, left in turn: a start in either, so that supports may differ for ever."""
    names = _names(dice.randint(2, 5))
    symbols = _symbols(dice, 2)
    step = {s: row(dice, names[(i + 1) % 2 :: 2]) for i, s in enumerate(names)}
    return _between(dice, HMM(emit={s: row(dice, symbols) for s in names}, step=step))


def early(dice: Random) -> Scenario:
    """One process, whose right side chooses its next state one step early; sometimes it emits a little otherwise."""
    names = _names(dice.randint(2, 3))
    symbols, share = _symbols(dice, 2)[:2], dice.choice((0.0, 0.2))
    emit = {s: row(dice, symbols, share) for s in names}
    step = {s: row(dice, names, share) for s in names}
    ahead = {s: {f"{s}>{t}": p for t, p in step[s].items()} for s in names}
    after = emit
    if dice.random() < 0.5:
        other = row(dice, symbols)
        after = {s: _mixed(emit[s], other, Fraction(1, dice.choice((5, 20)))) for s in names}
    for s in names:
        emit |= dict.fromkeys(ahead[s], after[s])
    step |= {name: ahead[name.partition(">")[2]] for s in names for name in ahead[s]}
    model = HMM(emit=emit, step=step)
    right = Belief.of("right", ahead[dice.choice(names)], model)
    return Scenario(model, (Pair(Belief.at(dice.choice(names)), right),), _claim(dice))


def copied(dice: Random) -> Scenario:
    """A process, and a copy of each state that says almost the same and is left for good, sooner or later."""
    names = _names(dice.randint(2, 3))
    symbols, leaves = _symbols(dice, 2)[:2], dice.choice((Fraction(1, 2), Fraction(1, 5)))
    emit, step = {s: row(dice, symbols) for s in names}, {s: row(dice, names) for s in names}
    for s in names:
        emit[f"{s}'"] = _mixed(emit[s], row(dice, symbols), Fraction(1, 10))
        step[f"{s}'"] = _mixed({f"{t}'": p for t, p in step[s].items()}, row(dice, names), leaves)
    sides = [Belief.at(dice.choice(names)), Belief.at(f"{dice.choice(names)}'")]
    dice.shuffle(sides)
    return Scenario(HMM(emit=emit, step=step), (Pair(*sides, one_way=dice.random() < 0.3),), _claim(dice))


def permanent(dice: Random) -> Scenario:
    """A hidden choice that is made once and reported for ever, or nearly so: limits of loops, and divergence."""
    names = _names(dice.randint(2, 4))
    symbols = _symbols(dice, 2)
    stay = dice.choice((Fraction(1), Fraction(1), Fraction(3, 4)))
    step = {s: _mixed({s: Fraction(1)}, row(dice, names), 1 - stay) for s in names}
    model = HMM(emit={s: row(dice, symbols, 0.1) for s in names}, step=step)
    left, right = (Belief.of(name, row(dice, names, 0.2), model) for name in ("left", "right"))
    return Scenario(model, (Pair(left, right),), _claim(dice), {"left": left, "right": right})


def slow(dice: Random) -> Scenario:
    """Rooms of one state with few different factors: ratios that grow like a polynomial, or exponentially, or not."""
    names = _names(dice.randint(2, 4))
    factors = [Fraction(1, 2), Fraction(1, 2), Fraction(1, 3)]
    emit, step = {}, {}
    for i, s in enumerate(names):
        stay = dice.choice(factors)
        onward = row(dice, names[i + 1 :], 0.3) if names[i + 1 :] else {}
        step[s] = {s: stay} | {t: (1 - stay) * p for t, p in onward.items()} if onward else {s: Fraction(1)}
        said = dice.choice((Fraction(1), Fraction(1, 2)))
        emit[s] = {"a": said, "b": 1 - said} if said != 1 else {"a": said}
    return _between(dice, HMM(emit=emit, step=step))


def stream(dice: Random) -> Scenario:
    """A mechanism with memory that is asked two adjacent questions again and again."""
    memories = _names(dice.randint(1, 3))
    symbols = _symbols(dice)[:2]
    goes_on = dice.choice((0.7, 1.0))
    places = [(s, m) for s in symbols for m in memories] + [(s,) for s in symbols if dice.random() > goes_on]
    on = {}
    for asked in ("0", "1"):
        on[asked] = {}
        for memory in memories:
            drawn = row(dice, [str(i) for i in range(len(places))], 0.15)
            on[asked][memory] = [(*places[int(i)], p) for i, p in drawn.items()]
    made = Stream(on, [("0", "1")])
    start = memories[0], dice.choice(memories)
    return Scenario.of(made, [start], horizon="any", possible=dice.choice(("either", "either", "both")))


def inside(dice: Random) -> Scenario:
    """The state at some step, of a run that begins in one belief."""
    while True:
        names = _names(dice.randint(2, 4))
        symbols, share = _symbols(dice, 2), dice.choice((0.0, 0.3))
        model = HMM(
            emit={s: row(dice, symbols, share) for s in names},
            step={s: row(dice, names, share) for s in names if dice.random() > share / 3},
        )
        dice.shuffle(names)
        cut = dice.randint(1, len(names) - 1)
        gate = Gate("start", dice.randint(1, 4), names[:cut], names[cut:], one_way=dice.random() < 0.3)
        # Where no run passes on either side there is no question.
        with suppress(ModelError):
            return Scenario.of(
                model, [gate], beliefs={"start": row(dice, names)}, horizon="any",
                possible=dice.choice(("either", "either", "both")),
            )  # fmt: skip


KINDS: Mapping[str, Callable[[Random], Scenario]] = {
    made.__name__: made
    for made in (mixing, zeros, rooms, periodic, early, copied, permanent, slow, stream, inside)
}


def row(dice: Random, names: Sequence[str], share: float = 0.0) -> Row:
    """A distribution of small weights, a share of them 0."""
    weights = [0 if dice.random() < share else dice.randint(1, 6) for _ in names]
    if not any(weights):
        weights[dice.randrange(len(names))] = 1
    return {name: Fraction(w, sum(weights)) for name, w in zip(names, weights, strict=True) if w}


def _mixed(one: Row, other: Row, share: Fraction) -> Row:
    none = Fraction(0)
    sums = {name: (1 - share) * one.get(name, none) + share * other.get(name, none) for name in one | other}
    return {name: p for name, p in sums.items() if p}


def _names(count: int) -> list[str]:
    return [f"s{i}" for i in range(count)]


def _symbols(dice: Random, least: int = 1) -> list[str]:
    return list("abc"[: dice.randint(least, 3)])


def _claim(dice: Random) -> Claim:
    return Claim(horizon="any", possible=dice.choice(("either", "either", "both")))


def _between(dice: Random, model: HMM) -> Scenario:
    """One or two pairs of states or of beliefs."""

    def belief(name: str) -> Belief:
        states = [str(s) for s in model.states]
        return Belief.at(dice.choice(states)) if dice.random() < 0.7 else Belief.of(name, row(dice, states, 0.3), model)

    pairs = tuple(
        Pair(belief(f"left{i}"), belief(f"right{i}"), one_way=dice.random() < 0.3)
        for i in range(dice.choice((1, 1, 1, 2)))
    )
    known = set(model.states)
    named = {b.name: b for p in pairs for b in (p.left, p.right) if b.name not in known}
    return Scenario(model, pairs, _claim(dice), named)
