"""Mechanisms as functions, and hand-written models of the same: equal word by word, and by the engine."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction as F
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import faier
import reference
from faier import library
from faier.mechanisms.distribution import mixture
from faier.model.names import label

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@dataclass(frozen=True)
class Same:
    """An example, and the mechanism that says the same; its data for each belief or state, its symbols spelt."""

    name: str
    mechanism: faier.Mechanism
    data: Callable[[str], Mapping[Any, Any]]
    spelt: Callable[[Hashable], Hashable] = label
    words: int = 1


def digits(name: str) -> dict[tuple[int, ...], int]:
    """What a name such as 012 or -1,2 says, as one data set."""
    return {tuple(map(int, name.split(",") if "," in name else name)): 1}


def joined(values: Any) -> str:
    return "".join(map(str, values))


def first_blank(mechanism: faier.Mechanism) -> faier.Process:
    """What a one-shot mechanism releases, after a symbol _ that tells nothing."""
    return faier.Process(
        start=lambda data: {("before", data): 1},
        emit=lambda place: mechanism.distribution(place[1]) if place[0] == "after" else {"_": 1},
        step=lambda place: {("after", place[1]): 1} if place[0] == "before" else None,
    )


@faier.mechanism
def two_coins(truth: str) -> str:
    """Warner's response: heads on the first coin, the truth; tails, what the second shows."""
    if faier.flip():
        return truth
    return "yes" if faier.flip() else "no"


def response(categories: list[str], truth: str = "3/4") -> Callable[[str], faier.Distribution]:
    return lambda category: faier.noise.k_ary_response(category, tuple(categories), truth)


def family(ill: bool) -> dict[tuple[int, ...], F]:
    """Disease 1 strikes both of two people or none; the others strike each with their own rate."""
    counts = [faier.noise.binomial(2, rate) for rate in ("1/2", "3/10", "4/10", "5/10")]
    found = {}
    for rest in product(range(3), repeat=4):
        weight = F(1)
        for row, k in zip(counts, rest, strict=True):
            weight *= row[k]
        found[(2 if ill else 0, *rest)] = weight
    return found


def clique(name: str) -> Mapping[int, F]:
    """The count in a clique of four, given one's state."""
    chances = {k: F(c, 20) for k, c in enumerate((2, 3, 10, 3, 2))}
    share = {k: F(k if name == "ill" else 4 - k, 4) for k in chances}
    return {k: 2 * chances[k] * share[k] for k in chances if share[k]}


def asked_again(name: str) -> dict[str, int]:
    return {"yes" if "yes" in name else "no": 1}


ASKED = faier.Process(lambda truth: {truth: 1}, response(["yes", "no"]))
ON_A_SAMPLE = {
    "with": {(1,): 1},
    "without": {(0,): 1},
}
YES = {0: "no", 1: "yes"}

SAME = [
    Same("truncated_geometric", library.truncated_geometric(), lambda n: {int(n): 1}, lambda z: f"~{z}"),
    Same("contagious", library.truncated_geometric(), lambda n: {0 if n == "well" else 2: 1}, lambda z: f"~{z}"),
    Same("noisy_max_2", library.noisy_max(queries=2), digits),
    Same("noisy_max_3", first_blank(library.noisy_max(queries=3)), digits, words=2),
    Same("noisy_max_3_first", first_blank(library.noisy_max(queries=3, ties="first")), digits, words=2),
    Same(
        "noisy_max_3_value",
        first_blank(library.noisy_max(queries=3, report="value")),
        digits,
        lambda z: z if z == "_" else f"~{z}",
        words=2,
    ),
    Same("noisy_max_family", library.noisy_max(queries=5), lambda n: family(n == "John is ill")),
    Same("randomized_response", ASKED, asked_again, words=2),
    Same("randomized_response_once", two_coins, asked_again),
    Same(
        "randomized_response_4",
        faier.Mechanism(lambda c: faier.draw(response(["red", "green", "blue", "grey"])(c))),
        lambda n: {n: 1},
    ),
    Same("answers_again", ASKED, asked_again, words=3),
    Same("rappor_once", library.rappor(), lambda n: {(1, 1, 0, 0) if n == "left" else (0, 0, 1, 1): 1}, joined),
    Same("rappor", library.rappor(), lambda n: {(1, 1, 0, 0) if n == "left" else (0, 0, 1, 1): 1}, joined, words=2),
    Same("geo_sample", library.geo_sample(), lambda n: {int(n.removeprefix("count ")): 1}),
    Same("permute_and_flip_2", library.permute_and_flip(candidates=2), digits),
    Same("permute_and_flip_3", library.permute_and_flip(candidates=3), digits),
    Same("exponential_2", library.exponential_mechanism(candidates=2), digits),
    Same("exponential_2_leaving", library.exponential_mechanism(candidates=2, low=-1, scores=4), digits),
    Same("exponential_3", library.exponential_mechanism(candidates=3), digits),
    Same("subsampled_once", library.subsampled(), ON_A_SAMPLE.__getitem__, YES.__getitem__),
    Same("subsampled_reused", library.subsampled(), ON_A_SAMPLE.__getitem__, YES.__getitem__, words=3),
    Same("subsampled_fresh", library.subsampled(reused=False), ON_A_SAMPLE.__getitem__, YES.__getitem__, words=3),
    Same(
        "memoised_response",
        faier.Process(response(["yes", "no"]), lambda kept: {kept: 1}),
        asked_again,
        words=4,
    ),
    Same(
        "activity_chain",
        library.markov_release(),
        lambda n: {0 if n == "resting" else 1: 1},
        lambda z: "still" if z == 0 else "moving",
        words=5,
    ),
    Same("flu_clique", library.truncated_geometric(counts=4), clique),
    Same(
        "flu_clique_unclamped",
        faier.Mechanism(lambda c: faier.draw(faier.noise.tailed_geometric(c, -2, 6))),
        clique,
    ),
    Same("dining_cryptographers", library.dining_cryptographers(), lambda n: {int(n[0]): 1}),
    Same("dining_cryptographers_faulty", library.dining_cryptographers(heads="2/3"), lambda n: {int(n[0]): 1}),
    Same(
        "crowds",
        library.crowds(corrupt="0.091"),
        lambda n: {int(n.removeprefix("sender ")): 1},
        lambda z: z if z == "unseen" else f"seen {z}",
    ),
]


