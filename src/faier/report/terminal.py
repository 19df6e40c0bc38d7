"""Results for a terminal: the facts, and the witness as a table, symbol by symbol."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from faier.number.exact import Extended, Prob
from faier.scenario.scenario import Scenario
from faier.verdict import Event, Tight, Verdict, Violated, Witness

from .event import event_rows
from .explanation import explanation_facts
from .facts import Facts, tight_facts, verdict_facts
from .path import Point, along
from .text import compact, decimal, name_text, symbol_text

if TYPE_CHECKING:
    from faier.approximate import Profile
    from faier.calibration import Calibration
    from faier.measures import Measure
    from faier.partition import Region

MOST_ROWS = 40
_COLOURS = {
    "holds": "bold green",
    "safe": "bold green",
    "violated": "bold red",
    "none": "bold red",
    "unknown": "bold yellow",
    "undecided": "bold yellow",
    "epsilon": "bold cyan",
    "region": "bold cyan",
    "rejected": "bold red",
    "refuted": "bold red",
    "confirmed": "bold green",
}


def verdict_view(verdict: Verdict, certificate: str | None = None, *, explain: bool = False) -> RenderableType:
    """What follows the verdict's sentence."""
    more = explanation_facts(verdict.explanation, verdict.engine) if explain else []
    facts = verdict_facts(verdict, certificate) + more
    witness = verdict.witness if isinstance(verdict, Violated) else None
    if isinstance(witness, Event):
        rows = _table(("word", ""), event_rows(witness))
        return Group(Padding(rows, (1, 0, 0, 0)), Padding(_facts(facts), (1, 0, 0, 0)))
    return _view(verdict.scenario, witness, facts)


def tight_view(tight: Tight, certificate: str | None = None, *, explain: bool = False) -> RenderableType:
    """What follows the sentence of a tight epsilon."""
    more = explanation_facts(tight.explanation, tight.engine) if explain else []
    return _view(tight.scenario, tight.witness, tight_facts(tight, certificate) + more)


def calibration_view(found: Calibration, certificate: str | None = None, model: str | None = None) -> RenderableType:
    """What follows the sentence of a calibration."""
    from .calibration import calibration_facts

    return _view(found.scenario, found.witness, calibration_facts(found, certificate, model))


def region_view(region: Region) -> RenderableType:
    """What follows the sentence of a region: a map in characters, and the shares."""
    from .region import region_facts, region_map

    return Group(Padding(Text(region_map(region)), (1, 0, 0, 0)), Padding(_facts(region_facts(region)), (1, 0, 0, 0)))


def profile_view(found: Profile, certificate: str | None = None) -> RenderableType:
    """What follows the sentence of a profile: its points."""
    from .profile import head, profile_facts, profile_rows

    facts = Padding(_facts(profile_facts(found, certificate)), (1, 0, 0, 0))
    if len(found.points) < 2:
        return facts
    return Group(Padding(_table(head(), profile_rows(found)), (1, 0, 0, 0)), facts)


def facts_view(facts: Facts) -> RenderableType:
    """What follows a sentence that has no witness: the facts."""
    return Padding(_facts(facts), (1, 0, 0, 0))


def measure_view(found: Measure) -> RenderableType:
    """What follows the sentence of a measure."""
    from .measures import measure_facts

    return Padding(_facts(measure_facts(found)), (1, 0, 0, 0))


def coloured(sentence: str) -> Text:
    """The sentence with its first word in colour."""
    text = Text(sentence)
    word = sentence.replace(":", " ").split(" ", 1)[0]
    text.stylize(_COLOURS.get(word, "bold"), 0, len(word))
    return text


def path_view(scenario: Scenario, witness: Witness) -> Table | None:
    """The witness symbol by symbol; None where the model is too large for that."""
    points = along(scenario, witness)
    return None if points is None else _path(witness, points)


def _view(scenario: Scenario, witness: Witness | None, facts: Facts) -> RenderableType:
    parts: list[RenderableType] = []
    if witness is not None and (path := path_view(scenario, witness)) is not None:
        parts.append(Padding(path, (1, 0, 0, 0)))
    parts.append(Padding(_facts(facts), (1, 0, 0, 0)))
    return Group(*parts)


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_edge=False)
    for title in titles:
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _facts(facts: Facts) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for label, value in facts:
        grid.add_row(Text(label), Text(value))
    return grid


def _path(witness: Witness, points: tuple[Point, ...]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("", justify="right", style="dim", no_wrap=True)
    table.add_column("symbol", overflow="fold")
    for side in (witness.left, witness.right):
        table.add_column(Text(name_text(side)), justify="right", overflow="fold")
    table.add_column("ratio", justify="right", overflow="fold")
    table.add_column("about", justify="right", style="dim", overflow="fold")
    kept = MOST_ROWS // 2
    for place, point in enumerate(points):
        hidden = len(points) > MOST_ROWS and kept <= place < len(points) - kept
        if not hidden:
            table.add_row(str(place + 1), *_cells(point))
        elif place == kept:
            table.add_row("", Text(f"... {len(points) - 2 * kept} more ..."))
    return table


def _cells(point: Point) -> tuple[Text, ...]:
    symbol = Text("(ends)", style="italic") if point.ends else Text(symbol_text(point.symbol))
    ratio = point.ratio
    exact = "-" if ratio is None else compact(ratio)
    about = "" if ratio is None or _is_plain(ratio) else decimal(ratio)
    return symbol, Text(compact(point.left)), Text(compact(point.right)), Text(exact), Text(about)


def _is_plain(ratio: Extended | Prob) -> bool:
    """Whether a decimal beside it would say nothing new."""
    if isinstance(ratio, float) or compact(ratio).startswith("~"):
        return True
    return isinstance(ratio, Fraction) and ratio.denominator == 1
