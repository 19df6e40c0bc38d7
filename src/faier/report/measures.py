"""Renyi divergences, concentrated privacy, trade-offs and leakage: as records and as sentences."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from faier.measures import Concentrated, Leakage, Measure, Renyi, TradeOff, Within
from faier.number.exact import Extended
from faier.scenario.scenario import Scenario
from faier.verdict import Between

from .facts import Facts
from .records import Record
from .rounding import float_above, float_below
from .sentences import horizon_text
from .sides import values_by_name
from .text import decimal, exact_text, name_text, short


def measure_record(found: Measure) -> Record:
    """The result as JSON. Exact numbers are strings; floats are rounded outward."""
    match found:
        case Renyi():
            return {
                "faier": 1,
                "kind": "renyi",
                "order": exact_text(found.order),
                "divergence": _floats(found.divergence),
                "moment": None if found.moment is None else _texts(found.moment),
                **_worst(found),
            }
        case Concentrated():
            return {
                "faier": 1,
                "kind": "zcdp",
                "rho": _floats(found.rho),
                "order": None if found.order is None else exact_text(found.order),
                **_worst(found),
            }
        case TradeOff():
            return {
                "faier": 1,
                "kind": "trade-off",
                "horizon": found.scenario.claim.horizon,
                "corners": [[exact_text(alpha), exact_text(beta)] for alpha, beta in found.corners],
                "seconds": float(found.seconds),
            }
        case Leakage():
            return {
                "faier": 1,
                "kind": "leakage",
                "horizon": found.horizon,
                "prior": {name: exact_text(weight) for name, weight in found.prior.items()},
                "capacity": exact_text(found.capacity),
                "min_capacity": _floats(found.min_capacity),
                "gain": exact_text(found.gain),
                "min_entropy": _floats(found.min_entropy),
                "mutual_information": _floats(found.mutual_information),
                "outputs": found.outputs,
                "seconds": float(found.seconds),
            }
        case _:
            assert_never(found)


def measure_sentence(found: Measure) -> str:
    """The result in one line."""
    match found:
        case Renyi():
            value = _between(found.divergence)
            return f"Renyi divergence of order {short(found.order)} is {value}{_of(found.scenario, found)}"
        case Concentrated():
            return f"zCDP holds with rho {_between(found.rho)}{_of(found.scenario, found)}"
        case TradeOff():
            middle = found.at(Fraction(1, 20))
            return (
                f"trade-off: {len(found.corners)} corners, linear between them, {horizon_text(found.scenario.claim)}; "
                f"a type I error of 1/20 leaves a type II error of {short(middle)} at least"
            )
        case Leakage():
            return (
                f"leakage: one guess gets better by a factor of at most {short(found.capacity)} under any prior, and "
                f"of {short(found.gain)} here; {_between(found.mutual_information)} bits of mutual information"
            )
        case _:
            assert_never(found)


def measure_facts(found: Measure) -> Facts:
    """What stands below the sentence."""
    facts: Facts = []
    match found:
        case Renyi(moment=moment) if moment is not None:
            facts.append(("moment", _between(moment)))
        case Concentrated(order=order) if order is not None:
            facts.append(("at order", "1 (in the limit)" if order == 1 else f"about {decimal(order, 5)}"))
        case TradeOff():
            shown = found.corners[:20]
            facts += [("type I, type II", f"{short(alpha)}, {short(beta)}") for alpha, beta in shown]
            if len(found.corners) > len(shown):
                facts.append(("", f"... {len(found.corners) - len(shown):,} more ..."))
        case Leakage():
            facts += [
                ("Bayes capacity", short(found.capacity)),
                ("min-capacity", f"{_between(found.min_capacity)} bits"),
                ("min-entropy leakage", f"{_between(found.min_entropy)} bits"),
                ("outputs", f"{found.outputs:,}"),
            ]
        case _:
            pass
    return [*facts, ("seconds", f"{found.seconds:.3g}")]


def _worst(found: Renyi | Concentrated) -> Record:
    values = values_by_name(found.scenario)
    record: Record = {
        "horizon": found.scenario.claim.horizon,
        "left": values.get(found.left, found.left),
        "right": values.get(found.right, found.right),
        "complete": found.complete,
        "seconds": float(found.seconds),
    }
    return record if found.complete else record | {"reason": found.reason}


def _of(scenario: Scenario, found: Renyi | Concentrated) -> str:
    stopped = "" if found.complete else f"; stopped as {found.reason}"
    who = f"{name_text(found.left)} against {name_text(found.right)}"
    return f", {horizon_text(scenario.claim)}: {who}{stopped}"


def _between(value: Within | Between) -> str:
    low, high = value.lower, value.upper
    if low == high:
        return "infinite" if isinstance(low, float) else short(low)
    if isinstance(high, Fraction) and isinstance(low, Fraction) and decimal(low, 7) == decimal(high, 7):
        return f"about {decimal(low, 7)}"
    return f"between {decimal(low, 7)} and {decimal(high, 7)}"


def _floats(value: Within | Between) -> Record:
    return {"lower": _float(value.lower, up=False), "upper": _float(value.upper, up=True)}


def _float(value: Extended, *, up: bool) -> float | str:
    if isinstance(value, float):
        return exact_text(value)
    return float_above(value) if up else float_below(value)


def _texts(value: Within) -> Record:
    return {"lower": exact_text(value.lower), "upper": exact_text(value.upper)}
