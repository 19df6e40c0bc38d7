"""A question as it is written, where the model that is decided is compiled from it: streams, secrets inside a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from faier.errors import ModelError, NotYetError
from faier.model.belief import Belief
from faier.model.gated import Gated, gated
from faier.model.hmm import HMM, State
from faier.model.names import label
from faier.model.stream import Stream
from faier.model.two_sided import Side, TwoSided, two_sided
from faier.number.digits import short_text
from faier.number.domain import Domain
from faier.number.validity import vanishing

from .every import asks_every_step, nothing_possible, spelled_out
from .gate import Gate as Gate
from .scenario import Claim, Pair, Scenario


@dataclass(frozen=True)
class Written:
    """What a file says; a scenario keeps it beside what it is compiled to. Of a stream, beliefs are over memories."""

    model: HMM | Stream
    pairs: tuple[Pair | Gate, ...]
    beliefs: Mapping[str, Belief]


def compiled(written: Written, claim: Claim, title: str = "", odd: list[str] | None = None) -> Scenario:
    """The scenario that asks the same of an ordinary model; what is odd about it is added to `odd`."""
    model, found = written.model, [] if odd is None else odd
    if isinstance(model, Stream):
        sides = two_sided(model)
        return Scenario(sides.model, _stream_pairs(written, sides), claim, {}, title, written=written)
    for pair in written.pairs:
        if isinstance(pair, Gate):
            _indices(model, pair.left + pair.right)
    numbered = spelled_out(written, claim.horizon) if asks_every_step(written) else tuple(enumerate(written.pairs))
    gates: dict[frozenset[int], int] = {}
    for _, pair in numbered:
        if isinstance(pair, Gate):
            assert isinstance(pair.at, int)
            for states in (pair.left, pair.right):
                gate = _indices(model, states)
                gates[gate] = max(pair.at, gates.get(gate, 1))
    passing = gated(model, gates)
    pairs = _gate_pairs(written, numbered, passing, found)
    _require_passing(passing)
    return Scenario(passing.model, pairs, claim, {}, title, written=written)


def late_secrets(pairs: Sequence[Pair | Gate], claim: Claim) -> list[str]:
    """Remarks on secrets after all that counts: meant, perhaps, but more often the horizon is too short."""
    horizon = claim.horizon
    if not isinstance(horizon, int):
        return []
    return [
        f"compare[{i}]: the secret is at step {pair.at}, after the {horizon} that count; what is asked is what these "
        "tell of the future"
        for i, pair in enumerate(pairs)
        if isinstance(pair, Gate) and isinstance(pair.at, int) and pair.at > horizon
    ]


def compiled_at(scenario: Scenario, step: int) -> Scenario:
    """The scenario compiled with every gate of all steps at this one, where both its sides are possible."""
    written = scenario.written
    assert written is not None
    pairs = tuple(replace(p, at=step) if isinstance(p, Gate) and p.at == "every" else p for p in written.pairs)
    there = compiled(replace(written, pairs=pairs), scenario.claim, scenario.title)
    return replace(there, written=written, ratios_only=scenario.ratios_only)


def _stream_pairs(written: Written, sides: TwoSided) -> tuple[Pair, ...]:
    """Each pair with its left belief on the left and its right one on the right, and then the other way round.

    The other way round of a belief against itself is the same question: exchanging the two inputs of every letter
    exchanges the sides, and adjacency is symmetric.
    """
    pairs: list[Pair] = []
    for pair in written.pairs:
        if isinstance(pair, Gate):
            raise NotYetError("a secret inside a run of a stream (from and at) is not built yet")
        both = pair.left, pair.right
        turned = pair.right, pair.left
        for left, right in (both,) if pair.one_way or pair.left.weights == pair.right.weights else (both, turned):
            pairs.append(Pair(_started(left, sides, "left"), _started(right, sides, "right"), one_way=True))
    return tuple(pairs)


def _started(belief: Belief, sides: TwoSided, side: Side) -> Belief:
    weights = sides.start(side, belief.weights)
    return Belief(belief.name, {sides.model.states[i]: value for i, value in sorted(weights.items())})


def _gate_pairs(
    written: Written, numbered: Sequence[tuple[int, Pair | Gate]], passing: Gated, odd: list[str]
) -> tuple[Pair, ...]:
    """The pairs, of which those with a side that no run passes are left out, as the definition says."""
    pairs: list[Pair] = []
    skipped: list[str] = []
    for k, pair in numbered:
        if isinstance(pair, Pair):
            pairs.append(pair)
            continue
        assert isinstance(pair.start, Belief)
        assert isinstance(pair.at, int)
        sides: list[Belief] = []
        for states in (pair.left, pair.right):
            gate = _indices(passing.original, states)
            row = passing.start(pair.start.weights, pair.at, gate)
            if row is None:
                if isinstance(asked := written.pairs[k], Gate) and asked.at == "every":
                    # These are told by `steps_left_out`, as they depend on the horizon.
                    break
                which = " or ".join(map(label, states))
                skipped.append(f"compare[{k}]: from {pair.start.name} the state at step {pair.at} is never {which}")
                break
            sides.append(Belief(_name(pair, states), row))
        else:
            pairs.append(Pair(sides[0], sides[1], pair.one_way))
    if not pairs and not skipped:
        raise nothing_possible(written)
    if not pairs:
        place, _, message = skipped[0].partition(": ")
        raise ModelError(f"{message}, and so nothing is compared", place)
    odd += [f"{text}; the pair is left out" for text in skipped]
    return tuple(pairs)


def _name(pair: Gate, states: tuple[State, ...]) -> str:
    """The name of a side, as sentences and certificates have it."""
    assert isinstance(pair.start, Belief)
    return f"{pair.start.name}, {' or '.join(map(label, states))} at {pair.at}"


def _indices(model: HMM, states: tuple[State, ...]) -> frozenset[int]:
    for state in states:
        if state not in model.state_index:
            raise ModelError(f"unknown state {state!r}", "compare")
    return frozenset(model.state_index[s] for s in states)


def _require_passing(passing: Gated) -> None:
    """The copies' rows have to be defined for all values: passing has to be possible wherever it is for some."""
    unknowns = passing.model.unknowns
    for value in passing.denominators():
        domain = Domain(unknowns, [value])
        top, bottom = domain.lift(value)
        if vanishing(domain, top * bottom) is not None:
            raise NotYetError(
                "secrets inside a run where passing is impossible for some values of the parameters are not built yet: "
                f"the probability {short_text(value, 80)} has to be positive on the whole range"
            )
