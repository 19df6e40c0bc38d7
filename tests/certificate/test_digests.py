"""The digest of a scenario is the digest that the checker finds in the file written from it."""

from __future__ import annotations

import enum
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from written import examples

import strategies
from faier.api import load_with_warnings
from faier.certificate.digest import digest
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.toml_write import dumps
from faier.scenario.scenario import Pair, Scenario
from faier_check.digest import digest as digest_of_model
from faier_check.model_file import read_model

HALF = Fraction(1, 2)


def same(scenario: Scenario, tmp_path) -> None:
    text = dumps(scenario)
    assert digest(scenario) == digest_of_model(read_model(text.encode()))
    path = tmp_path / "model.toml"
    path.write_text(text, encoding="utf-8")
    assert digest(load_with_warnings(path)[0]) == digest(scenario)


def test_random_scenarios(tmp_path):
    @examples(80)
    @given(scenario=strategies.scenarios(max_pairs=3, horizons=(1, "any")))
    def look(scenario):
        same(scenario, tmp_path)

    look()


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (0, 1),
        ((0, "a"), (1, "b")),
        (("t", (1, 2)), ("t", (2,))),
        (Fraction(1, 2), Fraction(1, 3)),
        (True, "x"),
        (Colour.RED, Colour.BLUE),
        (frozenset({1, 2}), frozenset()),
        ("with space", 'quote " and \\'),
        ("", "dotted.name"),
        ("é", "日本"),
        ("\n", "\t"),
        (10**30, -1),
    ],
    ids=repr,
)
def test_names_of_every_kind(one, two, tmp_path):
    model = HMM(
        emit={one: {two: HALF, one: HALF}, two: {two: Fraction(1)}},
        step={one: {two: Fraction(1, 3), one: Fraction(2, 3)}},
    )
    named = Belief.of("a name", {two: Fraction(1, 4), one: Fraction(3, 4)}, model)
    pairs = (Pair(Belief.at(one), Belief.at(two)), Pair(named, Belief.at(one), one_way=True))
    scenario = Scenario.of(model, pairs, ratio=2, horizon=3)
    same(scenario, tmp_path)


def test_beliefs_by_name(tmp_path):
    model = HMM(emit={0: {"a": 1}, 1: {"a": HALF, "b": HALF}, 2: {"b": 1}})
    beliefs = {"likely": {2: "3/4", 0: "1/4"}, "unlikely": {0: "1/4", 1: "1/4", 2: HALF}, "unused": {1: 1}}
    scenario = Scenario.of(model, [("likely", "unlikely"), (0, "likely")], beliefs=beliefs, horizon=1, ratio=2)
    same(scenario, tmp_path)


def test_symbols_that_never_occur_and_orders_that_differ(tmp_path):
    model = HMM(emit={"x": {"never": 0, "b": 1}, "y": {"a": HALF, "b": HALF}}, step={"y": {"y": HALF, "x": HALF}})
    scenario = Scenario.of(model, [("y", "x")], ratio=2, horizon=2)
    same(scenario, tmp_path)


def test_everything_that_matters_is_in_it():
    model = HMM(emit={"x": {"a": HALF, "b": HALF}, "y": {"a": HALF, "b": HALF}}, step={"x": {"y": 1}})
    base = Scenario.of(model, [("x", "y")], ratio=2, horizon=2)
    pair = base.pairs[0]
    moved = {"x": {"a": HALF + Fraction(1, 10**30), "b": HALF - Fraction(1, 10**30)}, "y": {"a": HALF, "b": HALF}}
    others = [
        replace(base, model=HMM(emit=moved, step={"x": {"y": 1}})),
        replace(base, model=HMM(emit=model.emit_rows(), step={})),
        replace(base, model=HMM(emit=model.emit_rows(), step={"x": {"x": 1}})),
        replace(base, model=HMM(emit=dict(reversed(model.emit_rows().items())), step={"x": {"y": 1}})),
        replace(base, pairs=(Pair(pair.right, pair.left),)),
        replace(base, pairs=(Pair(pair.left, pair.right, one_way=True),)),
        replace(base, pairs=(pair, pair)),
    ]
    assert len({digest(s) for s in [base, *others]}) == 1 + len(others)


def test_the_claim_and_the_title_are_not():
    model = HMM(emit={"x": {"a": HALF, "b": HALF}, "y": {"b": 1}})
    base = Scenario.of(model, [("x", "y")], ratio=2, horizon=2)
    assert digest(replace(base.claiming(ratio=3, horizon=9, possible="both"), title="other")) == digest(base)
