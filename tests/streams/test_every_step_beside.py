"""Secrets at every step beside other pairs, and of sets of states, against their definition and the checker."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from math import inf

import pytest
from by_paths import ratios
from hypothesis import given, settings
from hypothesis import strategies as st

import faier
from faier.model.backward import stationary
from faier.model.toml_write import dumps
from faier_check import CertificateError, check
from strategies import hmms, quick, rows

EMIT = {"a": {"0": "2/3", "1": "1/3"}, "b": {"0": "1/3", "1": "2/3"}, "c": {"0": "1/2", "1": "1/2"}}
STEP = {
    "a": {"a": "1/2", "b": "1/4", "c": "1/4"},
    "b": {"a": "1/4", "b": "1/2", "c": "1/4"},
    "c": {"a": "1/4", "b": "1/4", "c": "1/2"},
}
MODEL = faier.HMM(emit=EMIT, step=STEP)
BELIEFS = {"even": {"a": "1/3", "b": "1/3", "c": "1/3"}, "tilted": {"a": "1/2", "b": "1/4", "c": "1/4"}}
# To d no run comes back, so that there is no stationary distribution that is positive on all states.
LEFT = faier.HMM(emit=EMIT | {"d": {"0": "1/2", "1": "1/2"}}, step=STEP | {"d": {"a": "1/2", "b": "1/2"}})


def asked(*pairs: object, **claim: object) -> faier.Scenario:
    return faier.Scenario.of(MODEL, pairs, beliefs=BELIEFS, horizon="any", **claim)


def proved(result: object, scenario: faier.Scenario) -> str:
    return check(json.dumps(faier.certify(result)).encode(), dumps(scenario).encode()).claim  # type: ignore[arg-type]


def by_the_definition(scenario: faier.Scenario, horizon: int, last: int) -> Iterator[Fraction | float]:
    """The ratios of all words of a horizon, of all pairs, at all steps up to one, by listing paths."""
    written = scenario.written
    assert written is not None
    for pair in written.pairs:
        if isinstance(pair, faier.Gate):
            start = dict(pair.start.weights)  # type: ignore[union-attr]
            steps = range(1, last + 1) if pair.at == "every" else (pair.at,)
            sides = set(pair.left), set(pair.right)
            for left, right in (sides,) if pair.one_way else (sides, sides[::-1]):
                for at in steps:
                    yield from ratios(written.model, start, at, left, right, horizon, False)
        else:
            yield from ordinary(written.model, pair, horizon)


def ordinary(model: faier.HMM, pair: object, horizon: int) -> Iterator[Fraction | float]:
    """Of a pair of beliefs: every word, with all paths from the left against all from the right."""
    both = []
    for belief in (pair.left, pair.right):  # type: ignore[attr-defined]
        found = {((), True): Fraction(1)}
        rows_of = {(): dict(belief.weights)}
        for _ in range(horizon):
            longer: dict[tuple[str, ...], dict[object, Fraction]] = {}
            for word, row in rows_of.items():
                for state, p in row.items():
                    for symbol, q in model.emit_rows()[state].items():
                        to = longer.setdefault((*word, symbol), {})
                        onward = model.step_rows().get(state, {"": Fraction(1)})
                        for other, r in onward.items():
                            to[other] = to.get(other, Fraction(0)) + p * q * r
            rows_of = longer
            for word, row in longer.items():
                if row.get("", 0) and len(word) < horizon:
                    found[word, False] = row.pop("")
                row.pop("", None) if len(word) < horizon else None
        found |= {(word, True): total for word, row in rows_of.items() if (total := sum(row.values(), Fraction(0)))}
        found.pop(((), True), None)
        both.append(found)
    for left, right in (both,) if pair.one_way else (both, both[::-1]):  # type: ignore[attr-defined]
        yield from (p / right[w] if w in right else inf for w, p in left.items())


@st.composite
def questions(draw: st.DrawFn) -> faier.Scenario | None:
    """A small model with a secret at every step, of sets or not, and up to two other pairs; None where none is."""
    model = draw(hmms(3, 2))
    beliefs = {name: draw(rows(model.states)) for name in ("start", "other")}
    if draw(st.booleans()) and (measure := stationary(model, range(len(model.states)))) is not None:
        beliefs["start"] = {model.states[i]: p for i, p in measure.items()}
    side = st.lists(st.sampled_from(model.states), min_size=1, max_size=2, unique=True)
    one_way = st.booleans()
    pairs: list[object] = [faier.Gate("start", "every", draw(side), draw(side), one_way=draw(one_way))]
    for kind in draw(st.lists(st.sampled_from(("pair", "gate", "every")), max_size=2)):
        if kind == "pair":
            pairs.append(("start", "other"))
        else:
            at = "every" if kind == "every" else draw(st.integers(1, 3))
            pairs.append(faier.Gate("other", at, draw(side), draw(side), one_way=draw(one_way)))
    with suppress(faier.ModelError), warnings.catch_warnings():
        # A gate that no run passes is left out, with a warning.
        warnings.simplefilter("ignore")
        return faier.Scenario.of(model, draw(st.permutations(pairs)), beliefs=beliefs, horizon="any")
    return None


@given(questions())
@settings(quick, max_examples=16)
def test_no_word_and_no_step_exceeds_what_is_proved(scenario: faier.Scenario | None) -> None:
    if scenario is None:
        return
    tight = faier.epsilon(scenario, tolerance="1e-3", timeout=0.3)
    worst = max((r for n in range(1, 6) for r in by_the_definition(scenario, n, 5)), default=Fraction(0))
    assert worst <= tight.ratio.upper
    if tight.complete and tight.ratio.lower != inf:
        assert worst <= tight.ratio.lower * (1 + Fraction(1, 1000))
    if tight.complete:
        proved(tight, scenario)
    if tight.witness is not None:
        assert_right(scenario, tight)
    for ratio in (2, "7/2", 20):
        verdict = faier.verify(scenario, ratio=ratio, timeout=0.3)
        if isinstance(verdict, faier.Holds):
            assert worst <= Fraction(ratio)
            assert tight.ratio.lower <= Fraction(ratio)
        elif isinstance(verdict, faier.Violated):
            assert tight.ratio.upper > Fraction(ratio)
            assert_right(scenario, verdict)
            assert verdict.witness.ratio > Fraction(ratio)
        else:
            assert verdict.bounds.lower <= tight.ratio.upper
            assert verdict.bounds.upper >= tight.ratio.lower
            continue
        proved(verdict, scenario.claiming(ratio=ratio))


def assert_right(scenario: faier.Scenario, result: faier.Tight | faier.Violated) -> None:
    """The witness's pair has its names, and some word of its length has its ratio by the definition."""
    witness = result.witness
    pair = result.scenario.pairs[witness.pair]
    names = (pair.left.name, pair.right.name)
    assert (witness.left, witness.right) == (names if witness.forward else names[::-1])
    if len(witness.word) <= 4 and witness.ratio != 1:
        length = len(witness.word) + (1 if witness.ended else 0)
        assert witness.ratio in set(by_the_definition(scenario, length, 8))


