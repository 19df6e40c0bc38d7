"""`faier profile`: how much probability lies beyond a ratio."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from . import failure, options

if TYPE_CHECKING:
    from .output import Target


@click.command("profile")
@click.argument("file")
@click.option("--ratio", metavar="C", help="Find delta at this ratio, such as 2 or 7/2.")
@click.option("--epsilon", metavar="E", help='Find delta at this epsilon, such as "ln 2" or 0.7.')
@click.option("--delta", metavar="D", help="Find the smallest epsilon with this delta, such as 1e-6 or 1/1000.")
@options.horizon
@options.fixed
@click.option(
    "--tolerance",
    metavar="T",
    default="1e-6",
    show_default=True,
    help="At the horizon any: how close the bounds of delta, or of the ratio, have to be.",
)
@click.option("--svg", metavar="OUT", help="Write the curve as a picture to this file.")
@click.option(
    "--csv", metavar="OUT", is_flag=False, flag_value="-", help="Write the points as CSV; without OUT to stdout."
)
@options.limits
@options.size_limit
@options.as_json
def command(
    file: str,
    ratio: str | None,
    epsilon: str | None,
    delta: str | None,
    horizon: int | Literal["any"] | None,
    fixed: tuple[tuple[str, str], ...],
    tolerance: str,
    svg: str | None,
    csv: str | None,
    certificate: str | None,
    timeout: float | None,
    size_limit: int | None,
    as_json: bool,
) -> int:
    """Show how delta falls as epsilon grows, for the worst pair of FILE.

    Delta at an epsilon is the largest left(S) - e^epsilon * right(S) of a set S of words that count. With --ratio or
    --epsilon it is found there, with --delta the smallest epsilon that has this delta, and else the whole curve.
    Exact at a finite horizon, enclosed at any.

    Exit status: 0 found, 3 --timeout or Ctrl-C came first, 2 wrong usage or an invalid file.

    \b
    Examples:
      faier profile contagious.toml --epsilon "ln 2"
      faier profile contagious.toml --delta 1e-6
      faier profile contagious.toml --svg curve.svg
    """
    from faier.api import read_tolerance
    from faier.errors import NumberError, UsageError
    from faier.scenario.budgets import read_delta, read_epsilon, read_ratio

    from .certificates import reserve, save
    from .output import Target, emit, emit_json, emit_result, note
    from .progress import status_line
    from .source import checked_against, read

    if sum(value is not None for value in (ratio, epsilon, delta)) > 1:
        raise UsageError("give one of --ratio, --epsilon and --delta")
    if as_json and csv == "-":
        raise UsageError("--json and --csv both write to stdout; give --csv the name of a file")
    try:
        at = None if ratio is None else read_ratio(ratio)
        at = at if epsilon is None else read_epsilon(epsilon)
        allowed = None if delta is None else read_delta(delta)
    except NumberError as error:
        option = next(o for o, v in (("ratio", ratio), ("epsilon", epsilon), ("delta", delta)) if v is not None)
        raise UsageError(f"--{option} {ratio or epsilon or delta}: {error}") from error
    width = read_tolerance(tolerance)
    scenario, left = read(file, size_limit=size_limit, horizon=horizon, fixed=fixed, timeout=timeout)
    target = reserve(certificate, source=file)
    picture = None if svg is None else Target.reserve(svg, source=file)
    sheet = None if csv is None or csv == "-" else Target.reserve(csv, source=file)

    from faier.engine import profile_of

    with status_line() as listen:
        found = profile_of(scenario, ratio=at, delta=allowed, tolerance=width, seconds=left, progress=listen)
    written = save(found, target)

    if written and (command_line := checked_against(file, fixed)):
        note(f"the certificate is about the file that this writes: {command_line}")
    if picture is not None:
        from faier.report.profile_picture import profile_picture

        _write(picture, profile_picture(found), "picture")
    if csv is not None:
        from faier.report.profile import profile_csv

        if sheet is not None:
            _write(sheet, profile_csv(found), "table")
    if as_json:
        from faier.report.profile import profile_record

        emit_json(profile_record(found, written))
    elif csv == "-":
        emit(profile_csv(found).rstrip("\n"))
    else:
        from faier.report.profile import profile_sentence
        from faier.report.terminal import profile_view

        emit_result(profile_sentence(found), profile_view(found, written))
    return failure.HOLDS if found.complete else failure.UNKNOWN


def _write(target: Target, text: str, what: str) -> None:
    from .output import warn, write_text

    try:
        write_text(target, text)
    except OSError as error:
        warn(f"no {what} was written to {target.path}: {error}")
