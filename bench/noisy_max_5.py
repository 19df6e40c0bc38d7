"""Noisy max of 5 queries: 243 inputs and 16,564 ordered neighbours in one claim, beside bare numpy."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from subprocess import run

import numpy as np

import faier
from faier.comparison import Comparison, Floats, Ints
from faier.verdict import Holds, Violated

from . import certificates
from .row import Options, Row, expect
from .solvers import ask, one_pair, stopped
from .timing import best

MODEL = Path(__file__).parent.parent / "examples" / "large" / "noisy_max_5.toml"
TRUTH = Fraction(288, 73)


def rows(options: Options) -> Iterator[Row]:
    scenario, load = best(lambda: faier.load(MODEL), options.repeats)
    yield Row("load the model file", f"{len(scenario.model.states)} states, {len(scenario.pairs)} pairs", load)

    comparison = Comparison(scenario)
    emit = comparison.automaton.emit
    left = np.array([d.left for d in comparison.directions])
    right = np.array([d.right for d in comparison.directions])
    beliefs = comparison.start_floats(np.arange(len(scenario.model.states)))
    dense_left, dense_right = beliefs[left], beliefs[right]
    worst, product = best(lambda: float((dense_left @ emit / (dense_right @ emit)).max()), options.repeats)
    expect(abs(worst - float(TRUTH)) < 1e-9, f"the product says {worst}")
    _, gather = best(lambda: _gather(beliefs @ emit, left, right), options.repeats)
    products = f"dense products, {len(left)} x {len(emit)} by {emit.shape[1]}, twice"

    verdict, verify = best(lambda: faier.verify(scenario), options.repeats)
    expect(isinstance(verdict, Holds | Violated), str(verdict))
    answer = type(verdict).__name__.lower()
    yield Row("verify, all pairs both ways", answer, verify, products, product)
    yield Row("verify, the same", answer, verify, "gather of the rows by index", gather)
    tight, epsilon = best(lambda: faier.epsilon(scenario), options.repeats)
    expect(tight.ratio.lower == tight.ratio.upper == TRUTH, f"tight ratio {tight.ratio}")
    yield Row("epsilon, all pairs both ways", f"{TRUTH}, exact", epsilon, products, product)
    yield Row("epsilon, the same", f"{TRUTH}, exact", epsilon, "gather of the rows by index", gather)
    assert scenario.claim.budget is not None
    command = [sys.executable, "-m", "faier", "verify", str(MODEL)]
    done, whole = best(lambda: run(command, capture_output=True, env=_environment(), check=False), options.repeats)
    expect(done.returncode == (0 if isinstance(verdict, Holds) else 1), done.stderr.decode())
    yield Row("`faier verify` from start to exit", answer, whole, "verify inside", verify)

    assert tight.witness is not None
    single = one_pair(scenario, tight.witness).claiming(ratio=TRUTH)
    for solver in ("z3", "cvc5"):
        said, time, note = ask(single, solver, "linear", options.limit)
        expect(said in ("holds", stopped(options.limit)), f"{solver}: {said}")
        yield Row(f"{solver} linear, one pair one way", said, time, "verify, all pairs both ways", verify, note)
    yield from certificates.rows("epsilon", tight, scenario, epsilon, options)


def _gather(values: Floats, left: Ints, right: Ints) -> float:
    return float((values[left] / values[right]).max())


def _environment() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
