"""`faier region`: for which values of one or two parameters the claim holds."""

from __future__ import annotations

from typing import Literal

import click

from . import failure, options


@click.command("region")
@click.argument("file")
@click.option("--over", metavar="A,B", required=True, help="The one or two parameters that span the picture.")
@options.budget
@options.reach
@options.fixed
@click.option(
    "--effort",
    type=click.IntRange(min=1),
    metavar="N",
    default=1_000,
    show_default=True,
    help="How many boxes may be looked at; what is undecided shrinks as it grows.",
)
@click.option("--svg", metavar="OUT", help="Write the picture to this file.")
@options.seconds
@options.size_limit
@options.as_json
def command(
    file: str,
    over: str,
    epsilon: str | None,
    ratio: str | None,
    horizon: int | Literal["any"] | None,
    possible: Literal["either", "both"] | None,
    fixed: tuple[tuple[str, str], ...],
    effort: int,
    svg: str | None,
    timeout: float | None,
    size_limit: int | None,
    as_json: bool,
) -> int:
    """Cut the plane of two parameters into boxes: safe, unsafe, or undecided.

    In a safe box the claim in FILE holds for all values of the other parameters; in an unsafe box some of their
    values break it at every point. Of a single parameter, its range is cut.

    Exit status: 0 the picture is as fine as --effort allows, 3 --timeout or Ctrl-C came first,
    2 wrong usage or an invalid file.

    \b
    Examples:
      faier region rates.toml --over pA,pB --svg rates.svg
      faier region rates.toml --over pA,pB --effort 10000 --json
    """
    from faier.api import read_names

    from .output import Target, emit_json, emit_result, warn, write_text
    from .progress import status_line
    from .source import read

    names = read_names(over)
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
    target = None if svg is None else Target.reserve(svg, source=file)

    from faier.engine import region as survey

    with status_line() as listen:
        found = survey(scenario, names, effort=effort, seconds=left, progress=listen)
    if target is not None:
        from faier.report.region_picture import region_picture

        try:
            write_text(target, region_picture(found))
        except OSError as error:
            warn(f"no picture was written to {target.path}: {error}")
    if as_json:
        from faier.report.region import region_record

        emit_json(region_record(found))
    else:
        from faier.report.region import region_sentence
        from faier.report.terminal import region_view

        emit_result(region_sentence(found), region_view(found))
    return failure.UNKNOWN if found.stopped else failure.HOLDS