SETS = faier.Gate("even", "every", ["a", "c"], ["b"])
TILTED = faier.Gate("tilted", "every", ["a", "c"], ["b"])


def test_other_pairs_are_asked_about_alone() -> None:
    every = faier.Gate("even", "every", ["a"], ["b"])
    scenario = asked(("a", "b"), every, faier.Gate("tilted", 2, ["a"], ["b", "c"]))
    tight = faier.epsilon(scenario, tolerance="1e-4")
    assert tight.complete
    assert tight.ratio.lower == faier.epsilon(asked(every), tolerance="1e-4").ratio.lower
    assert "2 other pairs" in proved(tight, scenario)
    holds = faier.verify(scenario, ratio=10)
    assert isinstance(holds, faier.Holds)
    proved(holds, scenario.claiming(ratio=10))
    # Here the worst pair is the ordinary one, as the two beliefs look apart at once.
    model = faier.HMM(emit=EMIT | {"d": {"0": "99/100", "1": "1/100"}}, step=STEP | {"d": {"a": 1}})
    mixed = faier.Scenario.of(model, [every, ("d", "b")], beliefs=BELIEFS, horizon="any")
    worst = faier.epsilon(mixed, tolerance="1e-4")
    assert worst.complete
    assert worst.ratio.lower > 60
    assert (worst.witness.left, worst.witness.right) == ("b", "d")
    proved(worst, mixed)
    broken = faier.verify(mixed, ratio=50)
    assert isinstance(broken, faier.Violated)
    assert "of the pairs 1" in proved(broken, mixed.claiming(ratio=50))


def test_sets_of_states_of_a_stationary_run_are_enclosed_by_what_is_around_a_step() -> None:
    scenario = asked(SETS)
    tight = faier.epsilon(scenario, tolerance="1e-3")
    assert tight.complete
    assert max(by_the_definition(scenario, 4, 4)) <= tight.ratio.lower
    proved(tight, scenario)
    for claim in (tight.ratio.upper, 10):
        holds = faier.verify(scenario, ratio=claim)
        assert isinstance(holds, faier.Holds)
        proved(holds, scenario.claiming(ratio=claim))
    assert_between(scenario, tight)


