"""`faier refute`: is the witness of another tool as telling as it says?"""

from __future__ import annotations

import click

from faier.errors import UsageError

from . import failure, inputs, options


@click.command("refute")
@click.argument("target")
@click.argument("claim")
@options.fixed
@options.size_limit
@options.as_json
def command(
    target: str, claim: str, fixed: tuple[tuple[str, str], ...], size_limit: int | None, as_json: bool
) -> int:
    """Confirm or refute, exactly, what another tool says of TARGET in the file CLAIM.

    CLAIM is JSON: {"left": [1, 1], "right": [0, 2], "event": [[1]], "epsilon": 0.8}, and says that one of the words of
    the event is at least e^epsilon times as likely on one side as on the other.

    Exit status: 0 confirmed, 1 refuted, 2 wrong usage or an invalid file.

    \b
    Examples:
      faier refute mechanism.py:noisy_max claim.json
      faier refute noisy_max.toml claim.json --json
    """
    from faier.together.refute import refute

    from .output import emit_json, emit_result
    from .sampled import modelled, printing_to_stderr

    written = inputs.read_json(claim)
    if not isinstance(written, dict):
        raise UsageError(
            f'{claim}: an object is expected, {{"left": ..., "right": ..., "event": [[1]], "epsilon": 1.2}}'
        )
    with printing_to_stderr():
        found = refute(modelled(target, fixed, size_limit), written)
    if as_json:
        from faier.report.evidence import refutation_record

        emit_json(refutation_record(found))
    else:
        from faier.report.evidence import refutation_facts, refutation_sentence
        from faier.report.terminal import facts_view

        emit_result(refutation_sentence(found), facts_view(refutation_facts(found)))
    return failure.HOLDS if found.confirmed else failure.VIOLATED
