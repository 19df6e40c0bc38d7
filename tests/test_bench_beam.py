"""The bench's own search for bad words, and its random models: what judges bounds has to be right itself."""

from __future__ import annotations

from importlib import import_module
from math import inf
from pathlib import Path

import pytest

import faier
import reference

ROOT = Path(__file__).parent.parent
KINDS = (
    "mixing", "periodic", "reducible", "absorbing", "hidden", "sparse (20 % zeros)", "sparse (40 % zeros)",
    "sparse (60 % zeros)", "silent",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _checkout(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))


def test_the_kinds_are_all_here():
    assert tuple(import_module("bench.chains").KINDS) == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_a_word_of_the_beam_is_as_bad_as_all_short_ones_and_no_worse_than_the_truth(kind):
    make, worst = import_module("bench.chains").KINDS[kind], import_module("bench.beam").worst_of_long_words
    for seed in range(3):
        scenario = make(3, seed)
        found = worst(scenario)
        short = [1, 2, 3] if scenario.claim.possible == "either" else [1]
        assert found >= max(reference.tight(scenario, n) for n in short), seed
        tight = faier.epsilon(scenario, tolerance="1e-3", timeout=2)
        assert found <= tight.ratio.upper, seed


def test_a_word_that_one_side_alone_can_say_is_found():
    model = faier.HMM(emit={"l": {"a": "1/2", "b": "1/2"}, "r": {"a": 1}}, step={"l": {"l": 1}, "r": {"r": 1}})
    worst = import_module("bench.beam").worst_of_long_words
    one_way = [faier.Pair(faier.Belief.at("l"), faier.Belief.at("r"), one_way=True)]
    assert worst(faier.Scenario.of(model, one_way, horizon="any")) == inf
    both = worst(faier.Scenario.of(model, one_way, horizon="any", possible="both"))
    assert both == reference.tight(faier.Scenario.of(model, one_way, horizon="any", possible="both"), 1)


def test_formulas_are_of_their_kind_and_a_solver_counts_as_brute_force_does():
    cnf = import_module("bench.cnf")
    maxsat = cnf._rc2()
    for satisfiable in (True, False):
        formula = next(cnf.found(6, 26, satisfiable))
        most = cnf.most_satisfied(formula)
        assert (most == 26) == satisfiable
        assert maxsat is None or maxsat(formula) == most
        scenario = import_module("faier.interop.dimacs").reduction(formula)
        assert faier.epsilon(scenario).ratio.upper == cnf.tight_ratio(most, 26)
