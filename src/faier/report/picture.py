"""Small inline SVG pictures: the ratio along a word against its bound, and bounds on a line."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from faier.number.budget import Budget
from faier.number.exact import Extended, Prob
from faier.scenario.scenario import Scenario

from .path import Point
from .rounding import log_above, log_below
from .text import decimal
from .values import number_at

_WIDTH, _HEIGHT, _MARGIN = 420, 160, 28
_MOST_POINTS = 400


def claimed_log(scenario: Scenario, values: Mapping[str, Fraction] | None = None) -> float | None:
    """ln of the claimed ratio, as near as a picture needs it; of one with parameters at these values."""
    budget = scenario.claim.budget
    if budget is None:
        return None
    if isinstance(budget, Budget):
        return log_below(budget.below())
    number = number_at(budget, scenario, values or {})
    return None if number is None else log_below(number)


def path_picture(points: Sequence[Point], bound: float | None) -> str:
    """The logarithm of the ratio after each symbol, against the claimed epsilon (a dashed line)."""
    logs = [_log(point.ratio) for point in points]
    finite = [y for y in [*logs, bound, 0.0] if y is not None and math.isfinite(y)]
    low, high = min(finite), max(finite)
    # An infinite ratio is drawn at the frame, clearly above everything finite.
    spread = (high - low) or 1.0
    low, high = low - 0.1 * spread, high + 0.1 * spread
    places = [(i, y) for i, y in enumerate(logs) if y is not None]
    if len(places) > _MOST_POINTS:
        stride = -(-len(places) // _MOST_POINTS)
        places = [*places[:-1:stride], places[-1]]

    def x(i: int) -> float:
        return _MARGIN + (_WIDTH - 2 * _MARGIN) * ((i + 1) / max(1, len(points)))

    def y(value: float) -> float:
        share = min(1.0, max(0.0, (value - low) / (high - low)))
        return _HEIGHT - _MARGIN - (_HEIGHT - 2 * _MARGIN) * share

    parts = [_line(_MARGIN, y(0.0), _WIDTH - _MARGIN, y(0.0), "#999"), _label(2, y(0.0) + 4, "0")]
    if bound is not None:
        parts.append(_line(_MARGIN, y(bound), _WIDTH - _MARGIN, y(bound), "#c33", dashed=True))
        parts.append(_label(_MARGIN, y(bound) - 4, f"claimed epsilon {decimal(bound, 4)}"))
    parts.append(_polyline([(float(_MARGIN), y(0.0)), *((x(i), y(v)) for i, v in places)]))
    parts += [f'<circle cx="{x(i):.1f}" cy="{y(v):.1f}" r="2.5" fill="#246"/>' for i, v in places]
    parts.append(_label(_MARGIN, _HEIGHT - 6, "epsilon shown so far, symbol by symbol"))
    return _svg(parts, "the logarithm of the ratio along the word against the claimed epsilon")


def bounds_picture(lower: Extended | Prob, upper: Extended | Prob, bound: float | None, caption: str = "") -> str:
    """Where the tight epsilon lies on a line, with the claimed epsilon; `caption` says it in words."""
    low, high = log_below(lower), log_above(upper)
    finite = [v for v in (low, high, bound, 0.0) if v is not None and math.isfinite(v)]
    start, end = min(finite), max(finite)
    spread = (end - start) or 1.0
    start, end = start - 0.1 * spread, end + 0.1 * spread
    height = 70

    def x(value: float) -> float:
        share = min(1.0, max(0.0, (value - start) / (end - start)))
        return _MARGIN + (_WIDTH - 2 * _MARGIN) * share

    parts = [_line(_MARGIN, 40, _WIDTH - _MARGIN, 40, "#999")]
    parts.append(
        f'<rect x="{x(low):.1f}" y="34" width="{max(3.0, x(high) - x(low)):.1f}" height="12" fill="#246"/>'
    )
    if bound is not None:
        parts.append(_line(x(bound), 22, x(bound), 52, "#c33", dashed=True))
        parts.append(_label(x(bound), 18, f"claimed {decimal(bound, 4)}"))
    words = caption or f"epsilon between {decimal(low, 6)} and {decimal(high, 6)}"
    parts.append(_label(_MARGIN, 64, words))
    return _svg(parts, "bounds of the tight epsilon against the claimed one", height)


def _log(ratio: Extended | Prob | None) -> float | None:
    return None if ratio is None else log_below(ratio)


def _svg(parts: Sequence[str], title: str, height: int = _HEIGHT) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" role="img"><title>{title}</title>{"".join(parts)}</svg>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, *, dashed: bool = False) -> str:
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{dashes}/>'


def _polyline(places: Sequence[tuple[float, float]]) -> str:
    text = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
    return f'<polyline points="{text}" fill="none" stroke="#246" stroke-width="1.5"/>'


def _label(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-family="sans-serif" font-size="11" fill="#555">{text}</text>'
