"""From the arguments of a command to what is sampled, and to what has an exact model."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from faier.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from faier.evidence import Evidence
    from faier.mechanisms.mechanism import Mechanism
    from faier.scenario.scenario import Scenario
    from faier.together.subject import Inputs, Subject

    from .output import Target

_POINTS = 25


def subject_of(
    target: str | None,
    external: str | None,
    seconds: float,
    tried: Inputs,
    horizon: int | Literal["any"] | None,
    fixed: Sequence[tuple[str, str]],
    size_limit: int | None,
    possible: Literal["either", "both"] | None = None,
) -> Subject:
    """What is to be tested: a target, or an external command."""
    from faier.auditing.command import CommandSampler
    from faier.together.subject import subject
    from faier.together.target import runnable

    if (target is None) == (external is None):
        raise UsageError("give a TARGET (a model file, or file.py:name), or --command; one of the two")
    if external is not None:
        _no_model("a command", fixed, horizon)
        return subject(CommandSampler(external, seconds=seconds), tried)
    assert target is not None

    def load(path: str) -> Scenario:
        from .source import read

        return read(path, size_limit=size_limit, horizon=horizon, possible=possible, fixed=fixed)[0]

    from faier.mechanisms.mechanism import Mechanism
    from faier.scenario.scenario import Scenario

    found = runnable(target, load)
    if fixed and isinstance(found, Mechanism):
        # With numbers in the place of its parameters, a mechanism is the scenario that other commands take it for.
        found = load(target)
    if isinstance(found, Scenario):
        return subject(found.claiming(horizon=horizon, possible=possible), tried)
    what = subject(found, tried)
    if what.scenario is None:
        _no_model(target, fixed, horizon)
        return what
    return replace(what, scenario=what.scenario.claiming(horizon=horizon, possible=possible))


def _no_model(what: str, fixed: Sequence[tuple[str, str]], horizon: int | Literal["any"] | None) -> None:
    if fixed or horizon is not None:
        option = "--set" if fixed else "--horizon"
        raise UsageError(f"{option} is about a model, and {what} can only be run")


@contextlib.contextmanager
def printing_to_stderr() -> Iterator[None]:
    """While a user's function is sampled: stdout is for results, and with --json for nothing else."""
    with contextlib.redirect_stdout(sys.stderr):
        yield


def modelled(target: str, fixed: Sequence[tuple[str, str]], size_limit: int | None) -> Scenario | Mechanism:
    """A target with an exact model: a scenario or a mechanism."""
    from faier.mechanisms.answering import StreamMechanism
    from faier.mechanisms.mechanism import Mechanism
    from faier.scenario.scenario import Scenario
    from faier.together.target import runnable

    def load(path: str) -> Scenario:
        from .source import read

        return read(path, size_limit=size_limit, fixed=fixed)[0]

    found = runnable(target, load)
    if isinstance(found, StreamMechanism) or (fixed and isinstance(found, Mechanism)):
        found = load(target)
    if not isinstance(found, Scenario | Mechanism):
        raise UsageError(
            f"{target} can be run, but has no exact model; to refute takes a scenario or a mechanism"
        )
    return found


def write_curve(target: Target, what: Subject, found: Evidence, samples: int, seed: int) -> None:
    """Sweep epsilon around what was found, and write the p-values as CSV or SVG."""
    from faier.auditing.audit import curve
    from faier.report.curve_picture import curve_csv, curve_svg

    from .output import write_text

    top = max(0.2, 1.5 * max(found.lower_bound, found.epsilon or 0.0))
    grid = [top * k / (_POINTS - 1) for k in range(_POINTS)]
    with printing_to_stderr():
        points = curve(
            what.sampler, what.pairs, grid, samples=samples, seed=seed, keep=what.keep, one_way=what.one_way
        )
    write_text(target, curve_svg(points) if target.path.endswith(".svg") else curve_csv(points))
