"""`faier convert`: write a scenario in another format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from faier.errors import UsageError

from . import options

if TYPE_CHECKING:
    from faier.scenario.scenario import Scenario

_FORMATS = ("toml", "smtlib", "redlog", "qepcad")


@click.command("convert")
@click.argument("file")
@click.option("--to", "form", type=click.Choice(_FORMATS), help="The format; toml where FILE is a .cnf.")
@click.option(
    "--encoding",
    type=click.Choice(["linear", "literal"]),
    help="For smtlib: linear arithmetic (the default), or the published query to the letter.",
)
@click.option("--lump", is_flag=True, help="Make states that behave alike one; every word keeps its probabilities.")
@click.option("-o", "--output", metavar="OUT", help="Write to this file instead of stdout.")
@options.budget
@options.reach
@options.fixed
@options.jobs
@options.size_limit
def command(
    file: str,
    form: Literal["toml", "smtlib", "redlog", "qepcad"] | None,
    encoding: Literal["linear", "literal"] | None,
    lump: bool,
    output: str | None,
    epsilon: str | None,
    ratio: str | None,
    horizon: int | Literal["any"] | None,
    possible: Literal["either", "both"] | None,
    fixed: tuple[tuple[str, str], ...],
    size_limit: int | None,
) -> int:
    """Write FILE in another format.

    FILE may be path/to/file.py:name. What --to toml writes of it is the model that certificates are checked against.

    \b
    Examples:
      faier convert survey.py:response --to toml -o response.toml
      faier convert survey.py:response --to toml --lump -o smaller.toml
      faier convert contagious.toml --to smtlib -o contagious.smt2
      faier convert noisy_max_rates.toml --to redlog -o rates.red
      faier convert formula.cnf -o formula.toml
    """
    from faier.api import is_dimacs

    from .output import Target, emit, write_text
    from .source import read

    if form is None:
        if not is_dimacs(file):
            raise UsageError(f"say which format to write: --to {' or --to '.join(_FORMATS)}")
        form = "toml"
    if encoding is not None and form != "smtlib":
        raise UsageError(f"--encoding goes with --to smtlib, not with --to {form}")
    scenario, _ = read(
        file, size_limit=size_limit, epsilon=epsilon, ratio=ratio, horizon=horizon, possible=possible, fixed=fixed
    )
    if lump:
        from faier.api import lump as lump_states

        scenario = lump_states(scenario)
    target = None if output in (None, "-") else Target.reserve(output, source=file)
    text = _written(scenario, form, encoding or "linear")
    if target is None:
        emit(text.removesuffix("\n"))
    else:
        write_text(target, text)
    return 0


def _written(scenario: Scenario, form: str, encoding: Literal["linear", "literal"]) -> str:
    if form == "toml":
        from faier.model.toml_write import dumps

        return dumps(scenario)
    if form == "redlog":
        from faier.interop.redlog import to_redlog

        return to_redlog(scenario)
    if form == "qepcad":
        from faier.interop.qepcad import to_qepcad

        return to_qepcad(scenario)
    from faier.interop.smtlib import to_smtlib

    return to_smtlib(scenario, encoding=encoding)
