"""Five hundred random questions about every length with unknown parameters: no bound is below the ratio of a word at
values that are allowed, and the checker accepts every certificate.

A dozen of them always run; `pytest -m slow tests/nightly` runs them all.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from math import inf
from random import Random

import pytest
from opinions_at_any import worst_word

import faier
from faier.model.toml_write import dumps
from faier_check import check

FEW, ALL, BLOCK = 12, 500, 50
SECONDS = 1.5
"""At every length a search may go on for ever: what is known when the time is over has to be true as well."""
RANGES = {
    "1/4 <= _ <= 1/2": ("1/4", "1/3", "1/2"),
    "0 < _ <= 1/3": ("1/50", "1/5", "1/3"),
    "1/5 < _ < 3/4": ("1/4", "2/3"),
}
"""Each with values inside it."""
SHARES = ("_", "1 - _", "_/2", "(1 + _)/2", "_^2", "1/3", "1/2", "3/4")


def question(seed: int) -> tuple[faier.Scenario, list[dict[str, Fraction]]]:
    """Two or three states, one or two unknowns in what is said, in the steps and in one of the beliefs; and values."""
    dice = Random(seed)
    ranges = {name: dice.choice(list(RANGES)) for name in "pq"[: dice.randint(1, 2)]}
    states, symbols = ["s0", "s1", "s2"][: dice.randint(2, 3)], ["a", "b"]

    def row(names: Sequence[str]) -> dict[str, str]:
        """Each name takes a share of what is left."""
        found, rest = {}, "1"
        for name in names[:-1]:
            share = dice.choice(SHARES).replace("_", dice.choice(list(ranges)))
            found[name] = f"({rest})*({share})"
            rest = f"({rest})*(1 - ({share}))"
        return found | {names[-1]: rest}

    model = faier.HMM(
        emit={s: row(symbols) for s in states},
        step={s: row(dice.sample(states, len(states))) for s in states if dice.random() < 0.9},
        parameters={name: text.replace("_", name) for name, text in ranges.items()},
    )
    left = row(states) if dice.random() < 0.5 else {states[0]: "1"}
    scenario = faier.Scenario.of(
        model, [("left", states[1])], beliefs={"left": left}, horizon="any",
        possible=dice.choice(("either", "either", "both")),
    )  # fmt: skip
    values = [
        {name: Fraction(dice.choice(RANGES[text])) for name, text in ranges.items()} for _ in range(3)
    ]
    return scenario, values


def agree(seed: int) -> str:
    """How it ended."""
    scenario, values = question(seed)
    tight = faier.epsilon(scenario, tolerance="1e-3", timeout=SECONDS)
    ratios = [worst_word(scenario.fixing(at)) for at in values]
    assert max(ratios) <= tight.ratio.upper, (seed, values, ratios, tight)
    if tight.complete and tight.trace is not None:
        check(json.dumps(faier.certify(tight)).encode(), dumps(scenario).encode())
    claim = scenario.claiming(ratio=Random(seed).choice(("3/2", "4", "20")))
    verdict = faier.verify(claim, timeout=SECONDS)
    budget = claim.claim.budget
    match verdict:
        case faier.Holds():
            assert max(ratios) != inf, seed
            assert budget.compare(Fraction(max(ratios))) <= 0, (seed, values, ratios)
            check(json.dumps(faier.certify(verdict)).encode(), dumps(claim).encode())
        case faier.Violated(witness=found):
            assert found.ratio == inf or budget.compare(Fraction(found.ratio)) > 0, seed
            check(json.dumps(faier.certify(verdict)).encode(), dumps(claim).encode())
    return type(verdict).__name__


def test_a_dozen_agree() -> None:
    ends = [agree(seed) for seed in range(FEW)]
    assert {"Holds", "Violated"} <= set(ends)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seeds", [range(start, start + BLOCK) for start in range(0, ALL, BLOCK)], ids=str)
def test_all_agree(seeds: range) -> None:
    ends = [agree(seed) for seed in seeds]
    assert ends.count("Unknown") <= len(ends) / 3
