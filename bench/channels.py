"""One-shot channels: multiplicative Bayes capacity and the tight epsilon, beside libqif and beside bare numpy."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

import faier
from faier.model.hmm import HMM

from . import models
from .row import FLOOR, Options, Row, expect
from .timing import Time, best

OUTPUTS = 10
CAPACITY = "Bayes capacity of channels, by inputs"
EPSILON = "tight epsilon of channels, by inputs"


def rows(options: Options) -> Iterator[Row]:
    """Random channels from so many inputs to ten outputs, every entry positive."""
    qif = _libqif()
    if qif is None:
        yield Row("libqif is not installed", "pip install -e '.[bench]'", Time(0.0, 0.0))
    for inputs in (5, 20, 80) if options.quick else (5, 20, 80, 320):
        model = models.dense(inputs, OUTPUTS, seed=inputs)
        exactly = [list(row.values()) for row in model.emit_rows().values()]
        yield from _capacity(model, exactly, qif, options)
        yield from _epsilon(model, exactly, qif, options)


def _capacity(model: HMM, exactly: list[list[Fraction]], qif: Any, options: Options) -> Iterator[Row]:
    size, floats = len(exactly), np.array(exactly, dtype=float)
    asked = faier.Scenario.of(model, _star(model), horizon=1)
    truth, bare = best(lambda: float(floats.max(axis=0).sum()), options.repeats)
    leaked, time = best(partial(faier.leakage, asked), options.repeats)
    expect(leaked.capacity == sum(map(max, zip(*exactly, strict=True))), f"{size} inputs: {leaked}")
    what, floor = f"Bayes capacity, {size} inputs", "maxima of the columns in numpy"
    yield Row(f"leakage, {what}", f"{truth:.9g}, exact", time, floor, bare).at(CAPACITY, size, "faier.leakage")
    yield Row(f"{floor}, {what}", f"{truth:.9g}", bare).at(CAPACITY, size, FLOOR + floor)
    if qif is None:
        return
    theirs, time_of = best(lambda: qif.measure.bayes_vuln.mult_capacity(floats), options.repeats)
    expect(abs(theirs - truth) < 1e-9, f"{size} inputs: libqif says {theirs}, not {truth}")
    yield Row(f"libqif in floats, {what}", f"{theirs:.9g}", time_of, "faier.leakage", time).at(
        CAPACITY, size, "libqif in floats"
    )
    ratios = np.array([[qif.rat(p.numerator, p.denominator) for p in row] for row in exactly], dtype=object)
    theirs, time_of = best(lambda: qif.measure.bayes_vuln.mult_capacity(ratios), options.repeats)
    expect(theirs == leaked.capacity, f"{size} inputs: libqif says {theirs}, not {leaked.capacity}")
    yield Row(f"libqif in fractions, {what}", "the same fraction", time_of, "faier.leakage", time).at(
        CAPACITY, size, "libqif in fractions"
    )


def _epsilon(model: HMM, exactly: list[list[Fraction]], qif: Any, options: Options) -> Iterator[Row]:
    """All pairs of inputs: libqif's least epsilon for the discrete metric."""
    size, floats = len(exactly), np.array(exactly, dtype=float)
    names = model.states
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    asked = faier.Scenario.of(model, pairs, horizon=1)
    truth, bare = best(lambda: float((floats.max(axis=0) / floats.min(axis=0)).max()), options.repeats)
    tight, time = best(partial(faier.epsilon, asked), options.repeats)
    expect(tight.exact and abs(float(tight.ratio.upper) - truth) < 1e-9 * truth, f"{size} inputs: {tight}")
    what, floor = f"tight epsilon, {size} inputs, {len(pairs)} pairs", "columns' largest by least in numpy"
    yield Row(f"epsilon, {what}", f"ratio {tight.ratio.upper}, exact", time, floor, bare).at(
        EPSILON, size, "faier.epsilon"
    )
    yield Row(f"{floor}, {what}", f"ratio {truth:.9g}", bare).at(EPSILON, size, FLOOR + floor)
    if qif is None:
        return
    metric = qif.metric.discrete(qif.uint)
    theirs, time_of = best(lambda: qif.measure.d_privacy.smallest_epsilon(floats, metric), options.repeats)
    expect(abs(theirs - math.log(truth)) < 1e-9, f"{size} inputs: libqif says {theirs}, not {math.log(truth)}")
    yield Row(f"libqif in floats, {what}", f"epsilon {theirs:.9g}", time_of, "faier.epsilon", time).at(
        EPSILON, size, "libqif in floats"
    )


def _star(model: HMM) -> list[tuple[str, str]]:
    """Pairs that name every input: leakage is about all of them."""
    first, *others = model.states
    return [(first, other) for other in others]


def _libqif() -> Any:
    try:
        import qif
    except ImportError:
        return None
    return qif
