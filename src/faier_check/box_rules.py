"""The rules of a proof by boxes: one function each, named as in the certificate. It proves or raises. [T9]

What a word step proves: at every admissible value in its box, every counted word that starts with its prefix has
left <= ratio * right. What a polynomial step proves: its polynomial is at least 0 at every admissible value in
its box (after `sector`: everywhere in its box).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import NoReturn, TypeAlias

from .bernstein import coefficients as bernstein
from .bernstein import not_negative, positive
from .box_steps import BoxStep
from .boxes import LEFT, RIGHT, Boxes
from .errors import CertificateError
from .expression import ExpressionError, expression
from .number import brief
from .polynomial import (
    Poly,
    coefficients_of,
    constant,
    content,
    degree,
    divided,
    exponent,
    minus,
    plus,
    scaled,
    shifted,
    total,
    variable,
)
from .quotient import parts
from .workers import check_all

Parts: TypeAlias = Mapping[int, Poly]
"""The polynomials that remain to be proved, by the number of the part (or half)."""


def prove(boxes: Boxes) -> list[str]:
    """Check every step, each subtree in one stretch, so that few rows are needed at a time; what the proof rests on."""
    return check_all(list(boxes.in_depth()), partial(_prove_word, boxes), boxes.meter)


def _prove_word(boxes: Boxes, step: BoxStep) -> tuple[str, ...]:
    """Check the step of a prefix on a box, and the steps about the polynomials of its readings."""
    boxes.meter.spend(1)
    WORD_RULES[step.rule](boxes, step)
    readings = [(key, child) for (place, key), child in boxes.children[step.number].items() if place == "reading"]
    waiting = [(child, _readings(boxes, step)[str(key)]) for key, child in reversed(readings)]
    rests_on: list[str] = []
    while waiting:
        number, polynomial = waiting.pop()
        at, children = boxes.steps[number], boxes.children[number]
        boxes.meter.spend(1)
        if at.rule == "solver":
            rests_on.append(f"step {number} rests on {at.solver}")
        remaining = POLYNOMIAL_RULES[at.rule](boxes, at, polynomial)
        place = "half" if at.rule == "split" else "part"
        found: list[tuple[int, Poly]] = []
        for part, p in remaining.items():
            if (place, part) not in children:
                _reject(at, f"the {place} {part} has no step")
            found.append((children[place, part], p))
        if len(children) > len(remaining):
            _reject(at, f"it has a {place} too many")
        waiting.extend(reversed(found))
    return tuple(rests_on)


def dominate(boxes: Boxes, step: BoxStep) -> None:
    """left <= ratio * right in every entry, on the whole box: this word and all longer ones hold. [T1, T9]"""
    left, right = boxes.row(step.number, LEFT), boxes.row(step.number, RIGHT)
    # Where left is 0 identically there is nothing to show: the ratio is positive wherever a root is proved.
    for i, p in left.entries.items():
        gap = boxes.excess(step.number, (p, left.scale), (right.entries.get(i, {}), right.scale))
        if not boxes.not_negative(gap, step.number):
            name = boxes.family.entry_name(i)
            _reject(step, f"the coefficients do not show left <= ratio * right in the entry {name}")


def expand(boxes: Boxes, step: BoxStep) -> None:
    """The readings of this prefix keep the ratio; every symbol has a step or cannot follow. [T4, T5, T9]"""
    claim = boxes.claim
    if claim.horizon is not None and boxes.length(step.number) >= claim.horizon:
        _reject(step, f"a prefix of the horizon's length ({claim.horizon}) cannot be expanded")
    sides = (LEFT, RIGHT) if claim.both else (LEFT,)
    possible = [boxes.words.possible(boxes.row(step.number, side)) for side in sides]
    missing = [
        s for s in frozenset.intersection(*possible) if ("after", s) not in boxes.children[step.number]
    ]
    if missing:
        name = boxes.family.symbols[min(missing)]
        _reject(step, f"the symbol {name[:60]!r} is possible and has no step")
    _check_readings(boxes, step)


def end(boxes: Boxes, step: BoxStep) -> None:
    """At the horizon's length the prefix reading is all that counts. [T4, T9]"""
    if boxes.length(step.number) != boxes.claim.horizon:
        _reject(step, "only a prefix of the horizon's length ends here")
    _check_readings(boxes, step)


