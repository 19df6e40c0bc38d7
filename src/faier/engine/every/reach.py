"""How soon a proof by tree has dominated every word, whatever the reading. [T18]"""

from __future__ import annotations

from faier.trace import Trace, Tree


def reach_of(trace: Trace | None) -> int | None:
    """The least n such that what the proof says of words of n symbols comes from dominated prefixes; None if none."""
    if not isinstance(trace, Tree):
        return None
    below: list[list[tuple[int, int]]] = [[] for _ in trace.steps]
    waiting = [0] * len(trace.steps)
    for number, step in enumerate(trace.steps):
        if step.rule not in ("dominate", "expand", "subsume", "combine"):
            return None
        if step.root is None:
            below[step.parent].append((number, 1))
        if step.rule in ("subsume", "combine"):
            below[number] += [(by, 0) for by in ([step.by] if step.rule == "subsume" else [by for by, _ in step.parts])]
    for each in below:
        for other, _ in each:
            waiting[other] += 1
    symbols, ready = [0] * len(waiting), [n for n, count in enumerate(waiting) if count == 0]
    done = 0
    while ready:
        number = ready.pop()
        done += 1
        for other, more in below[number]:
            symbols[other] = max(symbols[other], symbols[number] + more)
            waiting[other] -= 1
            if waiting[other] == 0:
                ready.append(other)
    # Where prefixes cover one another in a circle, some are never ready.
    return max(symbols, default=0) if done == len(waiting) else None
