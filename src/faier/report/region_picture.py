"""A region as a picture: the rectangle of its parameters with each box in the colour of its verdict."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from html import escape

from faier.partition import STANDINGS, Region, RegionBox, Standing

from .html import table
from .region import region_facts, region_sentence
from .text import decimal

_WIDTH, _HEIGHT, _BAND = 420, 420, 60
_LEFT, _TOP, _BELOW, _RIGHT = 64, 12, 58, 16
_COLOURS: dict[Standing, str] = {
    "safe": "#7cb98a",
    "unsafe": "#d98a83",
    "undecided": "#dddddd",
    "outside": "#ffffff",
}
_TICKS = 4


def region_picture(region: Region) -> str:
    """A complete SVG document: one rectangle for each box, axes with the parameters' names, a legend."""
    height = _HEIGHT if len(region.over) == 2 else _BAND
    width, full = _LEFT + _WIDTH + _RIGHT, _TOP + height + _BELOW
    title = f"for which values of {' and '.join(region.over)} the claim holds"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{full}" '
        f'viewBox="0 0 {width} {full}" role="img" font-family="sans-serif" font-size="11">',
        f"<title>{escape(title)}</title>",
        f'<rect x="0" y="0" width="{width}" height="{full}" fill="#ffffff"/>',
        *(_rectangle(region, box, height) for box in region.boxes),
        f'<rect x="{_LEFT}" y="{_TOP}" width="{_WIDTH}" height="{height}" fill="none" stroke="#555555"/>',
        *_axis_below(region, height),
        *(_axis_beside(region, height) if len(region.over) == 2 else ()),
        *_legend(region, _TOP + height + 50),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def region_html(region: Region) -> str:
    """The region as HTML: the sentence, the picture and the shares."""
    sentence = f'<p style="color:#246"><b>{escape(region_sentence(region))}</b></p>'
    return f'<div class="faier">{sentence}{region_picture(region)}{table((), region_facts(region))}</div>'


def _rectangle(region: Region, box: RegionBox, height: int) -> str:
    x1, x2 = (_LEFT + _WIDTH * share for share in _shares(region, box, 0))
    low, high = _shares(region, box, 1) if len(region.over) == 2 else (0.0, 1.0)
    y1, y2 = _TOP + height * (1 - high), _TOP + height * (1 - low)
    # A line of its own colour closes the gaps that rounding would leave between neighbours.
    colour = _COLOURS[box.verdict]
    return (
        f'<rect class="{box.verdict}" x="{x1:.3f}" y="{y1:.3f}" width="{x2 - x1:.3f}" height="{y2 - y1:.3f}" '
        f'fill="{colour}" stroke="{colour}" stroke-width="0.2"/>'
    )


def _shares(region: Region, box: RegionBox, axis: int) -> tuple[float, float]:
    range_ = region.ranges[axis]
    lo, hi = box.sides[axis]
    width = range_.upper - range_.lower
    return float((lo - range_.lower) / width), float((hi - range_.lower) / width)


def _axis_below(region: Region, height: int) -> Iterator[str]:
    for share, value in _ticks(region, 0):
        x = _LEFT + _WIDTH * share
        yield f'<line x1="{x:.1f}" y1="{_TOP + height}" x2="{x:.1f}" y2="{_TOP + height + 4}" stroke="#555555"/>'
        yield _text(x, _TOP + height + 16, value, "middle")
    yield _text(_LEFT + _WIDTH / 2, _TOP + height + 32, region.over[0], "middle", 13)


def _axis_beside(region: Region, height: int) -> Iterator[str]:
    for share, value in _ticks(region, 1):
        y = _TOP + height * (1 - share)
        yield f'<line x1="{_LEFT - 4}" y1="{y:.1f}" x2="{_LEFT}" y2="{y:.1f}" stroke="#555555"/>'
        yield _text(_LEFT - 7, y + 4, value, "end")
    x, y = 14, _TOP + height / 2
    yield (
        f'<text x="{x}" y="{y:.1f}" text-anchor="middle" font-size="13" fill="#333333" '
        f'transform="rotate(-90 {x} {y:.1f})">{escape(region.over[1])}</text>'
    )


def _ticks(region: Region, axis: int) -> Iterator[tuple[float, str]]:
    range_ = region.ranges[axis]
    for k in range(_TICKS + 1):
        share = Fraction(k, _TICKS)
        yield float(share), decimal(range_.lower + (range_.upper - range_.lower) * share, 4)


def _legend(region: Region, y: int) -> Iterator[str]:
    areas, x = region.areas, _LEFT
    for name in STANDINGS:
        if areas[name] and name != "outside":
            yield f'<rect x="{x}" y="{y - 9}" width="10" height="10" fill="{_COLOURS[name]}" stroke="#555555"/>'
            yield _text(x + 15, y, name, "start")
            x += 100


def _text(x: float, y: float, text: str, anchor: str, size: int = 11) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="#333333">'
        f"{escape(text)}</text>"
    )
