"""The paper's example nm1, three unknown rates: faier's boxes, and Algorithm 1 on the solvers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path

import faier
from faier.engine.smt.query import How
from faier.scenario.scenario import Scenario
from faier.verdict import Holds

from . import certificates
from .row import Options, Row, expect
from .solvers import ask, name, stopped
from .timing import Time, best

EXAMPLES = Path(__file__).parent.parent / "examples"
FILES = {
    "noisy_max_rates": "ratio 2",
    # With John's own record, and the tight ratio as its budget.
    "noisy_max_rates_own": "ratio 40/21",
}
TRUTH = Fraction(40, 21)
# Algorithm 1 as printed, the same in faier's form for solvers, and one query for each word.
ENCODINGS: tuple[How, ...] = ("literal", "linear", "words")


def rows(options: Options) -> Iterator[Row]:
    for file, ratio in FILES.items():
        path = EXAMPLES / f"{file}.toml"
        scenario, load = best(partial(faier.load, path), options.repeats)
        yield Row(f"load {file}", f"{len(scenario.model.states)} states", load)
        verdict, verify = best(partial(faier.verify, scenario), options.repeats)
        what = f"{file}, {ratio}"
        expect(isinstance(verdict, Holds) and verdict.engine == "boxes", f"{what}: {verdict}")
        yield Row(f"verify, {what}", name(verdict), verify)
        tight, epsilon = best(partial(faier.epsilon, scenario), options.repeats)
        right = tight.ratio.lower == tight.ratio.upper == TRUTH and not tight.attained
        expect(right, f"{file}: {tight.ratio}, not {TRUTH}")
        yield Row(f"epsilon, {file}", f"{TRUTH}, exact", epsilon, "verify", verify)
        yield from certificates.rows(f"verify, {what}", verdict, scenario, verify, options)
        yield from certificates.rows(f"epsilon, {file}", tight, scenario, epsilon, options)
        yield from _solvers(what, scenario, verify, options.limit)


def _solvers(what: str, scenario: Scenario, verify: Time, limit: float) -> Iterator[Row]:
    for solver in ("z3", "cvc5"):
        for encoding in ENCODINGS:
            answer, time, note = ask(scenario, solver, encoding, limit)
            expect(answer in ("holds", stopped(limit)), f"{what}: {solver} says {answer}")
            yield Row(f"{solver} {encoding}, {what}", answer, time, "verify", verify, note)
