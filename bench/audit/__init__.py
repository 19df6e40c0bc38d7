"""Our epsilon, our tester and other testers on the same mechanisms in one run: what is found, how far off, how long."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import faier
from faier.auditing.audit import audit
from faier.evidence import Evidence

from ..row import Options, Row, expect
from ..timing import Time, once
from .peers import Peer, peers
from .subjects import Tested, tested


def rows(options: Options) -> Iterator[Row]:
    samples = 50_000 if options.quick else 500_000
    others = peers()
    for subject in tested():
        tight, exactly = once(partial(faier.epsilon, subject.scenario, timeout=options.limit))
        truth = math.log(tight.ratio.upper) if tight.ratio.upper != math.inf else math.inf
        if subject.known is not None:
            expect(tight.exact and tight.ratio.upper == subject.known, f"{subject.name}: {tight}")
        yield Row(f"{subject.name}: epsilon", f"{truth:.7g}, {'exact' if tight.exact else 'enclosed'}", exactly)
        for kinds, name in ((("value", "set"), "histogram attack"), (None, "all events and a classifier")):
            found, time = once(
                partial(
                    audit, subject.sampler, subject.pairs, samples=samples, seed=1, kinds=kinds,
                    classifier=None if kinds else "logistic",
                )
            )
            expect(found.lower_bound <= truth + 0.05 + truth * 0.1, f"{subject.name}: {found}")
            yield _row(f"{subject.name}: faier audit, {name}", found, truth, time, exactly)
        for peer in others:
            yield _other(peer, subject, truth, samples)


def _row(what: str, found: Evidence, truth: float, time: Time, exactly: Time) -> Row:
    estimate = "none" if found.estimate is None else f"{found.estimate:.4f}"
    error = "" if math.isinf(truth) else f", {found.lower_bound - truth:+.4f} from the truth"
    answer = f"at least {found.lower_bound:.4f} (95 %){error}; estimate {estimate}"
    return Row(what, answer, time, "faier.epsilon", exactly, f"{found.drawn:,} samples; {found.bound_event_text[:60]}")


def _other(peer: Peer, subject: Tested, truth: float, samples: int) -> Row:
    (value, note), time = once(partial(peer.run, subject, samples))
    error = "" if math.isinf(truth) or value is None else f", {value - truth:+.4f} from the truth"
    return Row(f"{subject.name}: {peer.name}", "nothing" if value is None else f"{value:.4f}{error}", time, note=note)