def test_sets_of_states_from_another_start_are_enclosed_step_by_step() -> None:
    scenario = asked(TILTED)
    tight = faier.epsilon(scenario, tolerance="1e-2")
    assert tight.complete
    assert max(by_the_definition(scenario, 4, 4)) <= tight.ratio.lower
    proved(tight, scenario)
    holds = faier.verify(scenario, ratio=tight.ratio.upper)
    assert isinstance(holds, faier.Holds)
    proved(holds, scenario.claiming(ratio=tight.ratio.upper))
    assert_between(scenario, tight)


def test_sets_of_states_are_bounded_by_their_states() -> None:
    def every(*sides: tuple[list[str], list[str]]) -> faier.Scenario:
        return faier.Scenario.of(LEFT, [faier.Gate("d", "every", *both) for both in sides], horizon="any")

    scenario = every((["a", "c"], ["b"]))
    tight = faier.epsilon(scenario, tolerance="1e-2")
    above = faier.epsilon(every((["a"], ["b"]), (["c"], ["b"])), tolerance="1e-2").ratio.upper
    assert above * Fraction(98, 100) < tight.ratio.upper < above * Fraction(102, 100)
    assert not tight.complete
    assert "single states" in str(tight.reason)
    assert max(by_the_definition(scenario, 4, 4)) <= tight.ratio.lower < tight.ratio.upper
    proved(tight, scenario)
    holds = faier.verify(scenario, ratio=above * 2)
    assert isinstance(holds, faier.Holds)
    proved(holds, scenario.claiming(ratio=above * 2))


def assert_between(scenario: faier.Scenario, tight: faier.Tight) -> None:
    """A claim a little below the lower bound is broken; one between the bounds is not decided."""
    less = tight.ratio.lower * Fraction(99, 100)
    broken = faier.verify(scenario, ratio=less)
    assert isinstance(broken, faier.Violated)
    assert broken.witness.ratio > less
    proved(broken, scenario.claiming(ratio=less))
    between = faier.verify(scenario, ratio=(tight.ratio.lower * 9 + tight.ratio.upper) / 10)
    assert isinstance(between, faier.Unknown)
    assert less < between.bounds.lower <= between.bounds.upper < inf


def test_wrong_certificates_are_rejected() -> None:
    gate = faier.Gate("d", "every", ["a", "c"], ["b"])
    pairs = [gate, ("even", "tilted"), faier.Gate("tilted", 2, ["c"], ["a"])]
    scenario = faier.Scenario.of(LEFT, pairs, beliefs=BELIEFS, horizon="any")
    good = faier.certify(faier.epsilon(scenario, tolerance="1e-2"))
    check(json.dumps(good).encode(), dumps(scenario).encode())
    alone = next(n for n, part in enumerate(good["parts"]) if part.get("pairs") == [1, 2])
    words = next(n for n, part in enumerate(good["parts"]) if part.get("pairs") == [0])
    assert good["shows"] == words
    changes = {
        "drop others": "no part is about pair 1",
        "one of them": "another model",
        "drop a state": "has no part for",
        "other states": "no such direction",
        "no states": "name a state",
        "shown by a state": "lower bound is not reached",
        "above by words": "has no part for",
        "at any": "finite horizon",
        "no such pair": "no such pair",
        "twice": "in order",
        "upper": "has no part|no part is about",
    }
    for change, match in changes.items():
        bad = json.loads(json.dumps(good))
        parts = bad["parts"]
        states = next(part for part in parts if "states" in part)
        if change == "drop others":
            parts[alone] = parts[words]
        elif change == "one of them":
            parts[alone]["pairs"] = [1]
        elif change == "drop a state":
            parts[parts.index(states)] = parts[words]
        elif change == "other states":
            states["states"] = [0, 2]
        elif change == "no states":
            del states["states"]
        elif change == "shown by a state":
            bad["shows"] = parts.index(states)
        elif change == "above by words":
            bad["parts"] = [parts[alone], parts[words]]
            bad["shows"] = 1
        elif change == "at any":
            parts[words]["horizon"] = "any"
        elif change == "no such pair":
            parts[alone]["pairs"] = [1, 3]
        elif change == "twice":
            parts[alone]["pairs"] = [1, 1]
        elif change == "upper":
            bad["claim"]["upper"] = str(Fraction(bad["claim"]["upper"]) - Fraction(1, 10**12))
        with pytest.raises(CertificateError, match=match):
            check(json.dumps(bad).encode(), dumps(scenario).encode())