def subsume(boxes: Boxes, step: BoxStep) -> None:
    """left <= scale * left and right >= scale * right of an expanded step on a box around this one. [T3, T9]"""
    if boxes.claim.both:
        _reject(step, "it is not allowed under 'both', where what is possible varies with the parameters")
    if step.by >= len(boxes.steps) or boxes.steps[step.by].rule != "expand":
        _reject(step, f"step {step.by} is not an expand step")
    here, there = boxes.length(step.number), boxes.length(step.by)
    if boxes.claim.horizon is not None and there > here:
        _reject(step, f"step {step.by} has fewer symbols left")
    inner, outer = boxes.box[step.number], boxes.box[step.by]
    if any(inner[i][0] < outer[i][0] or inner[i][1] > outer[i][1] for i in boxes.axes):
        _reject(step, f"the box of step {step.by} does not contain this one")
    if not boxes.beliefs(step.by) <= boxes.beliefs(step.number):
        _reject(step, f"the beliefs of step {step.by} may be impossible where those of this one are not")
    # What is 0 identically on the smaller side needs no comparison: the other is a probability.
    for i in boxes.row(step.number, LEFT).entries:
        if not boxes.not_negative(boxes.gap(step.number, step.by, LEFT, i, step.scale), step.number):
            _reject(step, _not_shown("left <= scale * left", step, boxes.family.entry_name(i)))
    for i in boxes.row(step.by, RIGHT).entries:
        gap = scaled(boxes.gap(step.number, step.by, RIGHT, i, step.scale), -1)
        if not boxes.not_negative(gap, step.number):
            _reject(step, _not_shown("right >= scale * right", step, boxes.family.entry_name(i)))


def split(boxes: Boxes, step: BoxStep) -> None:
    """Every value of the box lies in one of its halves. [T9]"""
    for half in (0, 1):
        if ("half", half) not in boxes.children[step.number]:
            _reject(step, f"the half {half} has no step")


def outside(boxes: Boxes, step: BoxStep) -> None:
    """No value of the box is admissible: a constraint holds nowhere in it. [T9]"""
    if boxes.is_local[step.number]:
        _reject(step, "constraints do not speak of the variables that are local to a sector")
    cut, box = boxes.domain.cuts[step.cut], boxes.box[step.number]
    below = scaled(cut.gap, -1)
    if cut.relation == ">":
        excluded = not_negative(below, box, boxes.meter)
    else:
        excluded = positive(below, box, boxes.meter) or (
            cut.relation == "==" and positive(cut.gap, box, boxes.meter)
        )
    if not excluded:
        _reject(step, f"the coefficients do not show that the constraint {step.cut} fails on the box")


def coefficients(boxes: Boxes, step: BoxStep, p: Poly) -> Parts:
    """No Bernstein coefficient is negative. [T9]"""
    if not boxes.not_negative(p, step.number):
        least = min(bernstein(p, boxes.box[step.number], boxes.meter))
        _reject(step, f"a coefficient is negative (a multiple of {brief(Fraction(least))})")
    return {}


def split_polynomial(boxes: Boxes, step: BoxStep, p: Poly) -> Parts:
    """Every point of the box lies in one of its halves. [T9]"""
    return {0: p, 1: p}