def words_of(same: Same, name: str) -> dict[tuple[Hashable, ...], F]:
    """The distribution of the mechanism's first words, its symbols spelt as in the file."""
    released = same.mechanism
    if isinstance(released, faier.Process):
        rows = {data: released.releases(same.words).distribution(data) for data in same.data(name)}
    else:
        rows = {data: released.distribution(data).map(lambda z: (z,)) for data in same.data(name)}
    merged = mixture((p, rows[data]) for data, p in same.data(name).items())
    return dict(merged.map(lambda word: tuple(map(same.spelt, word))))  # type: ignore[arg-type]


def beliefs(scenario: faier.Scenario) -> dict[str, faier.Belief]:
    return {b.name: b for pair in scenario.pairs for b in (pair.left, pair.right)}


@pytest.mark.parametrize("same", SAME, ids=lambda same: same.name)
def test_word_by_word(same: Same) -> None:
    """Every word of the mechanism has its probability in the file; together they are 1, so there are no others."""
    hand = faier.load(EXAMPLES / f"{same.name}.toml")
    for name, belief in beliefs(hand).items():
        words = words_of(same, name)
        assert sum(words.values()) == 1
        for word, p in words.items():
            ended = len(word) < same.words
            assert reference.probability(hand.model, dict(belief.weights), word, ended) == p, (name, word)


@pytest.mark.parametrize("same", SAME, ids=lambda same: same.name)
def test_by_the_engine(same: Same) -> None:
    """Both models side by side: no word is likelier in the one than in the other."""
    hand = faier.load(EXAMPLES / f"{same.name}.toml")
    names = list(beliefs(hand))
    assert isinstance(faier.verify(both(same, hand, names), ratio=1, horizon=same.words), faier.Holds)


def with_another_model() -> list[Same]:
    """Those with a faulty twin whose fault is in its model, not in its claim."""
    twins = [(same, EXAMPLES / f"{same.name}_faulty.toml") for same in SAME]
    found = [s for s, t in twins if t.exists() and faier.load(t).model != faier.load(EXAMPLES / f"{s.name}.toml").model]
    assert len(found) > 8
    return found


@pytest.mark.parametrize("same", with_another_model(), ids=lambda same: same.name)
def test_the_engine_tells_the_faulty_twin_from_the_mechanism(same: Same) -> None:
    twin = faier.load(EXAMPLES / f"{same.name}_faulty.toml")
    verdict = faier.verify(both(same, twin, list(beliefs(twin))), ratio=1, horizon=max(2, same.words))
    assert isinstance(verdict, faier.Violated)


def both(same: Same, hand: faier.Scenario, names: list[str]) -> faier.Scenario:
    """The hand-written model and the mechanism's as one, with the same symbols; every belief against its double."""
    inputs = list(dict.fromkeys(data for name in names for data in same.data(name)))
    emit, step = same.mechanism.rows(inputs)
    left = {s: {label(x): p for x, p in row.items()} for s, row in hand.model.emit_rows().items()}
    right = {s: {label(same.spelt(x)): p for x, p in row.items()} for s, row in emit.items()}
    model = faier.HMM(
        emit={**{("hand", s): row for s, row in left.items()}, **{("own", s): row for s, row in right.items()}},
        step={
            **{("hand", s): {("hand", t): p for t, p in row.items()} for s, row in hand.model.step_rows().items()},
            **{("own", s): {("own", t): p for t, p in row.items()} for s, row in step.items()},
        },
    )
    found: dict[str, dict[Any, Any]] = {}
    for name, belief in beliefs(hand).items():
        found[f"{name} by hand"] = {("hand", s): p for s, p in belief.weights.items()}
        start = mixture((p, same.mechanism.starts(data)) for data, p in same.data(name).items())
        found[f"{name} of the mechanism"] = {("own", s): p for s, p in start.items()}
    pairs = [(f"{name} by hand", f"{name} of the mechanism") for name in names]
    return faier.Scenario.of(model, pairs, beliefs=found, horizon=1)
