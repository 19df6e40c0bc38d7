"""A profile as a picture: delta against epsilon, in SVG."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from html import escape

from faier.approximate import Profile

from .html import table
from .profile import head, log_of, profile_facts, profile_rows, profile_sentence
from .text import decimal

_WIDTH, _HEIGHT = 420, 260
_LEFT, _TOP, _BELOW, _RIGHT = 64, 16, 46, 16
_TICKS = 4
_BETWEEN = 24
"""How many places are drawn between two corners: delta is linear in the ratio, and curved in its logarithm."""


def profile_picture(found: Profile) -> str:
    """A complete SVG document: the upper bound of delta against epsilon, its points, and axes."""
    width, full = _LEFT + _WIDTH + _RIGHT, _TOP + _HEIGHT + _BELOW
    places = [(log_of(p.ratio), float(p.delta.lower), float(p.delta.upper)) for p in found.points]
    places = [p for p in places if math.isfinite(p[0])]
    most = max((p[0] for p in places), default=0.0) * 1.05 or 1.0
    least = min(0.0, *(p[0] for p in places), 0.0)
    top = max((p[2] for p in places), default=0.0) * 1.05 or 1.0

    def at(epsilon: float, delta: float) -> tuple[float, float]:
        return _LEFT + _WIDTH * (epsilon - least) / (most - least), _TOP + _HEIGHT * (1 - delta / top)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{full}" '
        f'viewBox="0 0 {width} {full}" role="img" font-family="sans-serif" font-size="11">',
        f"<title>{escape(profile_sentence(found))}</title>",
        f'<rect x="0" y="0" width="{width}" height="{full}" fill="#ffffff"/>',
    ]
    if len(places) > 1:
        drawn = [at(x, y) for x, y in _line(places, linear=found.linear, end=most)]
        text = " ".join(f"{x:.2f},{y:.2f}" for x, y in drawn)
        parts.append(f'<polyline points="{text}" fill="none" stroke="#246" stroke-width="1.5"/>')
    for epsilon, lower, upper in places:
        (x, y1), (_, y2) = at(epsilon, lower), at(epsilon, upper)
        if upper > lower:
            parts.append(f'<line x1="{x:.2f}" y1="{y1:.2f}" x2="{x:.2f}" y2="{y2:.2f}" stroke="#246"/>')
        if len(places) <= 60:
            parts.append(f'<circle cx="{x:.2f}" cy="{y2:.2f}" r="2.5" fill="#246"/>')
    parts += [
        f'<rect x="{_LEFT}" y="{_TOP}" width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="#555555"/>',
        *_axes(least, most, top),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def profile_html(found: Profile) -> str:
    """The profile as HTML: the sentence, the picture and the points."""
    sentence = f'<p style="color:#246"><b>{escape(profile_sentence(found))}</b></p>'
    points = table(head(), profile_rows(found))
    return f'<div class="faier">{sentence}{profile_picture(found)}{points}{table((), profile_facts(found))}</div>'


def _line(places: list[tuple[float, float, float]], *, linear: bool, end: float) -> Iterator[tuple[float, float]]:
    for (x1, _, y1), (x2, _, y2) in itertools.pairwise(places):
        yield x1, y1
        for k in range(1, _BETWEEN) if linear else ():
            x = x1 + (x2 - x1) * k / _BETWEEN
            share = math.expm1(x - x1) / math.expm1(x2 - x1) if x2 > x1 else 0.0
            yield x, y1 + (y2 - y1) * share
    yield places[-1][0], places[-1][2]
    if linear:
        yield end, places[-1][2]


def _axes(least: float, most: float, top: float) -> Iterator[str]:
    for k in range(_TICKS + 1):
        share = k / _TICKS
        x, y = _LEFT + _WIDTH * share, _TOP + _HEIGHT * (1 - share)
        yield f'<line x1="{x:.1f}" y1="{_TOP + _HEIGHT}" x2="{x:.1f}" y2="{_TOP + _HEIGHT + 4}" stroke="#555555"/>'
        yield _text(x, _TOP + _HEIGHT + 16, decimal(least + (most - least) * share, 3), "middle")
        yield f'<line x1="{_LEFT - 4}" y1="{y:.1f}" x2="{_LEFT}" y2="{y:.1f}" stroke="#555555"/>'
        yield _text(_LEFT - 7, y + 4, decimal(top * share, 3), "end")
    yield _text(_LEFT + _WIDTH / 2, _TOP + _HEIGHT + 34, "epsilon", "middle", 13)
    x, middle = 14, _TOP + _HEIGHT / 2
    yield (
        f'<text x="{x}" y="{middle:.1f}" text-anchor="middle" font-size="13" fill="#333333" '
        f'transform="rotate(-90 {x} {middle:.1f})">delta</text>'
    )


def _text(x: float, y: float, text: str, anchor: str, size: int = 11) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="#333333">'
        f"{escape(text)}</text>"
    )
