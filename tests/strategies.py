"""Hypothesis strategies: small models with zeros, ties, unequal supports and states that end the run."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.stream import Stream
from faier.number.budget import Budget
from faier.scenario.scenario import Claim, Horizon, Pair, Possible, Scenario

quick = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
"""For properties whose examples take milliseconds each."""

STATES = ("s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7")
SYMBOLS = ("a", "b", "c", "d", "e", "f", "g", "h")

BUDGETS = (
    Budget.of_ratio(1),
    Budget.of_ratio(2),
    Budget.of_ratio(3),
    Budget.of_ratio(Fraction(3, 2)),
    Budget.of_ratio(Fraction(1, 2)),
    Budget.of_ratio(8),
    Budget(power=Fraction(1, 2)),
    Budget(power=Fraction(7, 10)),
    Budget(base=Fraction(3), root=2),
    Budget(power=Fraction(-1, 4), base=Fraction(5)),
)


@st.composite
def rows(draw: st.DrawFn, names: Sequence[str]) -> dict[str, Fraction]:
    """A distribution over the names: small weights, so that zeros and ties are common. Zeros are left out."""
    weights = [draw(st.integers(0, 3)) for _ in names]
    if not any(weights):
        weights[draw(st.integers(0, len(names) - 1))] = 1
    return {name: Fraction(w, sum(weights)) for name, w in zip(names, weights, strict=True) if w}


@st.composite
def hmms(draw: st.DrawFn, max_states: int = 4, max_symbols: int = 3) -> HMM:
    """A constant model with names that are strings; any state may end the run."""
    states = STATES[: draw(st.integers(1, max_states))]
    symbols = SYMBOLS[: draw(st.integers(1, max_symbols))]
    return HMM(
        emit={s: draw(rows(symbols)) for s in states},
        step={s: draw(rows(states)) for s in states if draw(st.integers(0, 3))},
    )


@st.composite
def beliefs(draw: st.DrawFn, model: HMM, name: str = "belief") -> Belief:
    """A distribution over the model's states, or one state."""
    states = [str(s) for s in model.states]
    if draw(st.booleans()):
        return Belief.at(draw(st.sampled_from(states)))
    return Belief.of(name, draw(rows(states)), model)


def budgets() -> st.SearchStrategy[Budget]:
    return st.sampled_from(BUDGETS)


@st.composite
def scenarios(
    draw: st.DrawFn,
    max_states: int = 4,
    max_symbols: int = 3,
    max_pairs: int = 2,
    horizons: Sequence[Horizon] = (1, 2, 3, 4),
    possible: Sequence[Possible] = ("either", "both"),
    models: st.SearchStrategy[HMM] | None = None,
) -> Scenario:
    """A whole question with a budget and a horizon; every named belief is one of the scenario's beliefs."""
    model = draw(hmms(max_states, max_symbols) if models is None else models)
    pairs = []
    for i in range(draw(st.integers(1, max_pairs))):
        left, right = draw(beliefs(model, f"left{i}")), draw(beliefs(model, f"right{i}"))
        pairs.append(Pair(left, right, one_way=draw(st.integers(0, 3)) == 0))
    named = {b.name: b for p in pairs for b in (p.left, p.right) if b.name not in model.state_index}
    claim = Claim(
        budget=draw(budgets()),
        horizon=draw(st.sampled_from(list(horizons))),
        possible=draw(st.sampled_from(list(possible))),
    )
    return Scenario(model, tuple(pairs), claim, named)


PARAMETERS = {"p": "0 < p < 1", "q": "1/4 <= q <= 3/4"}
SHARES = ("p", "q", "p*q", "p^2", "(p+q)/2", "p*(1-q)", "q/(1+p)", "1/3", "1/2", "1")


