"""Exact rows that are shared and kept by prefix are the right ones, also when all of them had to be forgotten."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from faier.comparison import Comparison
from faier.definition import forward
from faier.engine import known_rows
from faier.engine.one_letter import one_letter
from faier.engine.progress import Limits
from faier.engine.tree.search import Search
from faier.engine.words import row_after
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.scenario.scenario import Claim, Pair, Scenario

STATES = ("x", "y", "z")


def _row(dice: Random, names: tuple[str, ...]) -> dict[str, Fraction]:
    weights = [dice.randint(0, 3) for _ in names]
    weights[dice.randrange(len(names))] += 1
    return {n: Fraction(w, sum(weights)) for n, w in zip(names, weights, strict=True) if w}


def _scenario(seed: int, horizon: int | str) -> Scenario:
    dice = Random(seed)
    model = HMM({s: _row(dice, ("a", "b", "c")) for s in STATES}, {s: _row(dice, STATES) for s in STATES[:2]})
    beliefs = [Belief(f"belief {k}", _row(dice, STATES)) for k in range(3)] + [Belief.at("x")]
    # Equal beliefs under different names, pairs one way and pairs of a belief with itself.
    beliefs.append(Belief("again", dict(beliefs[0].weights)))
    pairs = tuple(
        Pair(dice.choice(beliefs), dice.choice(beliefs), one_way=dice.random() < 0.3) for _ in range(7)
    )
    return Scenario(model, pairs, Claim(horizon=horizon))


def _sides(scenario: Scenario, direction) -> tuple[Belief, Belief]:
    pair = scenario.pairs[direction.pair]
    return (pair.left, pair.right) if direction.forward else (pair.right, pair.left)


def _check_rows(scenario: Scenario, comparison: Comparison, row, letters: tuple[int, ...], direction: int) -> None:
    names = [*STATES, None]
    word = tuple(scenario.model.symbols[s] for s in letters)
    for side, belief in zip((row.left, row.right), _sides(scenario, comparison.directions[direction]), strict=True):
        found = {names[i]: x * row.unit for i, x in side.items() if x}
        assert found == forward(scenario.model, dict(belief.weights), word)


@pytest.mark.parametrize("budget", [1, 20_000, 1_000_000_000])
def test_rows_of_words_and_of_nodes(budget, monkeypatch):
    monkeypatch.setattr(known_rows, "_MOST_BITS", budget)
    scenario = _scenario(1, 4)
    comparison = Comparison(scenario)
    search, other = Search(comparison, Limits()), Search(comparison, Limits())
    nodes = []
    for one in (search, other):
        level = [one.roots()]
        for _ in range(3):
            level = [child for batch in level for child in one.expand(batch)]
            nodes += [(one, int(k)) for batch in level for k in batch.ids]
    Random(0).shuffle(nodes)
    for one, node in nodes[:300]:
        letters, direction = one.nodes.letters(node), int(one.nodes.direction[node])
        _check_rows(scenario, comparison, one.exact.row(node), letters, direction)
        _check_rows(scenario, comparison, row_after(comparison, direction, letters), letters, direction)
    assert (known_rows.known_rows(comparison).emptied > 0) == (budget < 1_000_000_000)


@pytest.mark.parametrize("seed", range(5))
def test_directions_are_the_pairs_both_ways(seed):
    scenario = _scenario(seed, 2)
    comparison = Comparison(scenario)
    expected = []
    for k, pair in enumerate(scenario.pairs):
        expected.append((k, True, pair.left, pair.right))
        if not pair.one_way:
            expected.append((k, False, pair.right, pair.left))
    assert len(comparison.directions) == len(expected)
    for found, (k, forward_, left, right) in zip(comparison.directions, expected, strict=True):
        assert (found.pair, found.forward) == (k, forward_)
        assert dict(comparison.beliefs[found.left].weights) == dict(left.weights)
        assert dict(comparison.beliefs[found.right].weights) == dict(right.weights)
    assert [d.pair for d in comparison.directions[1:3]] == np.array(comparison.directions.pair)[1:3].tolist()


@pytest.mark.parametrize("most", [1, 1_000_000])
def test_words_of_one_letter(most, monkeypatch):
    monkeypatch.setattr("faier.engine.one_letter._MOST_NUMBERS", most)
    for seed in range(5):
        scenario = _scenario(seed, 1)
        comparison = Comparison(scenario)
        for number, direction in enumerate(comparison.directions):
            for letter, symbol in enumerate(scenario.model.symbols):
                left, right, over = one_letter(comparison, number, letter)
                for found, belief in zip((left, right), _sides(scenario, direction), strict=True):
                    after = forward(scenario.model, dict(belief.weights), (symbol,))
                    assert Fraction(found, over) == sum(after.values())
