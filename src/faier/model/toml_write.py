"""Writing a scenario as a plain model file."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from faier.errors import ModelError
from faier.number.digits import digits, exact_text
from faier.number.exact import Prob
from faier.number.rational_function import RationalFunction

from .belief import Belief
from .hmm import HMM
from .names import label, labels
from .stream import Stream

if TYPE_CHECKING:
    from faier.scenario.scenario import Claim, Scenario
    from faier.scenario.written import Gate, Written

_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def dumps(scenario: Scenario) -> str:
    """The text of a model file that reads back to the same model, pairs and claim, all orders included.

    Of a scenario that was compiled it is what was written.

    Names that are not strings are written by their labels; two that would be written alike are a
    `ModelError`. A compared belief that is not one of the scenario's is written under its own name, or under
    one like it that is free.
    """
    from faier.scenario.written import Gate

    asked: Scenario | Written = scenario.written or scenario
    model = asked.model
    index = model.state_index if isinstance(model, HMM) else model.memory_index
    starts = labels(index, "states" if isinstance(model, HMM) else "memories")
    sides, beliefs = _name_beliefs(asked, index, starts)
    parts = ["faier = 1"]
    if scenario.title:
        parts.append(f"title = {string(scenario.title)}")
    if model.constraints:
        parts.append(f"constraints = [{', '.join(map(string, model.constraints))}]")
    if model.parameters:
        parts += ["", "[parameters]"]
        parts += [f"{key(name)} = {string(text)}" for name, text in model.parameters.items()]
    parts += _model(model, starts) if isinstance(model, HMM) else _stream(model, starts)
    if beliefs:
        parts += ["", "[beliefs]"]
        parts += [f"{key(name)} = {_row(_weights(b, index, starts))}" for name, b in beliefs.items()]
    for pair, (left, right) in zip(asked.pairs, sides, strict=True):
        if isinstance(pair, Gate):
            parts += ["", "[[compare]]", f"from = {string(left)}", f"at = {_step_of(pair)}"]
            for name, states in (("left", pair.left), ("right", pair.right)):
                parts.append(f"{name} = [{', '.join(string(starts[index[s]]) for s in states)}]")
        else:
            parts += ["", "[[compare]]", f"left = {string(left)}", f"right = {string(right)}"]
        parts += ["one_way = true"] if pair.one_way else []
    claim = _claim(scenario.claim)
    parts += ["", "[claim]", *claim] if claim else []
    return "\n".join(parts) + "\n"


def string(text: str) -> str:
    """A TOML string, on one line."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ModelError(f"the text {text!r} cannot be written: it has half of a surrogate pair") from None
    escaped = "".join(
        _ESCAPES.get(c) or (f"\\u{ord(c):04x}" if ord(c) < 32 or 127 <= ord(c) < 160 else c) for c in text
    )
    return f'"{escaped}"'


def key(text: str) -> str:
    """A TOML key, quoted where it has to be."""
    return text if _BARE.fullmatch(text) else string(text)


def number(value: Prob) -> str:
    return string(exact_text(value) if isinstance(value, Fraction) else str(value))


def _step_of(gate: Gate) -> str:
    return string(gate.at) if isinstance(gate.at, str) else str(gate.at)


def _row(entries: Iterable[tuple[str, Prob]]) -> str:
    return "{ " + ", ".join(f"{key(name)} = {number(value)}" for name, value in entries) + " }"


def _model(model: HMM, states: Sequence[str]) -> Iterable[str]:
    yield from ("", "[model.emit]", *_emit(model, states, labels(model.symbols, "symbols")))
    if model.step.stored:
        yield from ("", "[model.step]", *_step(model, states))


def _stream(stream: Stream, memories: Sequence[str]) -> Iterable[str]:
    inputs = dict(zip(stream.inputs, labels(stream.inputs, "inputs"), strict=True))
    symbols = dict(zip(stream.symbols, labels(stream.symbols, "symbols"), strict=True))
    yield from ("", "[stream]")
    if stream.adjacent:
        pairs = (f"[{string(inputs[a])}, {string(inputs[b])}]" for a, b in stream.adjacent)
        yield f"adjacent = [{', '.join(pairs)}]"
    for asked, name in inputs.items():
        yield from ("", f"[stream.on.{string(name)}]")
        for memory, text in zip(stream.memories, memories, strict=True):
            answers = [
                [symbols[x.symbol], *([] if x.then is None else [memories[stream.memory_index[x.then]]])]
                for x in stream.answers[asked, memory]
            ]
            row = (
                f"[{', '.join([*map(string, names), number(x.probability)])}]"
                for names, x in zip(answers, stream.answers[asked, memory], strict=True)
            )
            yield f"{key(text)} = [{', '.join(row)}]"


