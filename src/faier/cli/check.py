"""`faier check`: re-check a certificate with the independent checker."""

from __future__ import annotations

import click

from . import options


@click.command("check")
@click.argument("certificate")
@click.argument("file")
@click.option("--operations", type=click.IntRange(min=1), metavar="N", help="Give up after so much work.")
@click.option("--file-bytes", type=click.IntRange(min=1), metavar="N", help="The longest file that is read.")
@options.jobs
@options.as_json
def command(
    certificate: str, file: str, operations: int | None, file_bytes: int | None, as_json: bool
) -> int:
    """Re-check CERTIFICATE against FILE, without trusting who made it.

    Every number is recomputed from the model FILE, and the claim that is proved is printed.

    The same as `python -m faier_check CERTIFICATE FILE`: a program of its own that shares no code with faier.

    Exit status: 0 valid, 1 rejected, 3 valid but for named steps that rest on a solver, 2 wrong usage.

    \b
    Example:
      faier verify contagious.toml --certificate proof.json
      faier check proof.json contagious.toml
    """
    from faier.workers import jobs
    from faier_check.__main__ import main

    arguments = ["--json"] if as_json else []
    if operations is not None:
        arguments += ["--operations", str(operations)]
    if file_bytes is not None:
        arguments += ["--file-bytes", str(file_bytes)]
    arguments += ["--jobs", str(jobs())]
    return main([*arguments, "--", certificate, file])
