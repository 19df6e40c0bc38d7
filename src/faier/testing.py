"""The functions of the public surface that sample: test a claim, bracket epsilon, decide what another tool says."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from faier.api import Path, load, read_timeout, read_tolerance
from faier.errors import UsageError
from faier.scenario.scenario import Scenario

if TYPE_CHECKING:
    from faier.combined import Bracket, Refutation
    from faier.evidence import Evidence
    from faier.mechanisms.mechanism import Mechanism
    from faier.together.subject import Subject


def audit(
    target: Any,
    pairs: Sequence[tuple[Any, Any]] | None = None,
    *,
    epsilon: float | str | None = None,
    samples: int = 200_000,
    seed: int = 0,
    confidence: float = 0.95,
    length: int | None = None,
    low: int = 0,
    high: int = 2,
    classifier: Literal["logistic", "perceptron"] | None = "logistic",
    finalists: int = 1,
) -> Evidence:
    """Test by sampling: is an event more than e**epsilon times as likely for one input as for another?

    `target` is a scenario, a mechanism, a function of a data set, anything with `sample(data_set, n, seed)`, or
    the path of one; `pairs` of inputs are tried, or patterns for lists of `length` answers from `low` to
    `high`. What comes out is `Evidence`, never a verdict: a mechanism that keeps epsilon is rejected with
    probability at most 1 - `confidence`.
    """
    from faier.auditing.audit import audit as test

    what = _subject(target, pairs, length, low, high)
    claimed = None if epsilon is None else read_test_epsilon(epsilon)
    return test(
        what.sampler,
        what.pairs,
        epsilon=claimed,
        samples=samples,
        seed=seed,
        confidence=confidence,
        keep=what.keep,
        first=what.first,
        classifier=classifier,
        finalists=finalists,
        one_way=what.one_way,
    )


def bracket(
    target: Any,
    pairs: Sequence[tuple[Any, Any]] | None = None,
    *,
    samples: int = 100_000,
    seed: int = 0,
    confidence: float = 0.95,
    length: int | None = None,
    low: int = 0,
    high: int = 2,
    tolerance: str | int | Fraction = "1e-9",
    timeout: float | None = None,
) -> Bracket:
    """Bracket the tight epsilon: a test proposes a pair, the verifier certifies it and closes the interval.

    Of what can only be run a model is learned instead, and the result is an estimate: `.learned`, not `.tight`.
    """
    from faier.together.bracket import bracket as close

    return close(
        _subject(target, pairs, length, low, high),
        samples=samples,
        seed=seed,
        confidence=confidence,
        tolerance=read_tolerance(tolerance),
        seconds=read_timeout(timeout),
    )


def refute(target: Scenario | Mechanism | Path, claim: Mapping[str, Any]) -> Refutation:
    """Confirm or refute what another tool says, exactly: claim = {"left", "right", "event", "epsilon"}.

    The event is a list of words, and means that one of them is output.
    """
    from faier.mechanisms.mechanism import Mechanism
    from faier.together.refute import refute as decide
    from faier.together.target import runnable

    found = runnable(target, load) if isinstance(target, str | PathLike) else target
    if not isinstance(found, Scenario | Mechanism):
        raise UsageError(
            f"to refute takes a scenario or a mechanism, which have an exact model; got {found!r}"
        )
    return decide(found, claim)


def _subject(
    target: Any, pairs: Sequence[tuple[Any, Any]] | None, length: int | None, low: int, high: int
) -> Subject:
    from faier.together.subject import Inputs, subject
    from faier.together.target import runnable

    found = runnable(target, load) if isinstance(target, str | PathLike) else target
    return subject(found, Inputs(pairs, length, low, high))


def read_test_epsilon(value: object) -> float:
    """An epsilon to test, as a float: tests are not exact, so "ln 2" is as good as 0.6931."""
    if isinstance(value, float) and math.isfinite(value):
        return value
    from faier.report.rounding import log_above
    from faier.scenario.budgets import read_epsilon

    budget = read_epsilon(value)
    return float(budget.power) if budget.base == 1 else log_above(budget.above())
