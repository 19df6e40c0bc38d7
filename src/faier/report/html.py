"""Results for a notebook: the sentence, a table and a picture, as self-contained HTML."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import inf

from faier.scenario.scenario import Scenario
from faier.verdict import Event, Holds, Tight, Unknown, Verdict, Violated, Witness

from .event import event_rows
from .facts import Facts, tight_facts, verdict_facts
from .path import Point, along
from .picture import bounds_picture, claimed_log, path_picture
from .rounding import log_above
from .sentences import tight_sentence, verdict_sentence
from .text import compact, decimal, name_text, symbol_text
from .values import is_number

_MOST_ROWS = 40
_COLOURS = {Holds: "#171", Violated: "#b22", Unknown: "#a60"}


def verdict_html(verdict: Verdict) -> str:
    """The verdict as HTML; every name and symbol in it is escaped."""
    bound = claimed_log(verdict.scenario)
    picture = ""
    witness = None
    if isinstance(verdict, Violated) and isinstance(verdict.witness, Event):
        picture = table(("word", ""), event_rows(verdict.witness))
    elif isinstance(verdict, Violated):
        assert isinstance(verdict.witness, Witness)
        witness = verdict.witness
        bound = claimed_log(verdict.scenario, witness.parameters)
    elif isinstance(verdict, Unknown) and not verdict.claim.delta:
        picture = bounds_picture(verdict.bounds.lower, verdict.bounds.upper, bound)
    elif verdict.trace is not None and not verdict.claim.delta and is_number(verdict.trace.ratio):
        # What was proved may be less than what was claimed; the picture shows the difference.
        proved = verdict.trace.ratio
        caption = f"proved: epsilon at most {decimal(log_above(proved), 6)}"
        picture = bounds_picture(proved, proved, bound, caption)
    sentence, colour = verdict_sentence(verdict), _COLOURS[type(verdict)]
    return _page(sentence, colour, verdict.scenario, witness, verdict_facts(verdict), bound, picture)


def tight_html(tight: Tight) -> str:
    """The tight epsilon as HTML; every name and symbol in it is escaped."""
    values = None if tight.witness is None else tight.witness.parameters
    bound = claimed_log(tight.scenario, values)
    picture = bounds_picture(tight.ratio.lower, tight.ratio.upper, bound)
    facts = tight_facts(tight)
    return _page(tight_sentence(tight), "#246", tight.scenario, tight.witness, facts, bound, picture)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Rows of text as HTML; everything is escaped."""
    heading = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{f'<thead><tr>{heading}</tr></thead>' if heading else ''}<tbody>{body}</tbody></table>"


def _page(
    sentence: str,
    colour: str,
    scenario: Scenario,
    witness: Witness | None,
    facts: Facts,
    bound: float | None,
    picture: str,
) -> str:
    parts = [f'<p style="color:{colour}"><b>{escape(sentence)}</b></p>']
    if witness is not None and (points := along(scenario, witness)) is not None:
        parts += [_path(witness, points), path_picture(points, bound)]
    else:
        parts.append(picture)
    parts.append(table((), facts))
    return f'<div class="faier">{"".join(parts)}</div>'


def _path(witness: Witness, points: tuple[Point, ...]) -> str:
    rows = [(str(i + 1), *_cells(point)) for i, point in enumerate(points)]
    if len(rows) > _MOST_ROWS:
        half = _MOST_ROWS // 2
        rows = [*rows[:half], ("", f"... {len(rows) - 2 * half} more ...", "", "", "", ""), *rows[-half:]]
    return table(("", "symbol", name_text(witness.left), name_text(witness.right), "ratio", "about"), rows)


def _cells(point: Point) -> tuple[str, ...]:
    symbol = "(ends)" if point.ends else symbol_text(point.symbol)
    ratio = point.ratio
    shown = ("-", "") if ratio is None else (compact(ratio), "" if ratio == inf else decimal(ratio))
    return symbol, compact(point.left), compact(point.right), *shown
