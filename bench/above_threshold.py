"""The paper's Above Threshold: the tree at horizons it could not reach, and where Algorithm 1 stops."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import faier
from faier.engine.smt.query import Encoding
from faier.scenario.scenario import Scenario
from faier.verdict import Unknown

from .row import Options, Row, expect
from .solvers import Growth, ask, name, one_pair, stopped
from .timing import Time, best

MODEL = Path(__file__).parent.parent / "examples" / "above_threshold.toml"
SHOWN = (1, 5, 10, 20, 40, 60)
FAMILY = "Above Threshold, by queries"


def rows(options: Options) -> Iterator[Row]:
    scenario = faier.load(MODEL)
    yield from _tight(scenario, options)
    yield from _stream(options)
    yield from _growth(scenario, options)
    hardest = faier.epsilon(scenario, horizon=11).witness
    assert hardest is not None
    single = one_pair(scenario, hardest)
    both: tuple[Encoding, ...] = ("linear", "literal")
    for symbols in (7, 9) if options.quick else (7, 9, 11):
        yield from _claim("one pair", single.claiming(horizon=symbols), both, options)
        # The literal query of all pairs stops at the smallest size already.
        encodings = both if symbols == 7 or options.full else both[:1]
        every = f"all {len(scenario.pairs)} pairs"
        yield from _claim(every, scenario.claiming(horizon=symbols), encodings, options)


def _tight(scenario: Scenario, options: Options) -> Iterator[Row]:
    """The tight ratio 2^k of k queries, for every k."""
    most = 10 if options.quick else SHOWN[-1]
    total = Time(0.0, 0.0)
    for k in range(1, most + 1):
        shown = k in SHOWN
        tight, time = best(partial(faier.epsilon, scenario, horizon=2 * k + 1), options.repeats if shown else 1)
        expect(tight.ratio.lower == tight.ratio.upper == 2**k, f"k = {k}: {tight.ratio}, not 2^{k}")
        total = Time(total.wall + time.wall, total.process + time.process)
        if shown:
            yield Row(
                f"epsilon, k = {k}, {2 * k + 1} symbols", f"2^{k}, exact", time,
                family=FAMILY, size=k, series="faier.epsilon",
            )  # fmt: skip
    yield Row(f"epsilon, every k = 1..{most} in turn", "2^k, exact", total)


def _stream(options: Options) -> Iterator[Row]:
    """The same mechanism as a stream: far horizons too, where the ratio leaves the range of floats."""
    for k in (10, 100) if options.quick else (10, 100, 300, 1000):
        asked = faier.differential_privacy(faier.library.above_threshold(), horizon=k)
        tight, time = best(partial(faier.epsilon, asked), options.repeats if k < 1000 else 1)
        expect(tight.ratio.lower == tight.ratio.upper == 2**k, f"{k} queries: {tight.ratio}, not 2^{k}")
        yield Row(
            f"epsilon, as a stream, {k} queries", f"2^{k}, exact", time,
            family=FAMILY, size=k, series="faier.epsilon, as a stream",
        )  # fmt: skip


def _growth(scenario: Scenario, options: Options) -> Iterator[Row]:
    """The claim 2^k of k queries, of all pairs, until the solvers have stopped."""
    solvers = Growth(FAMILY, options)
    for k in range(1, 5 if options.quick else 9):
        claim = scenario.claiming(ratio=2**k, horizon=2 * k + 1)
        verdict, time = best(partial(faier.verify, claim), options.repeats)
        expect(name(verdict) == "holds", f"k = {k}: {verdict}")
        what = f"ratio 2^{k} of k = {k}, all {len(scenario.pairs)} pairs"
        yield Row(f"verify, {what}", "holds", time, family=FAMILY, size=k, series="faier.verify")
        yield from solvers.rows(claim, k, "holds", what, time)


def _claim(
    pairs: str, scenario: Scenario, encodings: tuple[Encoding, ...], options: Options
) -> Iterator[Row]:
    """Ratio 16 decided by the tree, then by each solver."""
    symbols = scenario.claim.horizon
    verdict, tree = best(lambda: faier.verify(scenario, engine="tree"), options.repeats)
    expect(not isinstance(verdict, Unknown), f"{symbols} symbols: {verdict}")
    what = f"ratio 16 at {symbols} symbols, {pairs}"
    yield Row(f"tree, {what}", name(verdict), tree)
    for encoding in encodings:
        for solver in ("z3", "cvc5"):
            answer, time, note = ask(scenario, solver, encoding, options.limit)
            expect(answer in (name(verdict), stopped(options.limit)), f"{solver}: {answer}")
            late = answer == stopped(options.limit)
            yield Row(f"{solver} {encoding}, {what}", answer, time, "tree", tree, note, stopped=late)
