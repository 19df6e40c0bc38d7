"""A profile as a record, as CSV, as a sentence, and as facts for a terminal."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import inf

from faier.approximate import Point, Profile
from faier.number.budget import Budget
from faier.number.exact import Extended

from .event import between_text, mass_text
from .facts import Facts
from .records import Record, bounds_record
from .rounding import log_above, log_below
from .sentences import horizon_text
from .sides import values_by_name
from .text import decimal, exact_text, name_text, short

_MOST_ROWS = 40
_COLUMNS = ("ratio", "epsilon", "delta", "delta_lower", "delta_upper", "left", "right")


def profile_record(found: Profile, certificate: str | None = None) -> Record:
    """The profile as JSON. `epsilon` is rounded up; `delta` is exact, or null where it is only enclosed."""
    values = values_by_name(found.scenario)
    record: Record = {
        "faier": 1,
        "kind": "profile",
        "horizon": found.scenario.claim.horizon,
        "points": [_point_record(point, values) for point in found.points],
        "linear": found.linear,
        "complete": found.complete,
        "certificate": certificate,
        "seconds": float(found.seconds),
    }
    if found.delta is not None and found.reach is not None:
        low, high = found.reach.lower, found.reach.upper
        record["reach"] = {
            "delta": exact_text(found.delta),
            "ratio": bounds_record(found.reach),
            "epsilon": {"lower": _json_float(log_below(low)), "upper": _json_float(log_above(high))},
        }
    if not found.complete:
        record["reason"] = found.reason
    return record


def profile_csv(found: Profile) -> str:
    """The points as comma-separated values; exact numbers, and epsilon and the bounds as decimals beside them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for point in found.points:
        record = _point_record(point, {})
        delta = record["delta"]
        bounds = (repr(_float(point.delta.lower, up=False)), repr(_float(point.delta.upper, up=True)))
        writer.writerow(
            [record["ratio"], record["epsilon"], "" if delta is None else delta, *bounds, point.left, point.right]
        )
    return text.getvalue()


def profile_sentence(found: Profile) -> str:
    """The profile in one line that starts with "delta", "epsilon" or "profile"."""
    where = horizon_text(found.scenario.claim)
    stopped = "" if found.complete else f"; stopped as {found.reason}"
    if found.delta is not None:
        return f"{_reach_text(found)}, {where}{stopped}"
    if len(found.points) == 1:
        (point,) = found.points
        who = f"{name_text(point.left)} against {name_text(point.right)}"
        return f"delta is {_delta_text(point)} at {_ratio_text(point.ratio)}, {where}: {who}{stopped}"
    first, last = found.points[0], found.points[-1]
    between = "linear in the ratio between them" if found.linear else "a grid"
    return (
        f"profile: {len(found.points)} points, {between}, {where}: delta from {_delta_text(first)} at "
        f"{_ratio_text(first.ratio)} to {_delta_text(last)} at {_ratio_text(last.ratio)}{stopped}"
    )


def profile_facts(found: Profile, certificate: str | None = None) -> Facts:
    """What stands below the sentence and the table."""
    facts: Facts = []
    if found.delta is not None and found.reach is not None:
        low, high = found.reach.lower, found.reach.upper
        if low == high:
            facts += [("ratio", short(low)), ("epsilon", decimal(log_above(high), 13))]
        else:
            facts.append(("epsilon at least", decimal(log_below(low), 13)))
            facts.append(("epsilon at most", decimal(log_above(high), 13)))
    if len(found.points) == 1 and (mass := found.points[0].mass) is not None:
        facts.append(("delta", mass_text(mass)))
    facts.append(("seconds", f"{found.seconds:.3g}"))
    if certificate is not None:
        facts.append(("certificate", certificate))
    return facts


def profile_rows(found: Profile) -> list[tuple[str, ...]]:
    """The points for a table; of many, the two ends."""
    rows = [_row(point) for point in found.points]
    if len(rows) > _MOST_ROWS:
        half = _MOST_ROWS // 2
        return [*rows[:half], (f"... {len(rows) - 2 * half:,} more ...", "", "", ""), *rows[-half:]]
    return rows


def log_of(ratio: Budget | Extended) -> float:
    """Epsilon, rounded up."""
    if not isinstance(ratio, Budget):
        return log_above(ratio)
    if ratio.exact is not None:
        return log_above(ratio.exact)
    if ratio.base == 1:
        return _float(ratio.power, up=True)
    return log_above(ratio.above(256))


def _row(point: Point) -> tuple[str, ...]:
    who = f"{name_text(point.left)} against {name_text(point.right)}"
    ratio = point.ratio
    text = short(ratio) if not isinstance(ratio, Budget) else _budget_text(ratio)
    return text, decimal(log_of(ratio), 7), _delta_text(point), who


def _point_record(point: Point, values: Mapping[str, object]) -> Record:
    ratio = point.ratio
    text = ratio.ratio_text or f"exp({ratio.epsilon_text})" if isinstance(ratio, Budget) else exact_text(ratio)
    lower, upper = point.delta.lower, point.delta.upper
    exact = str(point.mass) if point.mass is not None else exact_text(lower) if lower == upper else None
    return {
        "ratio": text,
        "epsilon": _json_float(log_of(ratio)),
        "delta": exact,
        "bounds": {"lower": exact_text(lower), "upper": exact_text(upper)},
        "left": values.get(point.left, point.left),
        "right": values.get(point.right, point.right),
    }


def _reach_text(found: Profile) -> str:
    assert found.reach is not None
    assert found.delta is not None
    low, high, delta = found.reach.lower, found.reach.upper, short(found.delta)
    if low == inf:
        least = found.points[0].delta.lower if found.points else Fraction(0)
        return f"epsilon is infinite for delta {delta}: at every ratio delta is at least {short(least)}"
    if low == high:
        if not low:
            return f"epsilon is minus infinity for delta {delta}"
        about = decimal(log_below(low))
        return f"epsilon is exactly {'0' if low == 1 else f'ln({short(low)})'}, about {about}, for delta {delta}"
    ends = f"{decimal(log_below(low))} and {decimal(log_above(high))}"
    return f"epsilon lies between {ends} for delta {delta}"


def _delta_text(point: Point) -> str:
    if point.mass is not None:
        return mass_text(point.mass)
    return between_text(point.delta.lower, point.delta.upper)


def _ratio_text(ratio: Budget | Extended) -> str:
    if not isinstance(ratio, Budget):
        return f"the ratio {exact_text(ratio)}"
    return f"the ratio {_budget_text(ratio)} (epsilon {_epsilon_text(ratio)})"


def _budget_text(ratio: Budget) -> str:
    return short(ratio.exact) if ratio.exact is not None else ratio.ratio_text or f"exp({ratio.epsilon_text})"


def _epsilon_text(ratio: Budget) -> str:
    text = ratio.epsilon_text
    return text if len(text) <= 40 else f"about {decimal(log_of(ratio))}"


def _float(value: Fraction, *, up: bool) -> float:
    from .rounding import float_above, float_below

    return float_above(value) if up else float_below(value)


def _json_float(value: Extended) -> float | str:
    return exact_text(value) if abs(value) == inf else float(value)


def head() -> Sequence[str]:
    return ("ratio", "epsilon", "delta", "worst")
