"""The plot of a run: time against size, a panel for each family, both axes logarithmic; an SVG written by hand."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from .results import Case

_WIDTH, _HEIGHT = 300, 210
_LEFT, _ABOVE, _AXIS, _RIGHT, _LINE = 58, 30, 38, 14, 14
_COLUMNS, _TOP = 3, 52
_APART = 30
"""Labels of sizes stand at least so far from each other."""
_LEAST = 1e-6
"""A clock that ticks in microseconds says 0 of what is shorter."""

_COLOURS = {"faier": "#1f5fa8", "z3": "#c8541b", "cvc5": "#8a3ba8", "libqif": "#2f8f4e", "floor": "#777777"}
_OTHERS_COLOUR = "#a38600"
_SHAPES = {
    "z3": "M-3,-3H3V3H-3Z",
    "cvc5": "M0,-4L4,0L0,4L-4,0Z",
    "libqif": "M-3.6,-3L3.6,-3L0,3.6Z",
    "floor": "M-2,-2H2V2H-2Z",
}
"""What marks a point: circles are faier's, crosses those of all others. Lines of two colours may lie on each other."""
_CROSS = "M-3,-3L3,3M-3,3L3,-3"
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 5")
"""The lines of several series of one colour in one panel."""


@dataclass(frozen=True)
class Point:
    size: float
    seconds: float
    stopped: bool


@dataclass(frozen=True)
class Family:
    """The points of each series, by size; and the limit that solvers had."""

    series: Mapping[str, list[Point]]
    limit: float


def svg(cases: Iterable[Case]) -> str:
    """A complete SVG document. The dashed line of each panel is the limit; an open triangle was stopped by it."""
    families = points(cases)
    width, tops = _COLUMNS * (_LEFT + _WIDTH + _RIGHT), _tops(list(families.values()))
    height = tops.pop()
    scale = _scale(families.values())
    limits = " or ".join(f"{limit:g} s" for limit in sorted({family.limit for family in families.values()}))
    head = (
        f"processor time against size; both axes logarithmic; dashed line: the limit of a solver's query, {limits}; "
        "open triangle: stopped there"
        if families
        else "none of these rows belongs to a family"
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="sans-serif" font-size="11">',
        "<title>How the time grows with the size: faier, its peers and its floors</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        _text(_LEFT, 22, "How the time grows with the size", size=15),
        _text(_LEFT, 40, head),
    ]
    for number, (name, family) in enumerate(families.items()):
        down, right = divmod(number, _COLUMNS)
        parts.append(f'<g transform="translate({right * width // _COLUMNS + _LEFT} {tops[down] + _ABOVE})">')
        parts += _panel(name, family, scale)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def _tops(families: Sequence[Family]) -> list[int]:
    """Where each row of panels begins, and where the last one ends: as high as its longest list of series asks for."""
    tops = [_TOP]
    for start in range(0, len(families), _COLUMNS):
        lines = max(len(family.series) for family in families[start : start + _COLUMNS])
        tops.append(tops[-1] + _ABOVE + _HEIGHT + _AXIS + _LINE * lines + 12)
    return tops


def points(cases: Iterable[Case]) -> dict[str, Family]:
    """The families of all cases. Of several rows at one place the slowest counts, and above all one that stopped."""
    found: dict[str, dict[str, dict[float, Point]]] = {}
    limits: dict[str, float] = {}
    for case in cases:
        for row in case.rows:
            if row.size is None:
                continue
            limits[row.family] = max(limits.get(row.family, 0.0), case.limit)
            series = found.setdefault(row.family, {}).setdefault(row.series, {})
            new = Point(row.size, max(row.time.process, _LEAST), row.stopped)
            old = series.get(row.size, new)
            series[row.size] = max(old, new, key=lambda p: (p.stopped, p.seconds))
    return {
        name: Family(
            {who: [at[size] for size in sorted(at)] for who, at in sorted(series.items(), key=_rank)}, limits[name]
        )
        for name, series in found.items()
    }


def _rank(named: tuple[str, object]) -> tuple[int, str]:
    """faier first, then its peers, then the floors."""
    return {"faier": 0, "floor": 2}.get(_who(named[0]), 1), named[0]


def _scale(families: Collection[Family]) -> tuple[int, int]:
    """The decades of the common axis of time, which make panels comparable."""
    times = [p.seconds for family in families for series in family.series.values() for p in series]
    limits = [family.limit for family in families]
    ends = min(times, default=1.0), max([*times, *limits], default=1.0)
    return math.floor(math.log10(ends[0])), math.ceil(math.log10(ends[1]))


