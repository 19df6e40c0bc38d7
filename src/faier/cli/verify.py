"""`faier verify`: decide the claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, assert_never

import click

from faier.errors import OutOfTime

from . import failure, options

if TYPE_CHECKING:
    from faier.verdict import Verdict


@click.command("verify")
@click.argument("file")
@options.budget
@options.delta
@options.reach
@options.fixed
@click.option(
    "--engine",
    type=click.Choice(["auto", "tree", "boxes", "z3", "cvc5"]),
    default="auto",
    show_default=True,
    help="Who decides: boxes with parameters, tree without; z3 and cvc5 are second opinions at a finite horizon.",
)
@options.limits
@options.size_limit
@options.explain
@options.as_json
def command(
    file: str,
    epsilon: str | None,
    ratio: str | None,
    delta: str | None,
    horizon: int | Literal["any"] | None,
    possible: Literal["either", "both"] | None,
    fixed: tuple[tuple[str, str], ...],
    engine: Literal["auto", "tree", "boxes", "z3", "cvc5"],
    certificate: str | None,
    timeout: float | None,
    size_limit: int | None,
    explain: bool,
    as_json: bool,
) -> int:
    """Decide whether the claim in FILE holds, exactly.

    Exit status: 0 it holds, 1 it is violated, 3 unknown, 2 wrong usage or an invalid file.

    \b
    Examples:
      faier verify contagious.toml
      faier verify contagious.toml --epsilon "ln 4" --horizon 3 --certificate proof.json
      faier verify independent.toml --set p=1/3
    """
    from .certificates import reserve, save
    from .output import emit_json, emit_result, note
    from .progress import status_line
    from .source import checked_against, read

    try:
        scenario, left = read(
            file,
            size_limit=size_limit,
            epsilon=epsilon,
            ratio=ratio,
            delta=delta,
            horizon=horizon,
            possible=possible,
            fixed=fixed,
            timeout=timeout,
        )
    except OutOfTime as late:
        return _unbuilt(late, epsilon, ratio, delta, horizon, possible, as_json=as_json)
    scenario.require_horizon()
    scenario.require_built()
    scenario.require_budget()
    target = reserve(certificate, source=file)

    from faier.engine import verify as decide

    with status_line() as listen:
        verdict = decide(scenario, engine=engine, seconds=left, progress=listen)
    written = save(verdict, target)

    if written and (command_line := checked_against(file, fixed)):
        note(f"the certificate is about the file that this writes: {command_line}")
    if as_json:
        from faier.report.records import verdict_record

        emit_json(verdict_record(verdict, written, explain=explain))
    else:
        from faier.report.sentences import verdict_sentence
        from faier.report.terminal import verdict_view

        emit_result(verdict_sentence(verdict), verdict_view(verdict, written, explain=explain))
    return _status(verdict)


def _unbuilt(
    late: OutOfTime,
    epsilon: str | None,
    ratio: str | None,
    delta: str | None,
    horizon: int | Literal["any"] | None,
    possible: Literal["either", "both"] | None,
    *,
    as_json: bool,
) -> int:
    """The time was over before there was a model: all that can be shown is what the options say."""
    from faier.report.unbuilt import unbuilt_verdict_record
    from faier.scenario.budgets import read_delta, read_epsilon, read_ratio
    from faier.scenario.scenario import Claim

    from .output import emit, emit_json

    if not as_json:
        emit(f"unknown: {late}")
        return failure.UNKNOWN
    budget = None if ratio is None else read_ratio(ratio)
    budget = budget if epsilon is None else read_epsilon(epsilon)
    asked = Claim(budget, horizon, possible or "either", read_delta(delta or 0))
    emit_json(unbuilt_verdict_record(late, asked, possible=possible is not None, delta=delta is not None))
    return failure.UNKNOWN


def _status(verdict: Verdict) -> int:
    from faier.verdict import Holds, Unknown, Violated

    match verdict:
        case Holds():
            return failure.HOLDS
        case Violated():
            return failure.VIOLATED
        case Unknown():
            return failure.UNKNOWN
        case _:
            assert_never(verdict)
