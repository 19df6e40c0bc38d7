"""Differential privacy of streams: whatever adjacent inputs the two runs are given."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from faier.errors import UsageError
from faier.mechanisms.answering import StreamMechanism
from faier.mechanisms.mechanism import listed_once
from faier.model.belief import Belief
from faier.model.names import label
from faier.scenario.scenario import Horizon, Possible, Scenario

from .adjacency import as_adjacency, pairs_of


def stream_question(
    asked: StreamMechanism,
    adjacent: Any,
    inputs: Iterable[Hashable] | None,
    horizon: Horizon | None,
    possible: Possible,
    parameters: Mapping[str, str] | None,
    title: str,
) -> Scenario:
    """Both runs begin alike; at every query their inputs are equal or neighbours, and answers so far are known."""
    neighbours = as_adjacency(asked.adjacent if adjacent is None else adjacent)
    if neighbours is None:
        raise UsageError(
            f"{asked.name} does not say which inputs are neighbours; give adjacent=, such as faier.each_within(1)"
        )
    listed = asked.all_inputs() if inputs is None else listed_once(inputs, asked.name)
    pairs = pairs_of(neighbours, listed)
    if not pairs:
        raise UsageError("no two of the inputs are neighbours, so nothing is claimed")
    table = asked.table(pairs, listed, parameters)
    memories = list(asked.start)
    start: Belief | str = Belief.at(memories[0])
    beliefs: dict[str, dict[Any, Any]] = {}
    if len(memories) > 1:
        taken = {label(memory) for memory in table.memories}
        start = "start"
        while start in taken:
            start += "'"
        beliefs[start] = dict(asked.start)
    said = title or asked.name
    return Scenario.of(table, [(start, start)], beliefs=beliefs, horizon=horizon, possible=possible, title=said)
