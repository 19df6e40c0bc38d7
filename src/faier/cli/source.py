"""Reading the model file of a command, with the options that replace what it claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from faier.errors import NumberError, UsageError

from .output import warn

if TYPE_CHECKING:
    from faier.scenario.scenario import Scenario


def read(
    path: str,
    *,
    size_limit: int | None = None,
    epsilon: str | None = None,
    ratio: str | None = None,
    horizon: int | Literal["any"] | None = None,
    possible: Literal["either", "both"] | None = None,
) -> Scenario:
    """Load FILE and apply the options to its claim; warnings go to stderr."""
    if epsilon is not None and ratio is not None:
        raise UsageError("give --epsilon or --ratio, not both")
    from faier.api import load_with_warnings

    scenario, warnings = load_with_warnings(path, size_limit=size_limit)
    for text in warnings:
        warn(text)
    try:
        return scenario.claiming(epsilon=epsilon, ratio=ratio, horizon=horizon, possible=possible)
    except NumberError as error:
        option = f"--epsilon {epsilon}" if epsilon is not None else f"--ratio {ratio}"
        raise UsageError(f"{option}: {error}") from error