@st.composite
def unknown_rows(draw: st.DrawFn, names: Sequence[str]) -> dict[str, str]:
    """A distribution with parameters: the first takes a share, the next a share of what is left, and so on."""
    row: dict[str, str] = {}
    rest = "1"
    chosen = draw(st.lists(st.sampled_from(list(names)), min_size=1, max_size=3, unique=True))
    for name in chosen[:-1]:
        share = draw(st.sampled_from(SHARES))
        row[name] = f"({rest})*({share})"
        rest = f"({rest})*(1-({share}))"
    row[chosen[-1]] = rest
    return row


@st.composite
def unknown_scenarios(
    draw: st.DrawFn,
    horizons: Sequence[Horizon] = (1, 2, 3),
    possible: Sequence[Possible] = ("either", "either", "both"),
) -> Scenario:
    """A small question with one or two unknowns anywhere in model and beliefs."""
    states = STATES[: draw(st.integers(1, 3))]
    symbols = SYMBOLS[: draw(st.integers(1, 3))]
    model = HMM(
        emit={s: draw(unknown_rows(symbols)) for s in states},
        step={s: draw(unknown_rows(states)) for s in states if draw(st.integers(0, 2))},
        parameters=PARAMETERS,
    )
    sides = [Belief.of(name, draw(unknown_rows(states)), model) for name in ("left", "right")]
    claim = Claim(
        budget=draw(budgets()),
        horizon=draw(st.sampled_from(list(horizons))),
        possible=draw(st.sampled_from(list(possible))),
    )
    pair = Pair(sides[0], sides[1], one_way=draw(st.booleans()))
    return Scenario(model, (pair,), claim, {b.name: b for b in sides})


@st.composite
def streams(
    draw: st.DrawFn, max_inputs: int = 3, max_memories: int = 3, max_symbols: int = 2, unknowns: bool = False
) -> Stream:
    """A stream with zeros, equal memories and answers after which the run stops."""
    inputs = [f"i{k}" for k in range(draw(st.integers(1, max_inputs)))]
    memories = [f"m{k}" for k in range(draw(st.integers(1, max_memories)))]
    answers = [(s, m) for s in SYMBOLS[: draw(st.integers(1, max_symbols))] for m in (*memories, None)]
    names = {str(i): answer for i, answer in enumerate(answers)}
    on: dict[str, dict[str, list[tuple[object, ...]]]] = {}
    for asked in inputs:
        on[asked] = {}
        for memory in memories:
            if memory != memories[0] and draw(st.integers(0, 2)) == 0:
                on[asked][memory] = on[asked][memories[0]]
                continue
            row = draw(unknown_rows(list(names)) if unknowns else rows(list(names)))
            on[asked][memory] = [(*(part for part in names[i] if part is not None), p) for i, p in row.items()]
    pairs = [(a, b) for i, a in enumerate(inputs) for b in inputs[i + 1 :] if draw(st.integers(0, 2))]
    return Stream(on, pairs, parameters=PARAMETERS if unknowns else {})


@st.composite
def stream_scenarios(
    draw: st.DrawFn,
    horizons: Sequence[Horizon] = (1, 2, 3),
    possible: Sequence[Possible] = ("either", "either", "both"),
    unknowns: bool = False,
    max_inputs: int = 3,
) -> Scenario:
    """A question about a stream; the same belief on both sides, or two."""
    stream = draw(streams(max_inputs=2, max_memories=2, unknowns=True) if unknowns else streams(max_inputs))
    shares = unknown_rows if unknowns else rows
    beliefs = {"one": draw(shares(stream.memories)), "two": draw(shares(stream.memories))}
    pairs = draw(st.sampled_from([[("one", "one")], [("one", "two")], [("one", "two"), ("two", stream.memories[0])]]))
    return Scenario.of(
        stream,
        pairs,
        beliefs=beliefs,
        ratio=draw(budgets()),
        horizon=draw(st.sampled_from(list(horizons))),
        possible=draw(st.sampled_from(list(possible))),
    )
