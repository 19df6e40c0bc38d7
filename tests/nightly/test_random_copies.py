"""Random models whose states stand there several times: the answers stay those of the models without copies."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from opinions import Truth
from random_models import question

import faier
from faier.certificate import certify
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.lump import alike
from faier.model.toml_write import dumps
from faier.scenario.scenario import Scenario
from faier_check import check

ALL, BLOCK = 4_000, 500
blocks = [range(start, start + BLOCK) for start in range(0, ALL, BLOCK)]


def with_copies(seed: int) -> Scenario:
    """The question of that seed, its states copied up to three times, in any order, and shares divided at random."""
    dice, asked = Random(seed), question(seed)
    copies = {s: [f"{s}{mark}" for mark in "abc"[: dice.randint(1, 3)]] for s in asked.model.states}
    order = [(s, c) for s in copies for c in copies[s]]
    dice.shuffle(order)

    def divided(row: dict[str, Fraction]) -> dict[str, Fraction]:
        shares: dict[str, Fraction] = {}
        for target, value in row.items():
            weights = [dice.choice((0, 1, 1, 7)) for _ in copies[target]]
            weights[dice.randrange(len(weights))] += 1
            shares |= {c: value * Fraction(w, sum(weights)) for c, w in zip(copies[target], weights, strict=True) if w}
        return shares

    emit, step = asked.model.emit_rows(), asked.model.step_rows()
    model = HMM(emit={c: emit[s] for s, c in order}, step={c: divided(step[s]) for s, c in order if s in step})
    pairs = tuple(
        replace(
            pair,
            left=Belief(f"left {k}", divided(dict(pair.left.weights))),
            right=Belief(f"right {k}", divided(dict(pair.right.weights))),
        )
        for k, pair in enumerate(asked.pairs)
    )
    return Scenario(model, pairs, asked.claim)


def agree(seed: int) -> None:
    asked, many = question(seed), with_copies(seed)
    truth = Truth.of(asked)
    assert max(alike(many.model)) == max(alike(asked.model))
    text = dumps(many).encode()
    for engine in ("auto", "tree"):
        verdict = faier.verify(many, engine=engine)
        assert isinstance(verdict, faier.Holds if truth.shortest is None else faier.Violated)
        if isinstance(verdict, faier.Violated):
            assert len(verdict.witness.word) == truth.shortest
        check(json.dumps(certify(verdict)).encode(), text)
    tight = faier.epsilon(many)
    assert tight.ratio.lower == tight.ratio.upper == truth.tight
    check(json.dumps(certify(tight)).encode(), text)


@pytest.mark.parametrize("seeds", [range(start, start + 40) for start in range(0, 120, 40)], ids=str)
def test_a_few_agree(seeds: range) -> None:
    for seed in seeds:
        agree(seed)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seeds", blocks, ids=str)
def test_all_agree(seeds: range) -> None:
    for seed in seeds:
        agree(seed)
