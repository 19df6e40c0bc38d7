"""The answers for people: a sentence, a table on terminals or plain blocks elsewhere, and the remarks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import fill

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from faier.report.rounding import log_above
from faier.report.sentences import witness_text
from faier.report.text import decimal, short
from faier.report.values import approach_text, values_text
from faier.verdict import ValuesLimit

from .row import Answer

_WIDTH = 100


def paper_sentence(answers: Sequence[Answer]) -> str:
    """How many rows there are, whether all came out as they should, and how many verdicts of the paper are right."""
    count, wrong = len(answers), [answer.row.name for answer in answers if not answer.as_expected]
    agreeing = sum(answer.agrees for answer in answers)
    state = f"not as expected: {', '.join(wrong)}" if wrong else "all as expected"
    rows = f"{count} row{'' if count == 1 else 's'}"
    return f"paper: {rows}, {state}; {agreeing} of the published verdicts are right, {count - agreeing} not"


def paper_view(answers: Sequence[Answer]) -> RenderableType:
    """For terminals: a table of the rows, and the remarks below it."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for head, options in (
        ("", {"style": "bold", "no_wrap": True}),
        ("question", {"overflow": "fold", "ratio": 3}),
        ("faier", {"no_wrap": True}),
        ("tight ratio", {"overflow": "fold", "ratio": 1}),
        ("witness", {"overflow": "fold", "ratio": 2}),
        ("seconds", {"justify": "right", "no_wrap": True}),
        ("published", {"overflow": "fold", "ratio": 2}),
    ):
        table.add_column(head, **options)
    for answer in answers:
        table.add_row(*_cells(answer))
    parts: list[RenderableType] = [Padding(table, (1, 0, 0, 0))]
    for answer in answers:
        for remark in answer.remarks:
            said = Text.assemble((answer.row.name, "bold"), "  ", remark.text)
            parts.append(Padding(said, (1, 0, 0, 0)))
    return Group(*parts)


def paper_lines(answers: Sequence[Answer]) -> Iterator[str]:
    """For files and pipes: a block of lines for each row."""
    for part, rows in groupby(answers, key=lambda answer: answer.row.part):
        yield ""
        yield part
        for answer in rows:
            yield f"  {answer.row.name}: {answer.row.mechanism}, {answer.row.asked}"
            yield f"    faier: {answer.decision}, tight ratio {tight_text(answer)}; {answer.seconds:.2f} s"
            if witness := witness_of(answer):
                yield f"    witness: {witness}"
            yield f"    {published_text(answer)}"
            for remark in answer.remarks:
                yield fill(remark.text, _WIDTH, initial_indent="    - ", subsequent_indent="      ")


def tight_text(answer: Answer) -> str:
    """The tight ratio with its epsilon, and the values that are approached where none reach it."""
    tight, upper = answer.tight, answer.tight.ratio.upper
    said = f"{short(upper)} (epsilon {decimal(log_above(upper))})"
    if isinstance(tight.limit, ValuesLimit):
        said += f", approached as {approach_text(tight.limit, tight.scenario)}"
    return said


def witness_of(answer: Answer) -> str:
    """The witness in words; empty where the claim holds."""
    return "" if answer.witness is None else witness_text(answer.witness)


def published_text(answer: Answer) -> str:
    """The published verdict, with its time and witness, and whether it is right."""
    published = answer.row.published
    witness = f", witness {published.witness}" if published.witness else ""
    right = "" if answer.agrees else " (wrong)"
    return f"{published.by}: {published.verdict}{right}, {published.time}{witness}"


def _cells(answer: Answer) -> tuple[Text, ...]:
    colour = "green" if answer.decision == "holds" else "red"
    witness = answer.witness
    word = "" if witness is None else " ".join(map(str, witness.word))
    if witness is not None and witness.parameters:
        word += f" at {values_text(witness.parameters)}"
    return (
        Text(answer.row.name),
        Text(f"{answer.row.mechanism}: {answer.row.asked}"),
        Text(answer.decision + ("" if answer.as_expected else " (!)"), style=colour),
        Text(tight_text(answer)),
        Text(word),
        Text(f"{answer.seconds:.2f}"),
        Text(published_text(answer), style="" if answer.agrees else "yellow"),
    )
