"""Reading what a command is about, with the options that replace what it claims."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from faier.errors import NumberError, UsageError

from .output import warn

if TYPE_CHECKING:
    from faier.scenario.scenario import Scenario


_MECHANISM = re.compile(rb"^[ \t]*(?:\[[ \t]*mechanism[ \t]*\]|mechanism[ \t]*[.=])", re.MULTILINE)


def read(
    path: str,
    *,
    size_limit: int | None = None,
    epsilon: str | None = None,
    ratio: str | None = None,
    delta: str | None = None,
    horizon: int | Literal["any"] | None = None,
    possible: Literal["either", "both"] | None = None,
    fixed: Sequence[tuple[str, str]] = (),
    timeout: float | None = None,
) -> tuple[Scenario, float | None]:
    """Load FILE or file.py:name, with the options in its claim and numbers for parameters; warnings go to stderr.

    Also how much of --timeout is left for what follows.
    """
    from faier.mechanisms.time_limit import built_within

    def build() -> Scenario:
        return _read(path, size_limit, epsilon, ratio, delta, horizon, possible, fixed)

    return built_within(timeout, build)


def _read(
    path: str,
    size_limit: int | None,
    epsilon: str | None,
    ratio: str | None,
    delta: str | None,
    horizon: int | Literal["any"] | None,
    possible: Literal["either", "both"] | None,
    fixed: Sequence[tuple[str, str]],
) -> Scenario:
    if epsilon is not None and ratio is not None:
        raise UsageError("give --epsilon or --ratio, not both")
    from faier.api import load_with_warnings

    scenario, warnings = load_with_warnings(path, size_limit=size_limit)
    for text in warnings:
        warn(text)
    try:
        asked = scenario.claiming(epsilon=epsilon, ratio=ratio, horizon=horizon, possible=possible)
    except NumberError as error:
        option = f"--epsilon {epsilon}" if epsilon is not None else f"--ratio {ratio}"
        raise UsageError(f"{option}: {error}") from error
    try:
        asked = asked.claiming(delta=delta)
    except NumberError as error:
        option = f"--delta {delta}"
        raise UsageError(f"{option}: {error}") from error
    return asked.fixing(_settings(fixed))


def checked_against(path: str, fixed: Sequence[tuple[str, str]]) -> str | None:
    """The command that writes the model that a certificate is about; None where that is the file itself."""
    from faier.api import is_dimacs
    from faier.targets.address import address

    if not (fixed or address(path) or is_dimacs(path) or _names_a_mechanism(path)):
        return None
    settings = [part for name, number in fixed for part in ("--set", f"{name}={number}")]
    return shlex.join(["faier", "convert", path, *settings, "--to", "toml"])


def _names_a_mechanism(path: str) -> bool:
    """Whether a model file seems to have [mechanism] instead of [model]; this is for a note alone."""
    try:
        with open(path, "rb") as file:
            return _MECHANISM.search(file.read(1 << 16)) is not None
    except OSError:
        return False


def _settings(fixed: Sequence[tuple[str, str]]) -> dict[str, str]:
    values: dict[str, str] = {}
    for name, number in fixed:
        if name in values:
            raise UsageError(f"--set gives {name} twice")
        values[name] = number
    return values
