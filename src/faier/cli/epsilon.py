"""`faier epsilon`: find the tight epsilon."""

from __future__ import annotations

from typing import Literal

import click

from faier.errors import OutOfTime

from . import failure, options


@click.command("epsilon")
@click.argument("file")
@options.reach
@options.fixed
@click.option(
    "--tolerance",
    metavar="T",
    default="1e-9",
    show_default=True,
    help="The relative width of the ratio's enclosure to stop at, such as 1e-9 or 1/1000.",
)
@options.limits
@options.size_limit
@options.explain
@options.as_json
def command(
    file: str,
    horizon: int | Literal["any"] | None,
    possible: Literal["either", "both"] | None,
    fixed: tuple[tuple[str, str], ...],
    tolerance: str,
    certificate: str | None,
    timeout: float | None,
    size_limit: int | None,
    explain: bool,
    as_json: bool,
) -> int:
    """Find the smallest epsilon that FILE keeps.

    Exactly where possible, else enclosed as tightly as asked.

    Exit status: 0 found (or proved infinite), 3 only a wider enclosure was reached,
    2 wrong usage or an invalid file.

    \b
    Examples:
      faier epsilon contagious.toml
      faier epsilon contagious.toml --horizon any --tolerance 1e-6 --json
    """
    from faier.api import read_tolerance

    from .certificates import reserve, save
    from .output import emit, emit_json, emit_result, note
    from .progress import status_line
    from .source import checked_against, read

    width = read_tolerance(tolerance)
    try:
        scenario, left = read(
            file, size_limit=size_limit, horizon=horizon, possible=possible, fixed=fixed, timeout=timeout
        )
    except OutOfTime as late:
        if as_json:
            from faier.report.unbuilt import unbuilt_tight_record
            from faier.scenario.scenario import Claim

            emit_json(unbuilt_tight_record(late, Claim(None, horizon, possible or "either")))
        else:
            emit(f"unknown: {late}")
        return failure.UNKNOWN
    scenario.require_horizon()
    scenario.require_built()
    target = reserve(certificate, source=file)

    from faier.engine import epsilon as enclose

    with status_line() as listen:
        tight = enclose(scenario, tolerance=width, seconds=left, progress=listen)
    written = save(tight, target)

    if written and (command_line := checked_against(file, fixed)):
        note(f"the certificate is about the file that this writes: {command_line}")
    if as_json:
        from faier.report.records import tight_record

        emit_json(tight_record(tight, written, explain=explain))
    else:
        from faier.report.sentences import tight_sentence
        from faier.report.terminal import tight_view

        emit_result(tight_sentence(tight), tight_view(tight, written, explain=explain))
    return failure.HOLDS if tight.complete else failure.UNKNOWN
