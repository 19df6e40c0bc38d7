"""How soon a proof by tree has dominated every word, whatever the reading. [T18]"""

from __future__ import annotations

from .certificate import Certificate, Step, Tree


def reach_of(certificate: Certificate) -> int | None:
    """The least n such that what the proof says of every word of n symbols comes from dominated prefixes; None if none.

    Prefixes that are covered by others take on what these need. Where covering goes round in a circle, or rules say
    something of the reading, there is no such n. Classes of states are alike for readings, and not for every column.
    """
    proof = certificate.proof
    if not isinstance(proof, Tree) or certificate.classes is not None:
        return None
    needs: list[list[tuple[int, int]]] = [_needs(step) for step in proof.steps]
    for step in proof.steps:
        if step.rule not in ("dominate", "expand", "subsume", "combine"):
            return None
        if step.root is None:
            needs[step.parent].append((step.number, 1))
    return _longest(needs)


def _needs(step: Step) -> list[tuple[int, int]]:
    """The steps that cover this one, with no symbol in between."""
    if step.rule == "subsume":
        return [(step.by, 0)]
    return [(by, 0) for by, _ in step.parts] if step.rule == "combine" else []


def _longest(needs: list[list[tuple[int, int]]]) -> int | None:
    """The largest sum along a path; None where there is a circle."""
    waiting = [0] * len(needs)
    for listed in needs:
        for other, _ in listed:
            waiting[other] += 1
    reached = [0] * len(needs)
    ready = [n for n, count in enumerate(waiting) if count == 0]
    done = 0
    while ready:
        number = ready.pop()
        done += 1
        for other, symbols in needs[number]:
            reached[other] = max(reached[other], reached[number] + symbols)
            waiting[other] -= 1
            if waiting[other] == 0:
                ready.append(other)
    return max(reached, default=0) if done == len(needs) else None
