"""Evidence: what is wrong is rejected, what is right is not more often than stated, and bounds are true."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import faier
from faier.auditing.audit import audit, curve
from faier.auditing.models import TableSampler
from faier.auditing.patterns import patterns

TRUTH = math.log(288 / 73)
GEOMETRIC = [-2, -1, -1, 0, 0, 0, 0, 1, 1, 2]


def too_often(wrong: int, runs: int, stated: float) -> bool:
    """Whether so many errors contradict the stated rate, by an exact binomial test at level 1/1000."""
    return bool(binom.sf(wrong - 1, runs, stated) < 1e-3)


def test_noisy_max_of_five_is_found_and_bounded() -> None:
    noisy = TableSampler(faier.library.noisy_max(queries=5))
    found = audit(noisy, list(patterns(5).values()), epsilon=1.3, samples=500_000, seed=1)
    assert found.rejected
    assert {found.left, found.right} == {(1, 1, 1, 1, 1), (0, 2, 2, 2, 2)}
    assert found.event == (1,)
    assert 1.34 < found.lower_bound < 1.40
    assert found.to_dict()["event"] == [[1]]


@pytest.mark.parametrize("runs", [30, pytest.param(200, marks=pytest.mark.slow)])
def test_bounds_are_above_the_truth_as_seldom_as_stated(runs: int) -> None:
    noisy = TableSampler(faier.library.noisy_max(queries=5))
    pairs = list(patterns(5).values())
    above = sum(
        audit(noisy, pairs, samples=20_000, seed=seed, confidence=0.9).lower_bound > TRUTH for seed in range(runs)
    )
    assert not too_often(above, runs, 0.1)


def test_a_claim_that_holds_is_rejected_as_seldom_as_stated() -> None:
    noisy = TableSampler(faier.library.truncated_geometric())
    wrong = sum(
        audit(noisy, [(0, 1), (1, 2)], epsilon=math.log(2), samples=1_000, seed=seed, confidence=0.8).rejected
        for seed in range(50)
    )
    assert not too_often(wrong, 50, 0.2)
    assert wrong > 0  # the claim is tight, so a test with any power errs sometimes


def right(answers: Sequence[int], rng: np.random.Generator) -> Any:
    return tuple(answer + int(rng.choice(GEOMETRIC)) for answer in answers)


def reused(answers: Sequence[int], rng: np.random.Generator) -> Any:
    noise = int(rng.choice(GEOMETRIC))
    return tuple(answer + noise for answer in answers)


def clamped(answers: Sequence[int], rng: np.random.Generator) -> Any:
    noisy = [answer + int(rng.choice(GEOMETRIC)) for answer in answers]
    return (min(noisy[0], answers[0] + 1), *noisy[1:])


def claim_of(function: Any, runs: int, samples: int = 1_500) -> int:
    """How often the claim of the right twin is rejected."""
    # Each answer moves by 1, and ends of the noise are seen on one side only; the event "at the end" is left out by
    # answers modulo 5, which makes the noise wrap around: ratio at most 4 for each of two answers.
    def wrapped(answers: Any, rng: np.random.Generator) -> Any:
        return tuple(x % 5 for x in function(answers, rng))

    return sum(
        audit(wrapped, [((1, 1), (2, 0))], epsilon=math.log(16), samples=samples, seed=seed).rejected
        for seed in range(runs)
    )


@pytest.mark.parametrize("runs", [15, pytest.param(200, marks=pytest.mark.slow)])
def test_bugs_are_rejected_and_their_correct_twin_is_not(runs: int) -> None:
    assert claim_of(reused, 5) == 5
    assert claim_of(clamped, 5) == 5
    assert not too_often(claim_of(right, runs), runs, 0.05)


class Stateful:
    """Depends on what was released before: every other release has no noise."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, answers: Sequence[int]) -> Any:
        self.calls += 1
        return answers[0] if self.calls % 2 else answers[0] + random.choice([-1, 0, 1])


def test_a_dependence_on_global_state_is_rejected() -> None:
    # The correct twin keeps 3 in 0..2 modulo 3; half the releases of the wrong one say the answer itself.
    def wrong(data: Sequence[int], state: Stateful = Stateful()) -> Any:  # noqa: B008
        return state(data) % 3

    assert audit(wrong, [((0,), (1,))], epsilon=math.log(3), samples=4_000, seed=1).rejected


def test_continuous_outputs_are_told_apart_by_bounds_and_classifiers() -> None:
    def laplace(data: Any, n: int, seed: int) -> Any:
        return np.random.default_rng(seed).laplace(data[0], 1.0, size=n)

    found = audit(laplace, [((0,), (3,))], epsilon=2.0, samples=10_000, seed=2)
    assert found.rejected
    assert found.event is None
    # The truth is 3, and one seed in twenty may exceed it.
    assert 2.5 < found.lower_bound <= 3.1


