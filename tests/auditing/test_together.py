"""Testing and proving together: claims refuted or confirmed exactly, brackets closed, estimates called estimates."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import faier
from faier.together.words import is_possible, probability

EXAMPLES = Path(__file__).parents[2] / "examples"
CLAIM = {"left": [1, 1, 1, 1, 1], "right": [0, 2, 2, 2, 2], "event": [[1]]}


def noisy(queries: int) -> Any:
    mechanism = faier.library.noisy_max(queries=queries)
    mechanism.adjacent = faier.each_within(1)
    return mechanism


@pytest.mark.parametrize(("epsilon", "confirmed"), [(1.3769, False), (1.3725, True), ("1.3725011", False), (0, True)])
def test_what_another_tool_says_of_noisy_max(epsilon: Any, confirmed: bool) -> None:
    found = faier.refute(faier.library.noisy_max(queries=5), {**CLAIM, "epsilon": epsilon})
    assert found.confirmed is confirmed
    assert found.ratio == Fraction(288, 73)
    assert found.to_dict()["outcome"] == ("confirmed" if confirmed else "refuted")
    assert found.to_dict()["exact"] == {"ratio": "288/73", "epsilon": 1.37250103899}


def test_the_other_way_round_is_the_same_claim() -> None:
    turned = {"left": CLAIM["right"], "right": CLAIM["left"], "event": [1], "epsilon": 1.3725}
    found = faier.refute(faier.library.noisy_max(queries=5), turned)
    assert found.confirmed
    assert found.left == (1, 1, 1, 1, 1)


def test_events_of_words_in_a_model_file() -> None:
    claim = {"left": "sick", "right": "well", "event": [["~2"]], "epsilon": "1.38"}
    found = faier.refute(EXAMPLES / "contagious.toml", claim)
    assert (found.confirmed, found.ratio) == (True, 4)
    both = faier.refute(EXAMPLES / "contagious.toml", {**claim, "event": [["~2"], ["~1"]]})
    assert both.ratio == Fraction(5, 2)
    assert not both.confirmed


def test_what_only_one_side_can_do_confirms_everything() -> None:
    coin = faier.HMM(emit={"a": {"x": "1/2", "y": "1/2"}, "b": {"x": 1}})
    scenario = faier.Scenario.of(coin, [("a", "b")], horizon=1)
    found = faier.refute(scenario, {"left": "a", "right": "b", "event": [["y"]], "epsilon": 1000})
    assert found.confirmed
    assert found.to_dict()["exact"] == {"ratio": "infinity", "epsilon": "infinity"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"event": []}, "an event is a list"),
        ({"event": "1"}, "an event is a list"),
        ({"epsilon": "much"}, "is a number"),
        ({"epsilon": math.inf}, "is a number"),
        ({"epsilon": -1}, "between 0 and"),
        ({"more": 1}, "'more' is unknown"),
        ({"event": [[7]]}, "shows nothing"),
    ],
)
def test_claims_that_are_none(change: dict[str, Any], said: str) -> None:
    with pytest.raises(faier.FaierError, match=said):
        faier.refute(faier.library.noisy_max(queries=5), {**CLAIM, "epsilon": 1, **change})


def test_a_missing_field_and_an_unknown_belief() -> None:
    with pytest.raises(faier.UsageError, match="epsilon is missing"):
        faier.refute(faier.library.noisy_max(queries=5), CLAIM)
    claim = {"left": "ill", "right": "well", "event": [["~2"]], "epsilon": 1}
    with pytest.raises(faier.UsageError, match="no belief or data set 'ill'"):
        faier.refute(EXAMPLES / "contagious.toml", claim)
    with pytest.raises(faier.UsageError, match="no symbol"):
        faier.refute(EXAMPLES / "contagious.toml", {**claim, "left": "sick", "event": [["~7"]]})


def test_probabilities_of_words_are_those_of_the_definition() -> None:
    model = faier.HMM(
        emit={"a": {"x": "1/2", "y": "1/2"}, "b": {"x": "1/5", "y": "4/5"}, "c": {"y": 1}},
        step={"a": {"a": "1/3", "b": "1/3", "c": "1/3"}, "b": {"c": 1}},
    )
    scenario = faier.Scenario.of(model, [("a", "b")], horizon=3)
    start = scenario.pairs[0].left
    words = [w for w in _words("xy", 3) if is_possible(scenario, start, w)]
    assert sum(probability(scenario, start, w) for w in words) == 1
    for word in _words("xy", 3):
        assert is_possible(scenario, start, word) == (probability(scenario, start, word) > 0)


def _words(symbols: str, longest: int) -> list[tuple[str, ...]]:
    level: list[tuple[str, ...]] = [()]
    found: list[tuple[str, ...]] = []
    for _ in range(longest):
        level = [(*w, s) for w in level for s in symbols]
        found += level
    return found


def test_a_bracket_closes_from_a_black_box_start_to_the_exact_value() -> None:
    found = faier.bracket(noisy(5), samples=20_000, seed=1)
    assert found.tight is not None
    assert found.tight.ratio == faier.Bounds(Fraction(288, 73), Fraction(288, 73))
    assert found.tight.exact
    assert found.tight.attained
    assert found.witness is not None
    assert found.evidence is not None
    lowers = [move.ratio.lower for move in found.moves]
    assert lowers == sorted(lowers)
    certificate = faier.certify(found.tight)
    assert certificate["kind"] == "epsilon"


def test_a_bracket_of_a_file_agrees_with_epsilon() -> None:
    for name in ("activity_chain_5.toml", "possible_both.toml", "unequal_lengths.toml", "noisy_max_3.toml"):
        scenario = faier.load(EXAMPLES / name)
        if scenario.claim.horizon == "any":
            scenario = scenario.claiming(horizon=3)
        found = faier.bracket(scenario, samples=2_000, seed=2)
        assert found.tight is not None
        assert found.tight.ratio == faier.epsilon(scenario).ratio, name


def test_where_no_epsilon_exists_a_bracket_says_so_with_the_family() -> None:
    scenario = faier.load(EXAMPLES / "above_threshold_any.toml")
    found = faier.bracket(scenario, samples=2_000, seed=1)
    assert found.evidence is not None
    assert found.evidence.lower_bound < 20  # a test of a few queries reports some finite epsilon
    assert found.tight is not None
    assert found.tight.ratio.lower == math.inf
    assert found.tight.diverges is not None


def black_box(answers: Any) -> int:
    return max(range(len(answers)), key=lambda i: (answers[i] + random.choice([-1, 0, 0, 1]), random.random()))


def test_what_can_only_be_run_is_learned_and_called_an_estimate() -> None:
    found = faier.bracket(black_box, length=2, samples=3_000, seed=1)
    assert found.tight is None
    assert found.learned is not None
    assert str(found).startswith("estimate, not proved")
    assert found.to_dict()["proved"] is False
    assert found.learned.low < found.learned.high


def coins(bit: int, rng: Any) -> tuple[int, ...]:
    return tuple(int(x) for x in rng.random(3) < (0.75 if bit else 0.25))


def test_words_are_learned_as_a_hidden_markov_model() -> None:
    pytest.importorskip("hmmlearn")
    found = faier.bracket(coins, pairs=[(0, 1)], samples=4_000, seed=1)
    assert found.learned is not None
    assert found.learned.kind == "hmm"
    assert found.learned.confidence is None
    assert abs(found.learned.high - 3 * math.log(3)) < 0.4


def test_results_are_no_truth_values() -> None:
    with pytest.raises(TypeError):
        bool(faier.refute(faier.library.noisy_max(queries=5), {**CLAIM, "epsilon": 1}))
    with pytest.raises(TypeError):
        bool(faier.bracket(noisy(2), samples=500))


def test_inputs_that_are_missing_or_too_many() -> None:
    with pytest.raises(faier.UsageError, match="which inputs to compare"):
        faier.audit(black_box, epsilon=1)
    with pytest.raises(faier.UsageError, match="its own pairs"):
        faier.audit(faier.load(EXAMPLES / "contagious.toml"), pairs=[(0, 1)], epsilon=1)


def test_rappor_on_its_declared_range_is_more_than_patterns_show() -> None:
    pytest.importorskip("mmh3")
    target = EXAMPLES / "python" / "rappor_range.py"

    def exactly(name: str) -> float:
        upper = faier.epsilon(f"{target}:{name}").ratio.upper
        assert isinstance(upper, Fraction)
        return math.log(upper)

    assert round(exactly("reports"), 5) == 0.40008
    assert round(exactly("patterns"), 5) == 0.30006
    assert round(exactly("one_time_reports"), 5) == 0.80067


def test_a_stream_is_tested_for_fixed_inputs_and_bracketed_for_all() -> None:
    above = faier.library.above_threshold()
    found = faier.bracket(above, samples=2_000, length=4, seed=1)
    assert found.evidence is not None
    assert 0 < found.evidence.lower_bound < 4
    assert found.tight is not None
    assert found.tight.ratio.lower == math.inf
    assert found.tight.diverges is not None
    assert any("no epsilon exists" in text for _, text in _facts(found)) or "no epsilon exists" in str(found)


def _facts(found: faier.Bracket) -> list[tuple[str, str]]:
    from faier.report.evidence import bracket_facts

    return bracket_facts(found)


SPAM = faier.Stream(
    on={
        "0": {"m": [("a", "m", "1/2"), ("b", "m", "1/4"), ("b", "1/4")]},
        "1": {"m": [("a", "m", "1/3"), ("b", "m", "1/3"), ("b", "1/3")]},
    },
    adjacent=[("0", "1")],
)


def test_an_event_of_a_stream_is_looked_at_on_both_sides_with_their_own_inputs() -> None:
    scenario = faier.Scenario.of(SPAM, [("m", "m")], horizon=2)
    asked = {"left": "m", "right": "m", "epsilon": "1/2"}
    found = faier.refute(scenario, asked | {"event": [[("0", "1", "a"), ("0", "1", "a")]]})
    assert (found.left_probability, found.right_probability) == (Fraction(1, 4), Fraction(1, 9))
    assert found.confirmed
    shorter = faier.refute(scenario, asked | {"event": [[("0", "1", "b")], [("0", "1", "a"), ("0", "1", "b")]]})
    assert (shorter.left_probability, shorter.right_probability) == (Fraction(5, 9), Fraction(1, 2))
    with pytest.raises(faier.UsageError, match="no one way of asking"):
        faier.refute(scenario, asked | {"event": [[("0", "1", "b")], [("1", "1", "b")]]})
    with pytest.raises(faier.UsageError, match="does not compare 'm' "):
        faier.refute(scenario, asked | {"right": "n", "event": [[("0", "1", "b")]]})


def test_what_an_event_says_twice_counts_once() -> None:
    coin = faier.HMM(
        emit={"a": {"x": "1/2", "y": "1/2"}, "b": {"x": "1/4", "y": "3/4"}}, step={"a": {"a": 1}, "b": {"b": 1}}
    )
    claim = {"left": "a", "right": "b", "epsilon": 0}
    at_every_length = faier.Scenario.of(coin, [("a", "b")], horizon="any")
    for event in ([["x"], "x"], [["x", "x"], ["x"], ["x", "y", "x"]]):
        found = faier.refute(at_every_length, claim | {"event": event})
        assert (found.left_probability, found.right_probability) == (Fraction(1, 2), Fraction(1, 4))
    noisy_count = faier.library.truncated_geometric(counts=2)
    found = faier.refute(noisy_count, {"left": 0, "right": 2, "event": [[0], 0, ["0"]], "epsilon": 0})
    assert (found.left_probability, found.right_probability) == (Fraction(2, 3), Fraction(1, 6))


def test_under_both_an_event_is_the_words_that_both_sides_can_produce() -> None:
    coin = faier.HMM(emit={"a": {"x": "1/2", "y": "1/2"}, "b": {"z": "3/4", "y": "1/4"}})
    scenario = faier.Scenario.of(coin, [("a", "b")], horizon=1, possible="both")
    found = faier.refute(scenario, {"left": "a", "right": "b", "event": [["x"], ["y"], ["z"]], "epsilon": 5})
    assert (found.confirmed, found.ratio) == (False, 2)
    with pytest.raises(faier.UsageError, match="none is possible on both sides"):
        faier.refute(scenario, {"left": "a", "right": "b", "event": [["x"]], "epsilon": 5})


def test_a_pair_that_is_claimed_one_way_is_tested_one_way() -> None:
    coin = faier.HMM(emit={"a": {"x": "1/2", "y": "1/2"}, "b": {"x": "1/2", "y": "1/4", "z": "1/4"}})
    pair = faier.Pair(faier.Belief.at("a"), faier.Belief.at("b"), one_way=True)
    scenario = faier.Scenario.of(coin, [pair], horizon=1, ratio=2)
    assert isinstance(faier.verify(scenario), faier.Holds)
    evidence = faier.audit(scenario, epsilon=1.0, samples=4_000)
    assert (evidence.bound_left, evidence.bound_right) == ("a", "b")
    assert not evidence.rejected
    assert evidence.lower_bound < math.log(2)


def test_the_two_sides_of_a_stream_are_sampled_apart() -> None:
    scenario = faier.Scenario.of(SPAM, [("m", "m")], horizon=2)
    evidence = faier.audit(scenario, epsilon=0.2, samples=20_000)
    assert evidence.rejected
    assert 0.3 < evidence.lower_bound < math.log(9 / 4)
    found = faier.bracket(scenario, samples=2_000)
    assert found.tight is not None
    assert found.tight.ratio.upper == Fraction(9, 4)
