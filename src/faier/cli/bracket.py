"""`faier bracket`: sampling proposes, the verifier certifies and closes."""

from __future__ import annotations

from typing import Literal

import click

from . import failure, inputs, options


@click.command("bracket")
@click.argument("target", required=False)
@inputs.pairs
@inputs.sampling
@options.reach
@options.fixed
@click.option(
    "--tolerance",
    metavar="T",
    default="1e-9",
    show_default=True,
    help='Relative width of the ratio at "any".',
)
@options.limits
@options.size_limit
@options.as_json
def command(
    target: str | None,
    pairs_file: str | None,
    length: int | None,
    span: str,
    move: Literal["patterns", "each", "one"],
    samples: int,
    seed: int,
    confidence: float,
    external: str | None,
    command_timeout: float,
    horizon: int | Literal["any"] | None,
    possible: Literal["either", "both"] | None,
    fixed: tuple[tuple[str, str], ...],
    tolerance: str,
    certificate: str | None,
    timeout: float | None,
    size_limit: int | None,
    as_json: bool,
) -> int:
    """Bracket the tight epsilon of TARGET: tests propose pairs, the verifier certifies and closes the interval.

    Where a model exists the result is exact, or a certified enclosure. A function or a command that can only be run is
    learned from samples instead, and the result is an estimate, which is said.

    Exit status: 0 closed, or proved infinite; 3 only a wider interval or an estimate; 2 wrong usage.

    \b
    Examples:
      faier bracket mechanism.py:noisy_max
      faier bracket above_threshold.toml --horizon any
      faier bracket --command "python release.py" --length 3
    """
    from faier.api import read_tolerance
    from faier.mechanisms.time_limit import built_within
    from faier.together.bracket import bracket

    from .certificates import reserve, save
    from .output import emit_json, emit_result, note
    from .sampled import printing_to_stderr, subject_of
    from .source import checked_against

    width = read_tolerance(tolerance)
    reserved = reserve(certificate, source=target or "")
    tried = inputs.read_inputs(pairs_file, length, span, move)
    with printing_to_stderr():
        what, left = built_within(
            timeout,
            lambda: subject_of(target, external, command_timeout, tried, horizon, fixed, size_limit, possible),
        )
        found = bracket(what, samples=samples, seed=seed, confidence=confidence, tolerance=width, seconds=left)
    written = None if found.tight is None else save(found.tight, reserved)
    if written is not None and target is not None and (command_line := checked_against(target, fixed)):
        note(f"the certificate is about the file that this writes: {command_line}")
    if as_json:
        from faier.report.evidence import bracket_record

        emit_json(bracket_record(found) | {"certificate": written})
    else:
        from faier.report.evidence import bracket_facts, bracket_sentence
        from faier.report.terminal import facts_view

        facts = bracket_facts(found) + ([("certificate", written)] if written is not None else [])
        emit_result(bracket_sentence(found), facts_view(facts))
    return failure.HOLDS if found.tight is not None and found.tight.complete else failure.UNKNOWN