def _emit(model: HMM, states: Sequence[str], symbols: Sequence[str]) -> Iterable[str]:
    """The rows in the order of the symbols; the first has zeros where that order would not come out."""
    seen = dict.fromkeys(j for i in range(len(states)) for j in sorted(model.emit.row(i)))
    in_order = list(seen) == list(range(len(symbols)))
    for i, state in enumerate(states):
        row = model.emit.row(i)
        columns: Iterable[int] = sorted(row)
        if i == 0 and not in_order:
            columns = range(len(symbols))
        yield f"{key(state)} = {_row((symbols[j], row.get(j, Fraction(0))) for j in columns)}"


def _step(model: HMM, states: Sequence[str]) -> Iterable[str]:
    for i, state in enumerate(states):
        if row := model.step.row(i):
            yield f"{key(state)} = {_row((states[j], value) for j, value in row.items())}"


def _weights(belief: Belief, index: Mapping[Hashable, int], names: Sequence[str]) -> Iterable[tuple[str, Prob]]:
    for state, value in belief.weights.items():
        if state not in index:
            raise ModelError(f"unknown state {state!r}", f"beliefs.{belief.name}")
        yield names[index[state]], value


def _name_beliefs(
    scenario: Scenario | Written, index: Mapping[Hashable, int], names: Sequence[str]
) -> tuple[list[tuple[str, str]], dict[str, Belief]]:
    """The names of both sides of every pair, and the beliefs to write, each under a name of its own."""
    from faier.scenario.written import Gate

    states = set(names)
    beliefs: dict[str, Belief] = {}
    texts = labels(scenario.beliefs, "beliefs")
    for text, belief in zip(texts, scenario.beliefs.values(), strict=True):
        beliefs[_free(text, states, beliefs)] = belief
    found = {_identity(belief): name for name, belief in beliefs.items()}

    def side(belief: Belief) -> str:
        which = _identity(belief)
        if which not in found:
            found[which] = label(belief.name)
            if not _is_state(belief, index, found[which]):
                found[which] = _free(found[which], states, beliefs)
                beliefs[found[which]] = belief
        return found[which]

    named: list[tuple[str, str]] = []
    for pair in scenario.pairs:
        if isinstance(pair, Gate):
            assert isinstance(pair.start, Belief)
            named.append((side(pair.start), ""))
        else:
            named.append((side(pair.left), side(pair.right)))
    return named, beliefs


def _identity(belief: Belief) -> Hashable:
    return belief.name, frozenset(belief.weights.items())


def _is_state(belief: Belief, index: Mapping[Hashable, int], name: str) -> bool:
    if len(belief.weights) != 1:
        return False
    ((state, weight),) = belief.weights.items()
    return weight == 1 and label(state) == name and state in index


def _free(name: str, states: set[str], beliefs: Mapping[str, Belief]) -> str:
    tried, count = name, 2
    while tried in states or tried in beliefs:
        tried, count = f"{name}_{count}", count + 1
    return tried


def _claim(claim: Claim) -> list[str]:
    parts: list[str] = []
    budget = claim.budget
    if isinstance(budget, RationalFunction):
        parts.append(f"ratio = {string(str(budget))}")
    elif budget is not None and budget.exact is not None:
        parts.append(f"ratio = {string(exact_text(budget.exact))}")
    elif budget is not None:
        parts.append(f"epsilon = {string(budget.epsilon_text)}")
    if claim.horizon is not None:
        parts.append('horizon = "any"' if claim.horizon == "any" else f"horizon = {digits(claim.horizon)}")
    if claim.possible != "either":
        parts.append(f"possible = {string(claim.possible)}")
    if claim.delta:
        parts.append(f"delta = {number(claim.delta)}")
    return parts
