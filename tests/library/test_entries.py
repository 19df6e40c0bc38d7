"""Every entry of the library: its documentation, its distribution by three ways, and mistakes that read well."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from scipy import stats

import faier
from faier import library

NAMES = library.__all__

# Sizes at which a distribution along all paths is quick, and which are not the defaults only.
SETTINGS: dict[str, list[dict[str, Any]]] = {
    "binary_tree_count": [{"steps": 3}, {"steps": 3, "report": "sums", "alpha": "1/3"}, {"steps": 2}],
    "crowds": [{}, {"honest": 3, "corrupt": 0}],
    "dining_cryptographers": [{"heads": "2/3"}, {"people": 5}, {"people": 4, "watcher": "outside", "heads": "1/3"}],
    "exponential_mechanism": [{}, {"candidates": 3, "low": -1, "scores": 1, "base": "5/2"}],
    "geo_sample": [{"counts": 2, "bits": 3}, {"counts": 3, "bits": 1}],
    "geometric": [{}, {"counts": 1, "alpha": "1/5"}],
    "k_ary_location_grid": [{}, {"response": "geometric"}, {"width": 1, "height": 4, "response": "geometric"}],
    "markov_count": [{"length": 3}, {"length": 4, "clamped": False, "states": 3, "counted": 2}],
    "markov_release": [{}, {"states": 3, "stay": "1/2", "truth": "1/2"}],
    "noisy_histogram": [{}, {"categories": 2, "people": 3, "alpha": "1/3"}],
    "noisy_max": [{"queries": 3}, {"queries": 2, "counts": 3, "alpha": "1/3", "ties": "first"}, {"report": "value"}],
    "permute_and_flip": [{}, {"candidates": 4, "scores": 2, "low": 1, "base": 3}],
    "randomized_response": [{}, {"categories": 5, "truth": "1/3"}],
    "rappor": [{"bits": 2}, {"bits": 3, "f": "1/4", "p": "1/8", "q": "7/8"}],
    "subsampled": [
        {},
        {"people": 3, "reused": False, "mechanism": "truncated-geometric", "counts": 3},
        {"people": 3, "drawn": 2, "mechanism": "geometric", "counts": 3},
    ],
    "truncated_geometric": [{}, {"counts": 5, "alpha": "1/3"}],
}
OF_MECHANISMS = [name for name in NAMES if name in SETTINGS]
CASES = [(name, settings) for name, all_settings in SETTINGS.items() for settings in all_settings]


def made(name: str, settings: dict[str, Any]) -> faier.Mechanism:
    found = library.entry(name)(**settings)
    assert isinstance(found, faier.Mechanism)
    return found


def test_every_mechanism_has_its_settings_here() -> None:
    assert sorted([*SETTINGS, *STREAMS]) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_an_entry_says_what_it_is_where_it_is_from_and_what_it_keeps(name: str) -> None:
    text = inspect.getdoc(library.entry(name)) or ""
    for part in ("Definition: ", "Source: ", "Guarantee: "):
        assert part in text, part
    assert re.search(r"Source: .*\b(19|20)\d\d\b", text, re.S)


@pytest.mark.parametrize("name", NAMES)
def test_an_entry_is_made_of_keywords_with_defaults(name: str) -> None:
    for argument in inspect.signature(library.entry(name)).parameters.values():
        assert argument.default is not argument.empty or argument.kind is argument.VAR_KEYWORD
    assert getattr(library, name) is library.entry(name) is library.entry(name.replace("_", "-"))


@pytest.mark.parametrize(("name", "settings"), CASES)
def test_the_distribution_is_that_of_all_paths_of_the_function(name: str, settings: dict[str, Any]) -> None:
    mechanism = made(name, settings)
    inputs = mechanism.all_inputs()
    for data in inputs if len(inputs) <= 32 else inputs[:: len(inputs) // 16]:
        assert mechanism.distribution(data) == mechanism.by_paths(data)


@pytest.mark.parametrize("name", OF_MECHANISMS)
def test_a_million_releases_agree_with_the_distribution_of_all_paths(name: str) -> None:
    mechanism = made(name, SETTINGS[name][0])
    data = mechanism.all_inputs()[1]
    assert p_value(mechanism.sample(data, 1_000_000, seed=4), mechanism.by_paths(data)) > 1e-4


@pytest.mark.parametrize("name", OF_MECHANISMS)
def test_the_function_itself_run_at_random_agrees_too(name: str) -> None:
    mechanism = made(name, SETTINGS[name][-1])
    data = mechanism.all_inputs()[-1]
    runs = [mechanism.run(data, seed=k) for k in range(4_000)]
    assert p_value(runs, mechanism.distribution(data)) > 1e-4


STREAMS = [name for name in NAMES if isinstance(library.entry(name)(), faier.StreamMechanism)]


@pytest.mark.parametrize("name", STREAMS)
def test_a_million_runs_of_a_stream_agree_with_its_steps(name: str) -> None:
    mechanism, asked = library.entry(name)(), (1, 2, 0)
    found: dict[tuple[Any, ...], Fraction] = {}
    level = {((), memory): p for memory, p in mechanism.start.items()}
    for query in asked:
        longer: dict[tuple[Any, Any], Fraction] = {}
        for (word, memory), p in level.items():
            for step, q in mechanism.step(memory, query).items():
                after = (*word, step.symbol)
                if step.stops:
                    found[after] = found.get(after, Fraction(0)) + p * q
                else:
                    longer[after, step.memory] = longer.get((after, step.memory), Fraction(0)) + p * q
        level = longer
    for (word, _), p in level.items():
        found[word] = found.get(word, Fraction(0)) + p
    assert p_value(mechanism.sample(asked, 1_000_000, seed=4), faier.Distribution(found)) > 1e-4
    assert p_value([mechanism.run(asked, seed=k) for k in range(4_000)], faier.Distribution(found)) > 1e-4


def test_that_test_would_notice() -> None:
    seen = library.randomized_response(truth="3/4").sample(0, 1_000_000, seed=4)
    assert p_value(seen, library.randomized_response(truth="0.755").distribution(0)) < 1e-9


def p_value(seen: Any, expected: faier.Distribution) -> float:
    """Chi-squared; what is expected less than 8 times is put together."""
    counts = Counter(seen)
    assert set(counts) <= set(expected)
    total = sum(counts.values())
    rows = sorted((float(p) * total, counts.get(z, 0)) for z, p in expected.items())
    cells: list[list[float]] = [[0.0, 0.0]]
    for wanted, had in rows:
        if cells[-1][0] >= 8:
            cells.append([0.0, 0.0])
        cells[-1][0] += wanted
        cells[-1][1] += had
    if len(cells) == 1:
        assert cells[0][1] == total
        return 1.0
    return float(stats.chisquare([c[1] for c in cells], [c[0] for c in cells]).pvalue)


def test_crowds_by_handing_on_and_on() -> None:
    """The loop itself, cut off after 40 members: what is left out is less likely than (4/5)^40."""
    one, far = faier.flip, 40

    def literally(sender: int) -> object:
        if one("1/11"):
            return sender
        for _ in range(far):
            if not one("4/5"):
                return "unseen"
            if one("1/11"):
                # Whoever handed it to a corrupt member had it from a random choice.
                return faier.draw(faier.noise.uniform(range(1, 6)))
        return "still on its way"

    cut, whole = faier.Mechanism(literally).distribution(2), library.crowds().distribution(2)
    left_out = cut["still on its way"]
    assert 0 < left_out < 0.8**far
    assert all(0 <= whole[z] - cut[z] <= left_out for z in whole)


def test_a_chain_with_unknown_probabilities() -> None:
    """The state at time 2, for every start and every way to move of a range."""
    release = library.markov_release(
        start={"start": "p", "end": "1-p"},
        step={"start": {"start": "s", "end": "1-s"}, "end": {"end": "s", "start": "1-s"}},
        parameters={"p": "1/4 <= p <= 3/4", "s": "1/2 <= s <= 4/5", "unused": "0 < unused < 1"},
    )
    scenario = release.scenario(at=2, horizon=3)
    assert set(scenario.model.parameters) == {"p", "s"}
    found = faier.epsilon(scenario)
    assert found.complete
    worst = faier.epsilon(scenario.fixing({"p": "1/2", "s": "4/5"})).ratio.upper
    assert found.ratio.upper >= worst == faier.epsilon(library.markov_release().scenario(at=2, horizon=3)).ratio.upper


def test_unknown_names_help() -> None:
    with pytest.raises(faier.UsageError, match="the library has no 'noisy-maximum'; did you mean 'noisy_max'"):
        library.entry("noisy-maximum")
    with pytest.raises(faier.UsageError, match="there are above_threshold, binary_tree_count"):
        library.entry("xyz")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: library.randomized_response(categories=1), "categories is at least 2, got 1"),
        (lambda: library.randomized_response(truth=0.75).distribution(0), 'write it as a string: "0.75"'),
        (lambda: library.rappor(f="3/2"), "f is to be 0 <= f <= 1, got 3/2"),
        (lambda: library.rappor(bits=2).distribution((1, 2)), r"rappor: a data set is a tuple of 2 bits, got \(1, 2\)"),
        (lambda: library.exponential_mechanism(low=3, scores=3), "scores - low is at least 1"),
        (lambda: library.exponential_mechanism(base=0).distribution((0, 0)), "base is greater than 0"),
        (lambda: library.subsampled("noisy-min"), "the library has no 'noisy-min'"),
        (lambda: library.subsampled(library.geometric(), alpha="1/2"), "given by its name"),
        (lambda: library.subsampled("geometric", people=1, drawn=2, alpha="1/2").distribution((0,)), "no 2 can be"),
        (lambda: library.binary_tree_count(steps=12), "outcomes; at most 200,000"),
        (lambda: library.binary_tree_count(report="all"), 'report is "nodes" or "sums"'),
        (lambda: library.noisy_histogram().distribution((0, 5)), "a tuple of 2 categories from 0 to 2"),
        (lambda: library.k_ary_location_grid(width=1, height=1), "the number of cells is at least 2"),
        (lambda: library.k_ary_location_grid(response="exact"), 'response is "k-ary" or "geometric"'),
        (lambda: library.dining_cryptographers(people=2), "people is at least 3, got 2"),
        (lambda: library.dining_cryptographers(watcher="first"), 'watcher is "last" or "outside"'),
        (lambda: library.crowds(forward=1), "forward is to be 0 <= forward < 1"),
        (lambda: library.crowds().distribution(9), "a sender is a number from 1 to 5, got 9"),
        (lambda: library.markov_release(step={"a": {"b": 1}}), "the chain has no row for 'b'"),
        (lambda: library.markov_release(step=3), "step is state -> next state -> probability"),
        (lambda: library.markov_release().scenario(at=0), "at is at least 1"),
        (lambda: library.markov_count(length=3).scenario(at=4), "a data set has 3 records"),
        (
            lambda: library.markov_release(start={0: 1}).scenario(at=1),
            "at time 1 the chain is always in state 0",
        ),
    ],
)
def test_what_is_no_entry(make: Any, message: str) -> None:
    with pytest.raises(faier.FaierError, match=message):
        make()
