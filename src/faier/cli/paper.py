"""`faier paper`: the tables of the paper that faier started from, computed live."""

from __future__ import annotations

import sys

import click

from faier.errors import UsageError

from . import failure, options


@click.command("paper")
@click.option("--only", metavar="NAME", multiple=True, help="Only this row, such as nm2; repeatable.")
@options.as_json
def command(only: tuple[str, ...], as_json: bool) -> int:
    """Compute the paper's tables again: verdicts, witnesses, tight ratios, times, and where the paper differs.

    The paper is "Verifying Pufferfish Privacy in Hidden Markov Models", whose prototype is called FAIER as well. The
    rows are its Table 1, the exact part of its section 6, what it reports of testing tools, and its Theorem 1.

    Exit status: 0 all rows are as expected, 1 some are not, 2 wrong usage.

    \b
    Examples:
      faier paper
      faier paper --only nm2 --json
    """
    from faier.model.names import suggestion
    from faier.paper.table import BY_NAME, ROWS

    from .interruption import noticed
    from .output import emit, emit_json, emit_result
    from .progress import working_on

    for name in only:
        if name not in BY_NAME:
            hint = suggestion(name, list(BY_NAME)) or f"; there are {', '.join(BY_NAME)}"
            raise UsageError(f"--only {name}: there is no such row{hint}")
    rows = [row for row in ROWS if not only or row.name in only]
    answers = []
    with working_on() as listen, noticed() as raise_again:
        for row in rows:
            listen(f"{row.name}: {row.mechanism}")
            answers.append(row.answer())
            raise_again()
    if as_json:
        from faier.paper.records import paper_record

        emit_json(paper_record(answers))
    else:
        from faier.paper.text import paper_lines, paper_sentence, paper_view

        if sys.stdout.isatty():
            emit_result(paper_sentence(answers), paper_view(answers))
        else:
            emit("\n".join([paper_sentence(answers), *paper_lines(answers)]))
    return failure.HOLDS if all(answer.as_expected for answer in answers) else failure.VIOLATED
