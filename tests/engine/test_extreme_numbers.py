"""Numbers that floats cannot hold, or cannot tell apart, never change a verdict."""

from __future__ import annotations

import json
from fractions import Fraction
from math import inf

import faier
import faier_check
from faier.definition import tight_by_definition
from faier.model.toml_write import dumps

TINY, TINIER = Fraction(1, 10**350), Fraction(1, 10**400)


def test_entries_below_the_range_of_floats_are_told_apart():
    model = faier.HMM(emit={"x": {"a": TINY, "b": 1 - TINY}, "y": {"a": TINIER, "b": 1 - TINIER}})
    scenario = faier.Scenario.of(model, [("x", "y")], ratio=2, horizon=1)
    assert isinstance(faier.verify(scenario), faier.Violated)
    assert faier.epsilon(scenario).ratio.lower == 10**50


def test_weights_of_beliefs_below_the_range_of_floats_are_told_apart():
    model = faier.HMM(emit={"x": {"b": 1}, "z": {"a": 1}})
    beliefs = {"left": {"x": 1 - TINY, "z": TINY}, "right": {"x": 1 - TINIER, "z": TINIER}}
    scenario = faier.Scenario.of(model, [("left", "right")], beliefs=beliefs, ratio=2, horizon=1)
    assert isinstance(faier.verify(scenario), faier.Violated)
    assert faier.epsilon(scenario, horizon="any").ratio.lower == 10**50


def test_a_step_below_the_range_of_floats_still_leads_somewhere():
    emit = {"x": {"a": 1}, "y": {"a": 1}, "z": {"c": 1}}
    step = {"x": {"x": 1 - TINIER, "z": TINIER}, "y": {"y": 1}, "z": {"z": 1}}
    scenario = faier.Scenario.of(faier.HMM(emit=emit, step=step), [("x", "y")], horizon=2)
    assert faier.epsilon(scenario).ratio.upper == inf


def test_long_products_of_small_numbers_are_not_lost():
    small = Fraction(1, 2**199)
    emit = {"x": {"a": small, "b": 1 - small}, "y": {"a": 2 * small, "b": 1 - 2 * small}}
    model = faier.HMM(emit=emit, step={"x": {"x": 1}, "y": {"y": 1}})
    scenario = faier.Scenario.of(model, [("x", "y")], ratio=40, horizon=6)
    assert faier.epsilon(scenario).ratio.upper == 64
    assert isinstance(faier.verify(scenario), faier.Violated)


def test_the_empty_word_is_never_a_witness():
    emit = {"x": {"a": 1 - TINIER, "b": TINIER}, "y": {"a": 1 - 2 * TINIER, "b": 2 * TINIER}}
    model = faier.HMM(emit=emit, step={"x": {"x": 1}, "y": {"y": 1}})
    scenario = faier.Scenario.of(model, [("x", "y")], ratio="1/2", horizon="any")
    verdict = faier.verify(scenario, timeout=1e-6)
    if isinstance(verdict, faier.Violated):
        assert verdict.witness.word


def test_an_exact_value_at_any_length_misses_no_reading_within_a_rounding_error():
    many = 3**2600
    half = Fraction((many + 1) // 2, many)
    more = Fraction(1, 10**40)
    fair = {"c": half, "d": 1 - half}
    emit = {name: {"a": 1} for name in ("A", "A1", "A2")} | {name: {"b": 1} for name in ("B", "B1", "B2")}
    emit |= {"R": {"r": 1}, "z1": fair, "z2": fair}
    step = {"A1": {"z1": 1}, "A2": {"z2": 1}, "B1": {"z1": 1}, "B2": {"z2": 1}}
    left = {"A": Fraction(2, 10), "B": Fraction(2, 10) + more, "A1": Fraction(5, 100), "A2": Fraction(1, 100)}
    left |= {"B1": Fraction(5, 100), "B2": Fraction(1, 100)}
    right = {"A": Fraction(1, 10), "B": Fraction(1, 10), "A1": Fraction(1, 100), "A2": Fraction(5, 100)}
    right |= {"B1": Fraction(1, 100), "B2": Fraction(5, 100)}
    left["R"], right["R"] = 1 - sum(left.values()), 1 - sum(right.values())
    scenario = faier.Scenario.of(
        faier.HMM(emit=emit, step=step), [("left", "right")], beliefs={"left": left, "right": right}, horizon="any"
    )
    tight = faier.epsilon(scenario)
    truth = tight_by_definition(scenario.claiming(horizon=4), 4)
    assert tight.ratio.lower <= truth <= tight.ratio.upper
    certificate = json.dumps(faier.certify(tight)).encode()
    assert faier_check.check(certificate, dumps(scenario).encode()).kind == "epsilon"