def _panel(name: str, family: Family, scale: tuple[int, int]) -> Iterator[str]:
    """Drawn around the upper left corner of its axes."""
    series = family.series
    sizes = sorted({p.size for found in series.values() for p in found})
    low, high = math.log(sizes[0]), math.log(sizes[-1])

    def x(size: float) -> float:
        return _WIDTH / 2 if low == high else 12 + (_WIDTH - 24) * (math.log(size) - low) / (high - low)

    def y(seconds: float) -> float:
        return _HEIGHT * (scale[1] - math.log10(seconds)) / (scale[1] - scale[0])

    yield _text(0, -10, name, size=12)
    for decade in range(scale[0], scale[1] + 1):
        at = y(10.0**decade)
        yield f'<line x1="0" y1="{at:.1f}" x2="{_WIDTH}" y2="{at:.1f}" stroke="#e6e6e6"/>'
        yield _text(-6, at + 4, _duration(decade), "end")
    yield f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="#555555"/>'
    at = y(family.limit)
    yield f'<line x1="0" y1="{at:.1f}" x2="{_WIDTH}" y2="{at:.1f}" stroke="#555555" stroke-dasharray="4 4"/>'
    yield _text(_WIDTH - 4, at + 12, f"{family.limit:g} s", "end", size=10)
    last = -math.inf
    for size in sizes:
        if x(size) - last >= _APART:
            last = x(size)
            yield f'<line x1="{last:.1f}" y1="{_HEIGHT}" x2="{last:.1f}" y2="{_HEIGHT + 4}" stroke="#555555"/>'
            yield _text(last, _HEIGHT + 16, _short(size), "middle")
    yield _text(_WIDTH / 2, _HEIGHT + 30, name.rpartition(" by ")[2], "middle")
    for number, (who, style) in enumerate(_styles(series).items()):
        joined = " ".join(f"{x(p.size):.1f},{y(p.seconds):.1f}" for p in series[who])
        yield f'<polyline points="{joined}" fill="none" {style}/>'
        yield from (_mark(p, x(p.size), y(p.seconds), who, style) for p in series[who])
        under = _HEIGHT + _AXIS + _LINE * number + 8
        yield f'<line x1="0" y1="{under - 4}" x2="26" y2="{under - 4}" {style}/>'
        yield _shape(who, 13, under - 4, _colour(style))
        yield _text(32, under, who)


def _mark(point: Point, x: float, y: float, who: str, style: str) -> str:
    end = "stopped at" if point.stopped else "in"
    told = f"<title>{escape(who)}, {_short(point.size)}: {end} {point.seconds:.3g} s</title>"
    if not point.stopped:
        return _shape(who, x, y, _colour(style), told)
    corners = f"{x - 5:.1f},{y + 4:.1f} {x + 5:.1f},{y + 4:.1f} {x:.1f},{y - 5:.1f}"
    return f'<polygon points="{corners}" fill="none" stroke="{_colour(style)}" stroke-width="1.5">{told}</polygon>'


def _shape(who: str, x: float, y: float, colour: str, told: str = "") -> str:
    """What marks a point of a series; in the list of series the same, with nothing told."""
    if (name := _who(who)) == "faier":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colour}">{told}</circle>'
    path, where = _SHAPES.get(name, _CROSS), f'transform="translate({x:.1f} {y:.1f})"'
    return f'<path d="{path}" {where} fill="{colour}" stroke="{colour}">{told}</path>'


def _colour(style: str) -> str:
    return style.split('"')[1]


def _styles(series: Iterable[str]) -> dict[str, str]:
    """One colour for each of those who were measured, and lines of its own for each of its series."""
    used: dict[str, int] = {}
    styles = {}
    for name in series:
        colour = _COLOURS.get(_who(name), _OTHERS_COLOUR)
        dash = _DASHES[used.setdefault(colour, 0) % len(_DASHES)]
        used[colour] += 1
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        styles[name] = f'stroke="{colour}" stroke-width="1.5"{dashed}'
    return styles


def _who(series: str) -> str:
    """The first word: who was measured."""
    return re.split(r"[^a-z0-9]", series.lower(), maxsplit=1)[0]


def _duration(decade: int) -> str:
    for least, unit in ((0, "s"), (-3, "ms"), (-6, "us"), (-9, "ns")):
        if decade >= least:
            return f"{10 ** (decade - least)} {unit}"
    return f"1e{decade} s"


def _short(size: float) -> str:
    if size >= 10**6:
        return f"{size / 10**6:g}M"
    return f"{size / 1000:g}k" if size >= 10**4 else f"{size:g}"


def _text(x: float, y: float, text: str, anchor: str = "start", size: int = 11) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="#333333">'
        f"{escape(text)}</text>"
    )
