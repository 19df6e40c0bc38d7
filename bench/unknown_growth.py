"""Noisy max with 2 to 8 independent unknown rates of two to four people: how the time grows, and where it stops."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TypeVar

import faier
from faier.certificate import certify
from faier.certificate.write import dump
from faier.errors import FaierError
from faier.model.toml_write import dumps
from faier.scenario.scenario import Scenario
from faier.verdict import Holds, Unknown
from faier_check import check

from .limited import Stopped, apart
from .rates import KNOWN, noisy_max, truth
from .row import Options, Row, expect
from .solvers import Growth
from .timing import Time, best

Result = TypeVar("Result")

TOLERANCE = Fraction(1, 10**9)
FAMILY = "noisy max of two people, by unknown rates"
_DRAWN = {"verify": "faier.verify", "epsilon": "faier.epsilon", "check": "faier, check the certificate"}
STAGES = ("build", "verify", "epsilon", "certificate", "check")


@dataclass(frozen=True)
class _Done:
    answer: str
    time: Time
    note: str = ""


def rows(options: Options) -> Iterator[Row]:
    yield from _solvers(options)
    for people in (2, 3, 4):
        yield from growth(people, 4 if options.quick else 8, options)


def growth(people: int, most: int, options: Options) -> Iterator[Row]:
    """From 3 rates on; a stage that stopped is not tried with more rates."""
    before: dict[str, Time] = {}
    tried = STAGES
    for rates in range(3, most + 1):
        now: dict[str, Time] = {}
        measured = apart(partial(_stages, rates, people, len(tried), options), options.limit)
        for stage, done in zip(tried, measured, strict=False):
            what = f"{stage}, {rates} rates of {people} people"
            beside = "one rate fewer" if stage in before else ""
            if isinstance(done, Stopped):
                row = Row(what, done.why, done.time, beside, before.get(stage), stopped=True)
                yield _drawn(row, stage, rates, people)
                tried = tried[: tried.index(stage)]
                break
            row = Row(what, done.answer, done.time, beside, before.get(stage), done.note)
            yield _drawn(row, stage, rates, people)
            now[stage] = done.time
        before = now


def _drawn(row: Row, stage: str, rates: int, people: int) -> Row:
    """A point of the plot, if its stage and its people are drawn."""
    return row.at(FAMILY, rates, _DRAWN[stage]) if people == 2 and stage in _DRAWN else row


def _solvers(options: Options) -> Iterator[Row]:
    """The tight ratio as a claim for Algorithm 1, until it has stopped in every form."""
    solvers = Growth(FAMILY, options, ("linear", "words"))
    for rates in range(2, 6):
        known = truth(rates, 2)
        scenario = noisy_max(rates, 2, known)
        verdict, time = best(partial(faier.verify, scenario), options.repeats)
        expect(isinstance(verdict, Holds), f"{rates} rates of 2 people, ratio {known}: {verdict}")
        if rates == 2:
            yield Row("verify, 2 rates of 2 people", f"{known} holds", time).at(FAMILY, rates, "faier.verify")
        yield from solvers.rows(scenario, rates, "holds", f"{rates} rates of 2 people", time)


def _stages(rates: int, people: int, count: int, options: Options) -> Iterator[_Done | Stopped]:
    """The first stages of a size, in the order of their names."""
    known = truth(rates, people)
    expect(KNOWN.get((rates, people), known) == known, f"{rates} rates of {people} people: {known}")

    def measured(action: Callable[[], Result]) -> tuple[Result, Time]:
        return best(action, options.repeats, options.limit / 6)

    scenario, time = measured(lambda: _built(rates, people, known))
    if isinstance(scenario, str):
        # A limit of the numbers may be reached; anything else is no reason to refuse this model.
        expect("grow" in scenario, f"{rates} rates of {people} people: {scenario}")
        yield Stopped(f"refused: {scenario}", time)
        return
    states = len(scenario.model.states)
    yield _Done(f"{states:,} states", time)
    if count < 2:
        return
    verdict, time = measured(lambda: faier.verify(scenario, timeout=20 * options.limit))
    if isinstance(verdict, Unknown):
        yield Stopped(f"unknown: {verdict.reason}", time)
        return
    expect(isinstance(verdict, Holds), f"{rates} rates of {people} people, ratio {known}: {verdict}")
    yield _Done(f"{known} holds", time)
    if count < 3:
        return
    tight, time = measured(lambda: faier.epsilon(scenario, timeout=20 * options.limit))
    if not tight.complete:
        yield Stopped(f"open: {tight.reason}", time)
        return
    lower, upper = tight.ratio.lower, tight.ratio.upper
    right = lower == known <= upper <= known * (1 + TOLERANCE) and not tight.attained
    expect(right, f"{rates} rates of {people} people: {tight.ratio}, attained: {tight.attained}; not {known}")
    # Where the exact proof takes more than its share of wall time, faier encloses the ratio instead.
    yield _Done(f"{known}, exact" if lower == upper else f"{known}, enclosed to 1e-9", time)
    if count < 4:
        return
    with tempfile.TemporaryDirectory() as folder:
        path, model = Path(folder) / "certificate.json", Path(folder) / "model.toml"
        _, time = measured(lambda: dump(certify(tight), path))
        yield _Done(f"{path.stat().st_size / 1024:.0f} KiB", time)
        if count < 5:
            return
        model.write_text(dumps(scenario), encoding="utf-8")
        proved, time = measured(lambda: check(path, model))
        yield _Done(f"accepted, {proved.steps} steps", time, f"model file of {model.stat().st_size / 1024:.0f} KiB")


def _built(rates: int, people: int, ratio: Fraction) -> Scenario | str:
    """The scenario, or the first reason why there is none."""
    try:
        return noisy_max(rates, people, ratio)
    except FaierError as error:
        return str(error).splitlines()[0]
