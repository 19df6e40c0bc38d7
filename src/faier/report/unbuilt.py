"""Records of questions whose model was not built in time: nothing is known, and that is a result as well."""

from __future__ import annotations

from fractions import Fraction
from math import inf

from faier.errors import OutOfTime
from faier.scenario.scenario import Claim
from faier.verdict import Bounds

from .records import Record, bounds_record, claim_record


def unbuilt_verdict_record(late: OutOfTime, asked: Claim, *, possible: bool, delta: bool) -> Record:
    """The verdict `unknown` as JSON. Of the claim it has what the command line says; the file was not read to its end.

    `possible` and `delta` say whether these are asked, or only what they would be by default.
    """
    claim = claim_record(asked)
    claim |= {"possible": claim["possible"] if possible else None, "delta": claim["delta"] if delta else None}
    what, largest = ("delta", Fraction(1)) if asked.delta else ("ratio", inf)
    bounds = {what: bounds_record(Bounds(Fraction(0), largest))}
    return {
        "faier": 1,
        "kind": "verdict",
        "verdict": "unknown",
        "claim": claim,
        "witness": None,
        "bounds": bounds,
        "reason": str(late),
        "engine": "none",
        "certificate": None,
        "seconds": late.seconds,
    }


def unbuilt_tight_record(late: OutOfTime, asked: Claim) -> Record:
    """The widest enclosure of an epsilon as JSON."""
    return {
        "faier": 1,
        "kind": "epsilon",
        "exact": False,
        "attained": False,
        "ratio": bounds_record(Bounds(Fraction(0), inf)),
        "epsilon": {"lower": "-infinity", "upper": "infinity"},
        "horizon": asked.horizon,
        "witness": None,
        "limit": None,
        "diverges": None,
        "engine": "none",
        "certificate": None,
        "seconds": late.seconds,
        "reason": str(late),
    }
