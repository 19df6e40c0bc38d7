"""`faier check`: re-check a certificate with the independent checker."""

from __future__ import annotations

import click

from . import options


@click.command("check")
@click.argument("certificate")
@click.argument("file")
@options.as_json
def command(certificate: str, file: str, as_json: bool) -> int:
    """Re-derive what CERTIFICATE claims from the model FILE, and print the claim that is proved.

    The same as `python -m faier_check CERTIFICATE FILE`: a program of its own that shares no code with faier.

    Exit status: 0 valid, 1 rejected, 3 valid but for named steps that rest on a solver, 2 wrong usage.

    \b
    Example:
      faier verify contagious.toml --certificate proof.json
      faier check proof.json contagious.toml
    """
    from faier_check.__main__ import main

    return main([*(["--json"] if as_json else []), "--", certificate, file])
