"""Writing the parts of a certificate that a delta brings."""

from __future__ import annotations

from typing import Any

from faier.approximate import Point, Profile
from faier.errors import UsageError
from faier.model.names import label
from faier.number.budget import Budget
from faier.number.digits import exact_text
from faier.trace import Layers
from faier.verdict import Event

from .digest import digest


def layers(trace: Layers) -> dict[str, Any]:
    """A proof layer by layer. [docs/certificates.md]"""
    return {"rule": "layers", "ratio": exact_text(trace.ratio), "depth": trace.depth}


def event(found: Event) -> dict[str, Any]:
    """An event with both probabilities."""
    return {
        "pair": found.pair,
        "forward": found.forward,
        "words": [[label(s) for s in outcome.word] for outcome in found.outcomes],
        "ended": [outcome.ended for outcome in found.outcomes],
        "left": exact_text(found.left_probability),
        "right": exact_text(found.right_probability),
    }


def profile_certificate(found: Profile, version: int) -> dict[str, Any]:
    """The certificate of a profile that is a single point: the bounds of delta at its ratio."""
    point = found.points[0] if len(found.points) == 1 else None
    if point is None or found.depth is None or not isinstance(point.ratio, Budget):
        raise UsageError("a certificate is about one point of a profile; ask for one with a ratio or an epsilon")
    if not found.complete:
        raise UsageError("the search was stopped, so its bounds are not certified; give it more time")
    claim = found.scenario.claim
    certificate: dict[str, Any] = {
        "faier_certificate": version,
        "kind": "profile",
        "model": digest(found.scenario),
        "claim": {
            "budget": budget_record(point.ratio),
            "lower": exact_text(point.delta.lower),
            "upper": exact_text(point.delta.upper),
            "horizon": claim.horizon,
            "possible": "either",
        },
        # Directions that floats left aside may need more symbols than those that were looked at.
        "proof": _proof(point, found.depth if claim.horizon == "any" else claim.horizon),
        "witness": None,
    }
    return certificate if found.classes is None else certificate | {"classes": list(found.classes)}


def budget_record(budget: Budget) -> dict[str, Any]:
    return {"power": exact_text(budget.power), "base": exact_text(budget.base), "root": budget.root}


def _proof(point: Point, depth: int | None) -> dict[str, Any]:
    """Two ratios, one at most and one at least the claimed one: what is shown there holds in between."""
    ratio = point.ratio
    assert isinstance(ratio, Budget)
    return {
        "rule": "layers",
        "below": exact_text(ratio.below(BITS)),
        "above": exact_text(ratio.above(BITS)),
        "depth": depth,
    }


BITS = 512
