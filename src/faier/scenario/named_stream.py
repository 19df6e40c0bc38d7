"""`[mechanism]` in a file that names a stream of the library: written out as the `[stream]` that it stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from faier.errors import MechanismError
from faier.model.names import label, labels
from faier.number.exact import kind_of

from .library_entry import as_python

if TYPE_CHECKING:
    from faier.mechanisms.answering import StreamMechanism


def stream_tables(asked: StreamMechanism, data: dict[str, Any]) -> dict[str, Any]:
    """[stream], [beliefs] and [[compare]]; without pairs of the file's own, the start is compared with itself."""
    from faier.knowledge.adjacency import as_adjacency, pairs_of
    from faier.mechanisms.mechanism import listed_once

    table = data["mechanism"]
    for key in ("exchangeable", "at"):
        if key in table:
            raise MechanismError(f"{key} does not go together with {table['use']}, which answers queries")
    given = table.get("inputs")
    if given is not None and not isinstance(given, list):
        raise MechanismError(f"inputs are a list of what may be asked, got {kind_of(given)}")
    inputs = asked.all_inputs() if given is None else listed_once(map(as_python, given), asked.name)
    adjacent = table.get("adjacent", asked.adjacent)
    if isinstance(adjacent, list):
        adjacent = [as_python(pair) for pair in adjacent]
    pairs = [] if adjacent is None else pairs_of(as_adjacency(adjacent), inputs)
    ranges = {name: text for name, text in data.get("parameters", {}).items() if isinstance(text, str)}
    stream = asked.table(pairs, inputs, ranges)
    memories = dict(zip(stream.memories, labels(stream.memories, "memories"), strict=True))
    labels(stream.inputs, "inputs")
    labels(stream.symbols, "symbols")
    on = {
        label(a): {
            name: [
                [label(x.symbol), *([] if x.then is None else [memories[x.then]]), x.probability]
                for x in stream.answers[a, m]
            ]
            for m, name in memories.items()
        }
        for a in stream.inputs
    }
    tables: dict[str, Any] = {"stream": {"adjacent": [[label(a), label(b)] for a, b in pairs], "on": on}}
    beliefs, start = dict(data.get("beliefs", {})), "start"
    if len(asked.start) == 1:
        start = memories[next(iter(asked.start))]
    else:
        while start in beliefs or start in memories.values():
            start += "'"
        beliefs[start] = {memories[memory]: p for memory, p in asked.start.items()}
    compare = data.get("compare") or [{"left": start, "right": start}]
    return tables | {"beliefs": beliefs, "compare": compare}
