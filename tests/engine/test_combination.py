"""Several prefixes that cover one together."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

from test_simulation import copies

import faier
from faier.comparison import Comparison
from faier.engine.progress import Limits
from faier.engine.tree import anytime, combine
from faier.engine.tree.anytime import Anytime
from faier.engine.tree.subsume import Subsumption
from faier.engine.words import witness
from faier.model.toml_write import dumps
from faier.scenario.scenario import Scenario
from faier.verdict import Bounds, Tight
from faier_check import check

TOLERANCE = Fraction(1, 10**4)
EXAMPLES = Path(__file__).parents[2] / "examples"


def alone(monkeypatch) -> None:
    """Single nodes cover nothing, so that several have to, from the start."""
    monkeypatch.setattr(Subsumption, "close", lambda self, batch: batch)
    monkeypatch.setattr(combine, "_AFTER", 0)


def judged(scenario: Scenario) -> set[str]:
    """The rules of a proof that the checker accepts."""
    search = Anytime(Comparison(scenario), TOLERANCE, Limits(nodes=600))
    outcome = search.run()
    if outcome.trace is None or outcome.limit is not None or outcome.found is None:
        return set()
    word = witness(search.search.comparison, outcome.found)
    tight = Tight(
        scenario, Bounds(outcome.lower, outcome.upper), False, word, True, None, "tree", 0.0, outcome.trace
    )
    check(json.dumps(faier.certify(tight)).encode(), dumps(scenario).encode())
    return {step.rule for step in outcome.trace.steps}


def test_proofs_that_need_several(monkeypatch):
    alone(monkeypatch)
    rules: set[str] = set()
    for seed in range(6):
        rules |= judged(copies(seed, zeros=0.1, possible="both" if seed % 3 == 2 else "either"))
    assert "combine" in rules


def test_bounds_stay_bounds(monkeypatch):
    alone(monkeypatch)
    for seed in range(8):
        scenario = copies(seed)
        outcome = anytime.tight_at_any(Comparison(scenario), TOLERANCE, Limits(nodes=500))
        for horizon in (3, 5):
            exact = faier.epsilon(scenario, horizon=horizon)
            assert scenario.claim.possible == "both" or exact.ratio.lower <= outcome.upper


def test_what_is_met_with_equality_is_found_exactly(monkeypatch):
    """Two copies of one walk: rows are equal up to scale, and single nodes are not asked."""
    alone(monkeypatch)
    scenario = faier.load(EXAMPLES / "two_copies.toml").claiming(horizon="any")
    assert "combine" in judged(scenario)
    search = Anytime(Comparison(scenario), TOLERANCE, Limits(nodes=500))
    search.run()
    assert any(exact for _, exact in search.search.nodes.combined.values())