def test_a_window_is_of_its_size_and_for_a_stationary_start() -> None:
    scenario = asked(SETS)
    good = faier.certify(faier.epsilon(scenario, tolerance="1e-2"))
    (window,) = [n for n, part in enumerate(good["parts"]) if "window" in part]
    size = good["parts"][window]["window"][0]
    changes = {
        "longer": ([size, size + 1], "another model"),
        "shorter": ([size - 1, size], "another model"),
        "empty": ([0, 2 * size], "at least 1|integer"),
        "shows": (None, "lower bound is not reached"),
        "finite": (None, "window bounds"),
        "another pair": (None, "window bounds"),
    }
    for change, (sizes, match) in changes.items():
        bad = json.loads(json.dumps(good))
        if sizes is not None:
            bad["parts"][window]["window"] = sizes
        elif change == "shows":
            bad["shows"] = window
        elif change == "finite":
            bad["claim"]["horizon"] = 3
        else:
            bad["parts"][window]["pair"] = 1
        with pytest.raises(CertificateError, match=match):
            check(json.dumps(bad).encode(), dumps(scenario).encode())
    other = asked(TILTED)
    bad = good | {"model": faier.certify(faier.epsilon(other, tolerance="1e-1"))["model"]}
    with pytest.raises(CertificateError, match="stationary start"):
        check(json.dumps(bad).encode(), dumps(other).encode())


def test_windows_from_a_measure_bound_their_steps() -> None:
    scenario = asked(TILTED)
    good = faier.certify(faier.epsilon(scenario, tolerance="1e-2"))
    late = next(n for n, part in enumerate(good["parts"]) if "after" in part)
    first = next(n for n, part in enumerate(good["parts"]) if part.get("step") == 1)
    window = next(n for n, part in enumerate(good["parts"]) if "window" in part and "step" in part)
    changes = {
        "no late steps": "no part for late steps",
        "too early": "has no part for",
        "begins too early": "begins at a step",
        "drop a step": "no part for step 1",
        "another step": "another model",
        "no measure": "from a measure",
        "uneven": "stationary",
        "upper": "has no part for",
        "both": "for a step, or",
    }
    for change, match in changes.items():
        bad = json.loads(json.dumps(good))
        parts = bad["parts"]
        if change == "no late steps":
            parts[late] = parts[first]
        elif change == "too early":
            parts[late]["after"] = parts[late]["window"][0]
        elif change == "begins too early":
            parts[window]["step"] = parts[window]["window"][0]
        elif change == "drop a step":
            parts[first] = parts[late]
        elif change == "another step":
            parts[first]["step"] = 3
        elif change == "no measure":
            del parts[late]["measure"]
        elif change == "uneven":
            bad["measures"] = [[[0, "1/2"], [1, "1/4"], [2, "1/4"]]]
        elif change == "upper":
            bad["claim"]["upper"] = bad["claim"]["lower"]
        else:
            parts[late]["step"] = 9
        with pytest.raises(CertificateError, match=match):
            check(json.dumps(bad).encode(), dumps(scenario).encode())


def test_other_pairs_of_the_file_belong_to_the_model() -> None:
    scenario = asked(SETS, ("even", "tilted"))
    good = json.dumps(faier.certify(faier.epsilon(scenario, tolerance="1e-2"))).encode()
    for other in (asked(SETS), asked(SETS, ("even", "a")), asked(("even", "tilted"), SETS)):
        with pytest.raises(CertificateError, match="another model"):
            check(good, dumps(other).encode())


def test_sets_with_states_in_common_keep_no_ratio_below_one() -> None:
    """There is no part about a state against itself, and here both sets never have two states at one step."""
    model = faier.HMM(
        emit={"a": {"x": "1/2", "y": "1/2"}, "b": {"x": "1/4", "y": "3/4"}},
        step={"a": {"b": "1"}, "b": {"a": "1"}},
    )
    gate = faier.Gate("start", "every", ["a", "b"], ["a", "b"])
    scenario = faier.Scenario.of(model, [gate], beliefs={"start": {"a": "1"}}, horizon="any", ratio=1)
    text = dumps(scenario).encode()
    good = json.loads(json.dumps(faier.certify(faier.verify(scenario))))
    check(json.dumps(good).encode(), text)
    good["claim"]["budget"]["base"] = "1/2"
    with pytest.raises(CertificateError, match="no ratio below 1 is kept"):
        check(json.dumps(good).encode(), text)
    assert isinstance(faier.verify(scenario, ratio="1/2"), faier.Violated | faier.Unknown)
