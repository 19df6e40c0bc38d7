"""`faier calibrate`: find the extreme value of a parameter that keeps the claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from faier.errors import UsageError

from . import failure, options

if TYPE_CHECKING:
    from faier.calibration import Calibration


@click.command("calibrate")
@click.argument("file")
@click.option(
    "--minimise", "--minimize", "minimise", metavar="NAME", help="Find the smallest value of this parameter."
)
@click.option(
    "--maximise", "--maximize", "maximise", metavar="NAME", help="Find the largest value of this parameter."
)
@options.budget
@options.reach
@options.fixed
@click.option(
    "--tolerance",
    metavar="T",
    default="1e-9",
    show_default=True,
    help="How close a safe and a broken value have to be, as a share of the parameter's range.",
)
@options.limits
@options.size_limit
@options.as_json
def command(
    file: str,
    minimise: str | None,
    maximise: str | None,
    epsilon: str | None,
    ratio: str | None,
    horizon: int | Literal["any"] | None,
    possible: Literal["either", "both"] | None,
    fixed: tuple[tuple[str, str], ...],
    tolerance: str,
    certificate: str | None,
    timeout: float | None,
    size_limit: int | None,
    as_json: bool,
) -> int:
    """Find the least noise: the smallest (or largest) value of a parameter that keeps the claim in FILE.

    The claim is kept for all values of the other parameters. The answer is a value that is proved to be safe beside
    one, not further away than the tolerance, that is broken by a witness. --certificate writes a proof of what is
    safe, and beside it the model file that it is about.

    Exit status: 0 found, 1 no value is safe, 3 not decided within the limits, 2 wrong usage or an invalid file.

    \b
    Examples:
      faier calibrate contagious.toml --minimise alpha --epsilon "ln 2"
      faier calibrate rates.toml --maximise p --certificate safe.json
    """
    from faier.api import read_tolerance

    from .certificates import reserve_with_model, save_with_model
    from .output import emit_json, emit_result
    from .progress import status_line
    from .source import read

    goal: Literal["minimise", "maximise"]
    if minimise is not None and maximise is None:
        parameter, goal = minimise, "minimise"
    elif maximise is not None and minimise is None:
        parameter, goal = maximise, "maximise"
    else:
        raise UsageError("give --minimise NAME or --maximise NAME, one of the two")
    width = read_tolerance(tolerance)
    scenario, left = read(
        file,
        size_limit=size_limit,
        epsilon=epsilon,
        ratio=ratio,
        horizon=horizon,
        possible=possible,
        fixed=fixed,
        timeout=timeout,
    )
    targets = reserve_with_model(certificate, source=file)

    from faier.engine import calibrate

    with status_line() as listen:
        found = calibrate(scenario, parameter, goal, tolerance=width, seconds=left, progress=listen)
    written, model = save_with_model(found.proof, targets)

    if as_json:
        from faier.report.calibration import calibration_record

        emit_json(calibration_record(found, written, model))
    else:
        from faier.report.calibration import calibration_sentence
        from faier.report.terminal import calibration_view

        emit_result(calibration_sentence(found), calibration_view(found, written, model))
    return _status(found)


def _status(found: Calibration) -> int:
    if not found.complete:
        return failure.UNKNOWN
    return failure.HOLDS if found.safe is not None else failure.VIOLATED
