"""Whether constraints leave any values, and whether the functions in them are defined there."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from faier.errors import NumberError

from .domain import Domain, Point
from .identities import primitive
from .positivity import Sign, prove
from .rational_function import RationalFunction
from .validity import Fault, sample, sign_of, vanishing

_FEW_BOXES = 300
_MOST_BOXES = 256
_BISECTIONS = 40


def can_hold(domain: Domain) -> bool | None:
    """Whether the variables may have any values: True and False are proved, but for solutions of equations.

    An equation is taken to have solutions where its sides change places between values that meet everything else.
    """
    if sample(domain):
        return True
    try:
        if _crosses(domain):
            return True
        if _is_opposed(domain) or _is_missed(domain) or any(_contradicts(domain, k) for k in range(len(domain.cuts))):
            return False
    except NumberError:
        pass
    return None


def pole(domain: Domain, value: RationalFunction) -> Fault | None:
    """Where the denominator of a function can be 0; None where it cannot, as far as can be told."""
    bottom = domain.lift(value)[1]
    if bottom.is_constant() or not sample(domain):
        return None
    try:
        return vanishing(domain, bottom * (sign_of(domain, bottom) or 1))
    except NumberError:
        return None


def _is_opposed(domain: Domain) -> bool:
    """Whether one cut says the opposite of another: p < q and q <= p."""
    strict = [primitive(cut.polynomial) for cut in domain.cuts if cut.relation == ">"]
    both = [-primitive(cut.polynomial) for cut in domain.cuts]
    return any(one == two for one in strict for two in both)


def _is_missed(domain: Domain) -> bool:
    """Whether each of some boxes that make up the hull is missed by a cut."""
    boxes, seen = [domain.hull], 0
    while boxes:
        box = boxes.pop()
        seen += 1
        if domain.misses(box) is not None:
            continue
        if seen > _MOST_BOXES or not domain.free:
            return False
        axis = max(domain.free, key=lambda i: box[i][1] - box[i][0])
        lo, hi = box[axis]
        at = (lo + hi) / 2
        boxes += [(*box[:axis], side, *box[axis + 1 :]) for side in ((lo, at), (at, hi))]
    return True


def _contradicts(domain: Domain, k: int) -> bool:
    """Whether a strict cut can be proved to fail wherever all hold."""
    cut = domain.cuts[k]
    return cut.relation == ">" and isinstance(
        prove(domain, -cut.polynomial, most_boxes=_FEW_BOXES, identities=1), Sign
    )


def _crosses(domain: Domain) -> bool:
    """Whether the only equation changes its sign between values that meet everything else, near a solution too."""
    equations = [cut.polynomial for cut in domain.cuts if cut.relation == "=="]
    if len(equations) != 1:
        return False
    (gap,) = equations
    signs: dict[int, list[Point]] = {1: [], -1: []}
    for point in _grid(domain):
        if _meets_others(domain, point) and (sign := domain.sign_at(gap, point)):
            signs[sign].append(point)
    for above in signs[1][:8]:
        for below in signs[-1][:8]:
            one, two = above, below
            for _ in range(_BISECTIONS):
                middle = tuple((a + b) / 2 for a, b in zip(one, two, strict=True))
                sign = domain.sign_at(gap, middle)
                one, two = (middle, two) if sign >= 0 else (one, middle)
            if _meets_others(domain, one) and _meets_others(domain, two):
                return True
    return False


def _meets_others(domain: Domain, point: Point) -> bool:
    if any(v not in r for v, r in zip(point, domain.ranges.values(), strict=True)):
        return False
    for cut in domain.cuts:
        sign = domain.sign_at(cut.polynomial, point)
        if (cut.relation == ">" and sign <= 0) or (cut.relation == ">=" and sign < 0):
            return False
    return True


def _grid(domain: Domain) -> Iterator[Point]:
    """A few dozen values of the hull, in no order."""
    intervals = [domain.hull[i] for i in domain.free]
    state = 1
    for _ in range(60):
        values = []
        for lo, hi in intervals:
            state = state * 6364136223846793005 % 2**64 + 1442695040888963407
            values.append(lo + (hi - lo) * Fraction((state >> 33) % 99 + 1, 100))
        yield tuple(values)