def squares(boxes: Boxes, step: BoxStep, p: Poly) -> Parts:
    """p = root^2 * part: where the part is at least 0, so is p. [T9]"""
    root = _stated(boxes, step, "root", step.root)
    rest = divided(p, content(p) or 1)
    for _ in range(2):
        quotient = boxes.ring.divide(rest, root)
        if quotient is None:
            _reject(step, "the polynomial is not divisible by the square of the root")
        rest = quotient
    return {0: rest}


def product(boxes: Boxes, step: BoxStep, p: Poly) -> Parts:
    """p = part 0 * part 1, and part 0 is the factor: where both are at least 0, so is p. [T9]"""
    factor = _stated(boxes, step, "factor", step.factor)
    rest = boxes.ring.divide(divided(p, content(p) or 1), factor)
    if rest is None:
        _reject(step, "the polynomial is not divisible by the factor")
    return {0: factor, 1: rest}


def parabola(boxes: Boxes, step: BoxStep, p: Poly) -> Parts:
    """p = a t^2 + b t + c in a power t of a variable, and a, c and 4 a c - b^2 are at least 0: so is p. [T9]"""
    i = boxes.axes[step.variable]
    top = degree(p, i)
    by_power = coefficients_of(p, i)
    if top == 0 or top % 2 or not by_power.keys() <= {0, top // 2, top}:
        _reject(step, "the polynomial is no parabola in a power of the variable")
    a, b, c = (by_power.get(power, {}) for power in (top, top // 2, 0))
    times = boxes.ring.times
    return {0: a, 1: c, 2: minus(scaled(times(a, c), 4), times(b, b))}


def given(boxes: Boxes, step: BoxStep, p: Poly) -> Parts:
    """p = part 0 + multiplier * g, p and g without contents, where g >= 0 by a constraint, or g = 0. [T9]

    Unless it is an equation, part 1 is the multiplier.
    """
    if boxes.is_local[step.number]:
        _reject(step, "constraints do not speak of the variables that are local to a sector")
    cut = boxes.domain.cuts[step.cut]
    top, bottom = _polynomial(boxes, step, "multiplier", step.multiplier)
    own, gap = (divided(q, content(q) or 1) for q in (p, cut.gap))
    rest = minus(scaled(own, bottom), boxes.ring.times(gap, top))
    return {0: rest} if cut.relation == "==" else {0: rest, 1: top}


def face(boxes: Boxes, step: BoxStep, p: Poly) -> Parts:
    """p = part 0 + distance from a face * part 1; part 0 is p on that face, and the distance at least 0. [T9]"""
    i = boxes.axes[step.variable]
    end = boxes.box[step.number][i][step.side]
    top = degree(p, i)
    on_face = total(
        scaled(q, end.numerator**k * end.denominator ** (top - k)) for k, q in coefficients_of(p, i).items()
    )
    distance = minus(scaled(variable(i), end.denominator), constant(end.numerator))
    distance = distance if step.side == 0 else scaled(distance, -1)
    rest = boxes.ring.divide(minus(scaled(p, end.denominator**top), on_face), distance)
    assert rest is not None
    return {0: on_face, 1: rest}


def sector(boxes: Boxes, step: BoxStep, p: Poly) -> Parts:
    """Around a corner: one part for each variable that may be the farthest from it, the others as shares of it. [T9]"""
    used = [k for k, i in enumerate(boxes.axes) if degree(p, i)]
    if not used:
        _reject(step, "the polynomial is constant")
    images = {}
    for k in used:
        i = boxes.axes[k]
        low, high = boxes.box[step.number][i]
        start, width = (low, high - low) if step.corner[k] == 0 else (high, low - high)
        scale = start.denominator * width.denominator
        image = plus(scaled(variable(i), int(width * scale)), constant(int(start * scale)))
        images[i] = image, scale
    local, _ = boxes.ring.compose(p, images)
    found: dict[int, Poly] = {}
    for k in used:
        i = boxes.axes[k]
        # Every other variable is this one times its share, so this one's exponent is now the total degree.
        terms = [
            (monomial, sum(exponent(monomial, boxes.axes[j]) for j in used), c)
            for monomial, c in local.items()
        ]
        least = min((powers for _, powers, _ in terms), default=0)
        if any(powers >= 1 << 14 for _, powers, _ in terms):
            _reject(step, "the degree is too large")
        found[k] = {
            next(iter(shifted({monomial: c}, i, powers - least - exponent(monomial, i)))): c
            for monomial, powers, c in terms
        }
    return found


def outside_polynomial(boxes: Boxes, step: BoxStep, p: Poly) -> Parts:
    """No value of the box is admissible: a constraint holds nowhere in it. [T9]"""
    outside(boxes, step)
    return {}


def solver(boxes: Boxes, step: BoxStep, p: Poly) -> Parts:
    """Taken on trust, and said so by what checks the word: a solver found no point of the box where p is negative."""
    return {}


WORD_RULES: Mapping[str, Callable[[Boxes, BoxStep], None]] = {
    "dominate": dominate,
    "expand": expand,
    "end": end,
    "subsume": subsume,
    "split": split,
    "outside": outside,
}
POLYNOMIAL_RULES: Mapping[str, Callable[[Boxes, BoxStep, Poly], Parts]] = {
    "coefficients": coefficients,
    "split": split_polynomial,
    "squares": squares,
    "face": face,
    "sector": sector,
    "product": product,
    "parabola": parabola,
    "given": given,
    "outside": outside_polynomial,
    "solver": solver,
}


def _stated(boxes: Boxes, step: BoxStep, name: str, text: str) -> Poly:
    """The polynomial that a field states, up to a positive number."""
    top, _ = _polynomial(boxes, step, name, text)
    return divided(top, content(top))


def _polynomial(boxes: Boxes, step: BoxStep, name: str, text: str) -> tuple[Poly, int]:
    """The polynomial that a field states, over a positive number."""
    try:
        top, bottom = parts(expression(text, boxes.scope))
    except ExpressionError as error:
        _reject(step, f"the {name}: {error}")
    if not top or bottom.keys() != {0}:
        _reject(step, f"the {name} is not a polynomial other than 0")
    return (top, bottom[0]) if bottom[0] > 0 else (scaled(top, -1), -bottom[0])


def _check_readings(boxes: Boxes, step: BoxStep) -> None:
    readings = _readings(boxes, step)
    children = boxes.children[step.number]
    for place, key in children:
        if place == "reading" and key not in readings:
            _reject(step, f"its {key} reading is not one to be proved")
    for name, p in readings.items():
        if ("reading", name) not in children and not boxes.not_negative(p, step.number):
            _reject(step, f"the coefficients do not show left <= ratio * right in the {name} reading")


def _readings(boxes: Boxes, step: BoxStep) -> dict[str, Poly]:
    """The polynomials of the readings that this step checks: those that may count, and are not 0 on the left."""
    found: dict[str, Poly] = {}
    left, right = boxes.row(step.number, LEFT), boxes.row(step.number, RIGHT)
    done = boxes.family.done
    for name in _names(boxes, step):
        a, b = (row.total() if name == "prefix" else row.entries.get(done, {}) for row in (left, right))
        if a and (b or not boxes.claim.both):
            found[name] = boxes.excess(step.number, (a, left.scale), (b, right.scale))
    return found


def _names(boxes: Boxes, step: BoxStep) -> Iterator[str]:
    both, horizon = boxes.claim.both, boxes.claim.horizon
    if step.rule == "end":
        yield "prefix"
        return
    if both and boxes.length(step.number) == 0:
        return
    if not both or horizon is None:
        yield "prefix"
    yield "ended"


def _not_shown(what: str, step: BoxStep, entry: str) -> str:
    return f"the coefficients do not show {what} of step {step.by} in the entry {entry}"


def _reject(step: BoxStep, reason: str) -> NoReturn:
    raise CertificateError(reason, rule=step.rule, step=step.number)
