"""Verdicts and tight ratios for all values against the definition at many values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import inf

import pytest
from hypothesis import given
from judge import examples

import faier_check
from faier.certificate.write import certify
from faier.definition import counted_words, tight_by_definition
from faier.engine import epsilon, verify
from faier.engine.boxes.values import at
from faier.errors import FaierError
from faier.model.toml_write import dumps
from faier.number.exact import Extended
from faier.scenario.scenario import Scenario
from faier.verdict import Holds, Tight, Unknown, Verdict, Violated
from strategies import PARAMETERS, unknown_scenarios

GRID = [
    {"p": p, "q": q}
    for p, q in product(
        (Fraction(1, 1000), Fraction(1, 7), Fraction(1, 2), Fraction(5, 6), Fraction(999, 1000)),
        (Fraction(1, 4), Fraction(2, 5), Fraction(1, 2), Fraction(3, 4)),
    )
]


def fixed(scenario: Scenario) -> Iterator[Scenario]:
    """The scenario at the values of the grid, where it is defined."""
    for values in GRID:
        try:
            yield at(scenario, values)
        except (FaierError, ZeroDivisionError):
            continue


def tight_on_grid(scenario: Scenario) -> Extended:
    length = scenario.claim.horizon
    assert isinstance(length, int)
    return max((tight_by_definition(one, length) for one in fixed(scenario)), default=Fraction(0))


def checked(result: Verdict | Tight) -> None:
    """The certificate is accepted."""
    text = json.dumps(certify(result)).encode()
    faier_check.check(text, dumps(result.scenario).encode())


@examples(150)
@given(unknown_scenarios())
def test_verdicts_agree_with_the_definition_on_a_grid(scenario: Scenario) -> None:
    verdict = verify(scenario, seconds=20)
    budget = scenario.require_constant_budget()
    match verdict:
        case Holds():
            worst = tight_on_grid(scenario)
            assert worst != inf
            assert budget.compare(Fraction(worst)) <= 0
            checked(verdict)
        case Violated(witness=witness):
            assert not scenario.uses_unknowns or set(PARAMETERS) == witness.parameters.keys()
            one = at(scenario, witness.parameters)
            readings = {
                (k, ahead, word, ended): (left, right)
                for k, ahead, word, ended, left, right in counted_words(one, int(scenario.claim.horizon or 0))
            }
            key = witness.pair, witness.forward, witness.word, witness.ended
            assert readings[key] == (witness.left_probability, witness.right_probability)
            assert not budget.allows(*readings[key])
            checked(verdict)
        case Unknown():
            pytest.fail(f"not decided: {verdict.reason}")


@examples(80)
@given(unknown_scenarios())
def test_tight_ratios_are_no_less_than_on_a_grid(scenario: Scenario) -> None:
    tight = epsilon(scenario, seconds=20)
    worst = tight_on_grid(scenario)
    assert tight.ratio.upper >= worst  # type: ignore[operator]
    if tight.attained:
        assert tight.witness is not None
        assert tight.witness.ratio == tight.ratio.lower
    if tight.complete:
        assert tight.ratio.upper == inf or tight.ratio.upper <= tight.ratio.lower * (1 + Fraction(1, 10**9))  # type: ignore[operator]
        if tight.trace is not None or tight.ratio.upper == inf:
            checked(tight)


@examples(40)
@given(unknown_scenarios(horizons=("any",), possible=("either",)))
def test_nothing_longer_exceeds_a_bound_for_every_length(scenario: Scenario) -> None:
    tight = epsilon(scenario, seconds=2)
    for one in list(fixed(scenario))[::5]:
        finite = replace(one, claim=replace(one.claim, horizon=4))
        assert tight.ratio.upper >= tight_by_definition(finite, 4)  # type: ignore[operator]
    if tight.complete:
        checked(tight)