def test_a_classifier_finds_what_single_positions_do_not_show() -> None:
    pytest.importorskip("sklearn")

    def many_bits(data: Any, n: int, seed: int) -> Any:
        generator = np.random.default_rng(seed)
        return (generator.random((n, 24)) < (0.55 if data else 0.45)).astype(int)

    learned = audit(many_bits, [(0, 1)], samples=3_000, seed=2)
    plain = audit(many_bits, [(0, 1)], samples=3_000, seed=2, classifier=None, kinds=["value", "position"])
    assert learned.lower_bound > plain.lower_bound + 0.3
    assert "classifier" in learned.bound_event_text


def test_the_same_seed_gives_the_same_evidence() -> None:
    noisy = TableSampler(faier.library.noisy_max(queries=2))
    one, two = (audit(noisy, [((0, 0), (1, 1))], epsilon=1, samples=2_000, seed=3).to_dict() for _ in range(2))
    assert {k: v for k, v in one.items() if k != "seconds"} == {k: v for k, v in two.items() if k != "seconds"}


def test_evidence_is_no_truth_value() -> None:
    found = audit(TableSampler(faier.library.truncated_geometric()), [(0, 1)], samples=1_000)
    with pytest.raises(TypeError, match="not a truth value"):
        bool(found)
    assert str(found).startswith("epsilon is at least")


def test_what_a_failing_sampler_gave_before_is_kept() -> None:
    calls = []

    def dying(data: Any, n: int, seed: int) -> Any:
        calls.append(data)
        if len(calls) > 2:
            raise RuntimeError("no more noise")
        return np.random.default_rng(seed).integers(0, 2, n) + data[0]

    with pytest.raises(faier.SamplerError, match="no more noise") as caught:
        audit(dying, [((0,), (1,))], epsilon=1, samples=2_000)
    partial = caught.value.partial
    assert partial is not None
    assert not partial.complete
    assert not partial.rejected
    assert partial.drawn > 0


def test_p_values_of_a_sweep_rise_through_the_truth() -> None:
    points = curve(TableSampler(faier.library.truncated_geometric()), [(0, 1)], [0.2, 0.6, 0.9], samples=20_000, seed=1)
    assert points[0][1] < 0.05
    assert points[-1][1] > 0.5


@pytest.mark.parametrize(
    "wrong",
    [{"epsilon": -1.0}, {"samples": 3}, {"confidence": 1.0}, {"seed": -1}, {"samples": True}],
)
def test_wrong_settings(wrong: dict[str, Any]) -> None:
    with pytest.raises(faier.UsageError):
        audit(TableSampler(faier.library.truncated_geometric()), [(0, 1)], **wrong)
    with pytest.raises(faier.UsageError, match="no pair"):
        audit(TableSampler(faier.library.truncated_geometric()), [])


@pytest.mark.parametrize("finalists", [2, 5])
def test_several_finalists_are_corrected_for_their_number(finalists: int) -> None:
    noisy = TableSampler(faier.library.noisy_max(queries=3))
    pairs = list(patterns(3).values())
    one = audit(noisy, pairs, epsilon=1.1, samples=20_000, seed=4)
    several = audit(noisy, pairs, epsilon=1.1, samples=20_000, seed=4, finalists=finalists)
    assert several.rejected
    assert several.drawn > one.drawn
    # The best pair is among the finalists, and its bound is a little lower for the others' sake.
    assert one.lower_bound - 0.05 < several.lower_bound < math.log(24 / 7)


def test_a_perceptron_sees_what_is_no_sum_of_positions() -> None:
    pytest.importorskip("sklearn")

    def parity(data: Any, n: int, seed: int) -> Any:
        generator = np.random.default_rng(seed)
        noise = generator.normal(size=(n, 2))
        same = generator.random(n) < (0.8 if data else 0.2)
        noise[:, 1] = np.where(same, np.sign(noise[:, 0]), -np.sign(noise[:, 0])) * np.abs(noise[:, 1])
        return noise

    # No position and no sum tells the two sides apart, but whether the signs agree does: 0.8 against 0.2.
    flat = audit(parity, [(0, 1)], samples=4_000, seed=2)
    bent = audit(parity, [(0, 1)], samples=4_000, seed=2, classifier="perceptron")
    assert flat.lower_bound < 0.5 < 1 < bent.lower_bound <= math.log(4) + 0.1


def test_a_million_words_of_a_model_are_counted() -> None:
    scenario = faier.Scenario.of(
        faier.HMM(
            emit={"a": {"x": "1/2", "y": "1/2"}, "b": {"x": "1/3", "y": "2/3"}},
            step={"a": {"a": "1/2", "b": "1/2"}, "b": {"a": "1/4", "b": "3/4"}},
        ),
        [("a", "b")],
        horizon=8,
    )
    from faier.auditing.models import word_sampler

    sampler = word_sampler(scenario)
    found = sampler.counts(scenario.pairs[0].left, 1_000_000, 1)
    assert sum(found.values()) == 1_000_000
    assert len(found) == 256
    drawn = sampler.sample(scenario.pairs[0].left, 1_000, 2)
    assert drawn.shape == (1_000,)
    assert all(len(word) == 8 for word in drawn)
