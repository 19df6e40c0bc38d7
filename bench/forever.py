"""Known mechanisms that go on for ever: a supremum that no word reaches, ratios without end, and what stays open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from pathlib import Path

import faier
from faier.report.text import symbol_text
from faier.scenario.scenario import Scenario
from faier.verdict import Tight

from . import certificates
from .row import Options, Row, expect
from .timing import best

EXAMPLES = Path(__file__).parent.parent / "examples"
SPARSE_VECTOR = ("svt_1", "svt_2", "svt_4", "svt_5", "svt_6")
SECONDS = 60


def rows(options: Options) -> Iterator[Row]:
    rappor = faier.load(EXAMPLES / "rappor.toml")
    yield from _case("RAPPOR, the same permanent bits for ever", rappor, _exactly_81, options)
    paper = faier.load(EXAMPLES / "above_threshold_any.toml")
    yield from _case("Above Threshold, as the paper models it", paper, _doubles, options)
    stream = faier.load(EXAMPLES / "above_threshold_stream.toml")
    yield from _case("Above Threshold, as a stream", stream, _doubles, options)
    for name in SPARSE_VECTOR:
        variant = faier.differential_privacy(getattr(faier.library, name)(), horizon="any")
        yield from _case(f"the sparse vector technique, library.{name}", variant, _any_bounds, options)


def _case(what: str, scenario: Scenario, right: Callable[[Tight], bool], options: Options) -> Iterator[Row]:
    ask = partial(faier.epsilon, scenario, horizon="any", timeout=10 if options.quick else SECONDS)
    tight, time = best(ask, options.repeats)
    expect(right(tight), f"{what}: {tight}")
    yield Row(f"epsilon, {what}", _told(tight), time, note="" if tight.complete else f"{tight.reason}")
    if tight.complete:
        yield from certificates.rows(what, tight, scenario, time, options)


def _exactly_81(tight: Tight) -> bool:
    return tight.ratio.lower == tight.ratio.upper == 81 and not tight.attained


def _doubles(tight: Tight) -> bool:
    return tight.diverges is not None and tight.diverges.growth == 2


def _any_bounds(tight: Tight) -> bool:
    """Divergence, or a word of infinite ratio, or an honest enclosure."""
    return tight.ratio.lower == inf or (not tight.complete and tight.ratio.lower < tight.ratio.upper)


def _told(tight: Tight) -> str:
    if tight.diverges is not None:
        found = tight.diverges
        words = found.prefix, found.loop, found.suffix
        start, loop, end = ("".join(f"{symbol_text(symbol)} " for symbol in word) for word in words)
        grows = f"{found.growth} = {float(found.growth):.12g}" if found.growth.denominator > 1 else f"{found.growth}"
        return f"no epsilon exists: {start}({loop.strip()})^n {end}grows like {grows}^n"
    if tight.ratio.lower == inf:
        return "no epsilon exists: a word that one side alone can say"
    if not tight.complete:
        return f"open: the ratio is at least {float(tight.ratio.lower):.7g}"
    return f"ratio exactly {tight.ratio.lower}" + ("" if tight.attained else ", which no word reaches")
