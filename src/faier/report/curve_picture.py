"""p-values over epsilon, as CSV and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

Points = Sequence[tuple[float, float]]

_WIDTH, _HEIGHT = 460, 240
_LEFT, _TOP, _BELOW, _RIGHT = 56, 16, 44, 16
_LEVEL = 0.05


def curve_csv(points: Points) -> str:
    """Two columns, epsilon and p_value."""
    return "epsilon,p_value\n" + "".join(f"{epsilon:.6g},{p:.6g}\n" for epsilon, p in points)


def curve_svg(points: Points) -> str:
    """A complete SVG document: the points, joined, and the level 0.05 below which an epsilon is rejected."""
    top = max(epsilon for epsilon, _ in points) or 1.0
    width, height = _LEFT + _WIDTH + _RIGHT, _TOP + _HEIGHT + _BELOW

    def place(epsilon: float, p: float) -> str:
        return f"{_LEFT + _WIDTH * epsilon / top:.2f},{_TOP + _HEIGHT * (1 - p):.2f}"

    joined = " ".join(place(*p) for p in points)
    level = _TOP + _HEIGHT * (1 - _LEVEL)
    floor = _TOP + _HEIGHT + 16
    ticks = [
        f'<text x="{_LEFT + _WIDTH * k / 4:.1f}" y="{floor}" text-anchor="middle">{top * k / 4:.3g}</text>'
        for k in range(5)
    ] + [
        f'<text x="{_LEFT - 8}" y="{_TOP + _HEIGHT * (1 - k / 4) + 4:.1f}" text-anchor="end">{k / 4:g}</text>'
        for k in range(5)
    ]
    return (
        "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                f'viewBox="0 0 {width} {height}" '
                'role="img" font-family="sans-serif" font-size="11">',
                f"<title>{escape('p-values of claimed epsilons')}</title>",
                f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
                f'<rect x="{_LEFT}" y="{_TOP}" width="{_WIDTH}" height="{_HEIGHT}" fill="none" stroke="#555555"/>',
                f'<line x1="{_LEFT}" y1="{level:.2f}" x2="{_LEFT + _WIDTH}" y2="{level:.2f}" stroke="#d98a83"/>',
                f'<polyline fill="none" stroke="#336699" stroke-width="1.5" points="{joined}"/>',
                *(
                    f'<circle cx="{place(*p).split(",")[0]}" cy="{place(*p).split(",")[1]}" r="2.5" fill="#336699"/>'
                    for p in points
                ),
                *ticks,
                f'<text x="{_LEFT + _WIDTH / 2}" y="{height - 8}" text-anchor="middle">claimed epsilon</text>',
                f'<text x="{_LEFT}" y="{_TOP - 4}">p-value</text>',
                "</svg>",
            ]
        )
        + "\n"
    )
