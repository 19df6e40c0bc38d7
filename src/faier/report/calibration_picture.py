"""A calibration for a notebook: the sentence, the range of the parameter in colours, and a table."""

from __future__ import annotations

from fractions import Fraction
from html import escape

from faier.calibration import Calibration

from .calibration import calibration_facts, calibration_sentence
from .html import table
from .text import decimal

_WIDTH, _HEIGHT, _MARGIN = 420, 70, 28
_SAFE, _UNSAFE, _OPEN = "#7cb98a", "#d98a83", "#dddddd"


def calibration_html(found: Calibration) -> str:
    """The calibration as HTML; every name in it is escaped."""
    colour = "#171" if found.safe is not None else "#b22" if found.unsafe_beyond else "#a60"
    sentence = f'<p style="color:{colour}"><b>{escape(calibration_sentence(found))}</b></p>'
    body = calibration_picture(found) + table((), calibration_facts(found))
    return f'<div class="faier">{sentence}{body}</div>'


def calibration_picture(found: Calibration) -> str:
    """The range on a line: what is proved safe, what is proved broken, and what is not known."""
    range_ = found.range

    def x(value: Fraction) -> float:
        return _MARGIN + (_WIDTH - 2 * _MARGIN) * float((value - range_.lower) / (range_.upper - range_.lower))

    near, far = (range_.lower, range_.upper) if found.goal == "minimise" else (range_.upper, range_.lower)
    parts = [_bar(x(range_.lower), x(range_.upper), _OPEN)]
    if found.unsafe_beyond:
        last = found.unsafe if found.safe is not None and found.unsafe is not None else far
        parts.append(_bar(x(near), x(last), _UNSAFE))
    if found.safe is not None and found.safe_beyond:
        # Where no value is broken, every value of the range was proved.
        parts.append(_bar(x(near if found.unsafe is None else found.safe), x(far), _SAFE))
    for value, colour in ((found.safe, "#171"), (found.unsafe, "#b22")):
        if value is not None:
            parts.append(f'<line x1="{x(value):.1f}" y1="18" x2="{x(value):.1f}" y2="46" stroke="{colour}"/>')
    if (marked := found.safe if found.safe is not None else found.unsafe) is not None:
        parts.append(_label(x(marked), 13, decimal(marked, 10), "middle"))
    parts += [
        _label(x(range_.lower), 62, decimal(range_.lower, 4), "start"),
        _label(_WIDTH / 2, 62, found.parameter, "middle"),
        _label(x(range_.upper), 62, decimal(range_.upper, 4), "end"),
    ]
    title = f"values of {escape(found.parameter)} that keep the claim, and values that break it"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"><title>{title}</title>{"".join(parts)}</svg>'
    )


def _bar(one: float, two: float, colour: str) -> str:
    left, right = min(one, two), max(one, two)
    return f'<rect x="{left:.1f}" y="24" width="{right - left:.1f}" height="16" fill="{colour}"/>'


def _label(x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-family="sans-serif" font-size="11" '
        f'fill="#555">{escape(text)}</text>'
    )
