"""`python tests/nightly/share_of_boxes.py [COUNT] [FIRST]`: who decides how many of the random models, and how fast.

Boxes, Z3 and cvc5 have 10 seconds each for every model; boxes may ask the solvers within theirs. Answers that
contradict one another, or what was planted, end it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

from opinions_on_unknowns import Opinion, agree, opinion  # noqa: E402
from random_unknowns import question  # noqa: E402

SECONDS = 10
ENGINES = ("boxes", "z3", "cvc5")


def main(count: int = 300, first: int = 0) -> None:
    found: list[tuple[str, dict[str, Opinion]]] = []
    for seed in range(first, first + count):
        planted = question(seed)
        said = {engine: opinion(planted, engine, SECONDS) for engine in ENGINES}
        agree(planted, said)
        found.append((planted.place, said))
        print(f"\r{len(found)}/{count}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for line in table(found):
        print(line)


def table(found: Sequence[tuple[str, dict[str, Opinion]]]) -> list[str]:
    """Markdown: the models by place, and how many of them each decides."""
    lines = [
        "| where it is tight | models | boxes alone | boxes, resting on a solver | Z3 | cvc5 | boxes only | nobody |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    places = Counter(place for place, _ in found)
    for place in (*sorted(places), None):
        of_it = [said for where, said in found if place in (None, where)]
        numbers = [
            len(of_it),
            sum(said["boxes"].alone for said in of_it),
            sum(bool(said["boxes"].rests_on) for said in of_it),
            *(sum(said[solver].said != "unknown" for said in of_it) for solver in ("z3", "cvc5")),
            sum(said["boxes"].alone and not any(said[s].alone for s in ("z3", "cvc5")) for said in of_it),
            sum(all(one.said == "unknown" for one in said.values()) for said in of_it),
        ]
        lines.append(f"| {place or 'all'} | {' | '.join(map(str, numbers))} |")
    times = {e: [said[e].seconds for _, said in found if said[e].said != "unknown"] for e in ENGINES}
    lines += ["", "median seconds where decided: " + ", ".join(f"{e} {median(t):.3f}" for e, t in times.items() if t)]
    return lines


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
