"""Secrets inside a run against their definition, and everything that reads, writes and checks them."""

from __future__ import annotations

import json
from contextlib import suppress
from fractions import Fraction
from math import inf
from pathlib import Path

import pytest
from by_paths import ratios
from hypothesis import given, settings
from hypothesis import strategies as st

import faier
from faier import library
from faier.model.toml_write import dumps
from faier.scenario.every import steps_left_out
from faier.scenario.load import loads, loads_with_warnings
from faier_check import CertificateError, check
from strategies import PARAMETERS, STATES, SYMBOLS, hmms, quick, rows, unknown_rows

CHAIN = faier.HMM(
    emit={"a": {"0": "3/4", "1": "1/4"}, "b": {"0": "1/4", "1": "3/4"}},
    step={"a": {"a": "4/5", "b": "1/5"}, "b": {"a": "1/5", "b": "4/5"}},
)
UNIFORM = {"start": {"a": "1/2", "b": "1/2"}}


def asked(at: int, **claim: object) -> faier.Scenario:
    gate = faier.Gate("start", at, ["a"], ["b"])
    return faier.Scenario.of(CHAIN, [gate], beliefs=UNIFORM, **claim)


@pytest.mark.parametrize(
    ("at", "ratio"),
    [(1, "75099/9097"), (2, "11271/757"), (3, "79707/4489"), (4, "11271/757"), (5, "75099/9097")],
)
def test_the_state_at_each_step_of_a_chain(at: int, ratio: str) -> None:
    assert faier.epsilon(asked(at, horizon=5)).ratio.upper == Fraction(ratio)


@st.composite
def gate_questions(draw: st.DrawFn) -> tuple[faier.HMM, dict[str, Fraction], list[faier.Gate], int, str]:
    model = draw(hmms(3, 2))
    start = draw(rows(model.states))
    some = st.lists(st.sampled_from(model.states), min_size=1, max_size=2, unique=True)
    gates = [
        faier.Gate("start", draw(st.integers(1, 4)), draw(some), draw(some), one_way=draw(st.booleans()))
        for _ in range(draw(st.integers(1, 2)))
    ]
    return model, start, gates, draw(st.integers(1, 3)), draw(st.sampled_from(["either", "both"]))


def built(question: tuple[faier.HMM, dict[str, Fraction], list[faier.Gate], int, str]) -> faier.Scenario | None:
    """The scenario; None where no run passes on both sides."""
    model, start, gates, horizon, possible = question
    with suppress(faier.ModelError):
        return faier.Scenario.of(
            model, gates, beliefs={"start": start}, horizon=horizon, possible=possible, ratio=2
        )
    return None


@given(gate_questions())
@settings(quick, max_examples=100)
@pytest.mark.filterwarnings("ignore:compare")
def test_the_tight_ratio_is_that_of_the_definition(
    question: tuple[faier.HMM, dict[str, Fraction], list[faier.Gate], int, str],
) -> None:
    model, start, gates, horizon, possible = question
    found: list[Fraction | float] = []
    for gate in gates:
        sides = (set(gate.left), set(gate.right))
        for left, right in (sides,) if gate.one_way else (sides, sides[::-1]):
            found += ratios(model, start, gate.at, left, right, horizon, possible == "both")
    scenario = built(question)
    if scenario is None:
        assert not found
        return
    assert faier.epsilon(scenario).ratio.upper == max(found, default=Fraction(0))


@given(question=gate_questions())
@settings(quick, max_examples=40)
@pytest.mark.filterwarnings("ignore:compare")
def test_gates_read_back_equal_and_their_certificates_are_accepted(
    tmp_path_factory: pytest.TempPathFactory,
    question: tuple[faier.HMM, dict[str, Fraction], list[faier.Gate], int, str],
) -> None:
    if (scenario := built(question)) is None:
        return
    text = dumps(scenario)
    assert loads(text) == scenario
    assert dumps(loads(text)) == text
    folder = tmp_path_factory.mktemp("proof")
    (folder / "model.toml").write_text(text, encoding="utf-8")
    for result in (faier.verify(scenario), faier.verify(scenario, engine="tree"), faier.epsilon(scenario)):
        if isinstance(result, faier.Tight) and result.trace is None and result.ratio.upper != inf:
            continue
        (folder / "proof.json").write_text(json.dumps(faier.certify(result)), encoding="utf-8")
        check(folder / "proof.json", folder / "model.toml")


def test_after_the_gate_both_sides_are_in_the_same_states() -> None:
    tight = faier.epsilon(asked(2), horizon="any", tolerance="1e-6")
    assert tight.complete
    assert tight.ratio.upper < 16
    longest = faier.epsilon(asked(2), horizon=12)
    assert longest.ratio.upper <= tight.ratio.upper


def test_a_pair_that_one_side_never_passes_is_left_out_with_a_warning() -> None:
    text = dumps(asked(2, horizon=2)).replace('right = ["b"]', 'right = ["c"]')
    text = text.replace('b = { a = "1/5", b = "4/5" }\n', 'b = { a = "1/5", b = "4/5" }\nc = { c = 1 }\n')
    text = text.replace('b = { "0" = "1/4", "1" = "3/4" }\n', 'b = { "0" = "1/4", "1" = "3/4" }\nc = { "0" = 1 }\n')
    with pytest.raises(faier.ModelError, match="the state at step 2 is never c, and so nothing is compared") as error:
        loads(text)
    assert error.value.problems[0].place == "compare[0]"
    more = text.replace("[claim]", '[[compare]]\nleft = "a"\nright = "b"\n\n[claim]')
    scenario, warnings = loads_with_warnings(more)
    assert len(scenario.pairs) == 1
    assert any("is never c; the pair is left out" in w for w in warnings)


def test_gates_with_parameters_are_decided_for_all_values(tmp_path: Path) -> None:
    model = faier.HMM(
        emit={"a": {"0": "3/4", "1": "1/4"}, "b": {"0": "1/4", "1": "3/4"}},
        step={"a": {"a": "1-p", "b": "p"}, "b": {"a": "p", "b": "1-p"}},
        parameters={"p": "0 < p < 1/2"},
    )
    scenario = faier.Scenario.of(model, [faier.Gate("start", 2, ["a"], ["b"])], beliefs=UNIFORM, horizon=3)
    tight = faier.epsilon(scenario)
    assert tight.ratio.upper == 27
    assert not tight.attained
    (tmp_path / "model.toml").write_text(dumps(scenario), encoding="utf-8")
    (tmp_path / "proof.json").write_text(json.dumps(faier.certify(tight)), encoding="utf-8")
    check(tmp_path / "proof.json", tmp_path / "model.toml")
    assert faier.epsilon(scenario.fixing({"p": "1/5"})).ratio.upper == faier.epsilon(asked(2, horizon=3)).ratio.upper


@st.composite
def unknown_gates(draw: st.DrawFn) -> faier.Scenario | None:
    """A small question with unknowns; None where no run passes."""
    states = STATES[: draw(st.integers(2, 3))]
    model = faier.HMM(
        emit={s: draw(unknown_rows(SYMBOLS[:2])) for s in states},
        step={s: draw(unknown_rows(states)) for s in states if draw(st.integers(0, 3))},
        parameters=PARAMETERS,
    )
    left, right = ([draw(st.sampled_from(states))] for _ in range(2))
    gate = faier.Gate("start", draw(st.integers(1, 3)), left, right)
    beliefs, horizon = {"start": draw(unknown_rows(states))}, draw(st.integers(1, 2))
    ratio = draw(st.sampled_from([2, 3, 8]))
    with suppress(faier.ModelError):
        return faier.Scenario.of(model, [gate], beliefs=beliefs, horizon=horizon, ratio=ratio)
    return None


@given(scenario=unknown_gates())
@settings(quick, max_examples=30)
def test_gates_with_parameters_keep_what_is_said_at_values_of_theirs(
    tmp_path_factory: pytest.TempPathFactory, scenario: faier.Scenario | None
) -> None:
    if scenario is None:
        return
    verdict = faier.verify(scenario, timeout=5)
    if isinstance(verdict, faier.Unknown):
        return
    for p, q in (("1/3", "1/2"), ("2/3", "1/4"), ("1/10", "3/4")):
        fixed = scenario.fixing({"p": p, "q": q}).written
        (gate,) = fixed.pairs  # type: ignore[union-attr]
        start, both_ways = dict(gate.start.weights), (set(gate.left), set(gate.right))
        for left, right in (both_ways, both_ways[::-1]):
            found = ratios(fixed.model, start, gate.at, left, right, scenario.claim.horizon, False)  # type: ignore[union-attr]
            if isinstance(verdict, faier.Holds):
                assert max(found, default=Fraction(0)) <= scenario.claim.budget.exact
    folder = tmp_path_factory.mktemp("proof")
    (folder / "model.toml").write_text(dumps(scenario), encoding="utf-8")
    (folder / "proof.json").write_text(json.dumps(faier.certify(verdict)), encoding="utf-8")
    if isinstance(verdict, faier.Violated) and not scenario.uses_unknowns:
        # Where the parameters cancel out, the witness shows no values at which the rows are probabilities.
        with suppress(CertificateError):
            check(folder / "proof.json", folder / "model.toml")
    else:
        check(folder / "proof.json", folder / "model.toml")


def test_passing_that_is_impossible_for_some_values_is_refused_in_words() -> None:
    model = faier.HMM(
        emit={"a": {"0": "3/4", "1": "1/4"}, "b": {"0": "1/4", "1": "3/4"}},
        step={"a": {"a": "1-p", "b": "p"}, "b": {"a": "p", "b": "1-p"}},
        parameters={"p": "0 <= p <= 1"},
    )
    with pytest.raises(faier.NotYetError, match="passing is impossible for some values"):
        faier.Scenario.of(model, [faier.Gate("start", 2, ["a"], ["b"])], beliefs=UNIFORM, horizon=3)


def test_certificates_of_another_step_or_another_set_are_rejected(tmp_path: Path) -> None:
    proof = faier.certify(faier.epsilon(asked(3, horizon=4)))
    (tmp_path / "proof.json").write_text(json.dumps(proof), encoding="utf-8")
    text = dumps(asked(3, horizon=4))
    for old, new in (("at = 3", "at = 2"), ('right = ["b"]', 'right = ["a", "b"]'), ('from = "start"', 'from = "a"')):
        (tmp_path / "model.toml").write_text(text.replace(old, new), encoding="utf-8")
        with pytest.raises(CertificateError, match="another model"):
            check(tmp_path / "proof.json", tmp_path / "model.toml")


def test_an_upper_bound_below_the_truth_is_rejected(tmp_path: Path) -> None:
    scenario = asked(3, horizon=4)
    (tmp_path / "model.toml").write_text(dumps(scenario), encoding="utf-8")
    good = faier.certify(faier.epsilon(scenario))
    less = str(Fraction(good["claim"]["upper"]) - Fraction(1, 10**30))  # type: ignore[index]
    good["claim"]["upper"] = good["proof"]["ratio"] = less  # type: ignore[index]
    (tmp_path / "proof.json").write_text(json.dumps(good), encoding="utf-8")
    with pytest.raises(CertificateError):
        check(tmp_path / "proof.json", tmp_path / "model.toml")


@pytest.mark.parametrize(
    ("old", "new", "place", "match"),
    [
        ("at = 3", "at = 0", "compare[0].at", "at is the number of a symbol"),
        ("at = 3", 'at = "3"', "compare[0].at", "at is the number of a symbol"),
        ("at = 3\n", "", "compare[0].at", "at is missing"),
        ('from = "start"', 'from = "stat"', "compare[0].from", "did you mean 'start'"),
        ('from = "start"\n', "", "compare[0].from", "from is missing"),
        ('left = ["a"]', 'left = "a"', "compare[0].left", "a list of states is expected"),
        ('left = ["a"]', "left = []", "compare[0].left", "a list of states is expected here, got an empty one"),
        ('left = ["a"]', 'left = ["c"]', "compare[0].left[0]", "unknown state 'c'"),
        ('left = ["a"]', 'left = ["start"]', "compare[0].left[0]", "unknown state 'start'"),
        ('left = ["a"]', "left = [1]", "compare[0].left[0]", "the name of a state is expected"),
    ],
)
def test_a_mistake_is_named_by_its_place(old: str, new: str, place: str, match: str) -> None:
    text = dumps(asked(3))
    assert old in text
    with pytest.raises(faier.ModelError, match=match) as error:
        loads(text.replace(old, new))
    found = {p.place: p for p in error.value.problems}
    assert place in found
    assert found[place].line is not None


def every(**claim: object) -> faier.Scenario:
    return faier.Scenario.of(CHAIN, [faier.Gate("start", "every", ["a"], ["b"])], beliefs=UNIFORM, **claim)


def test_the_state_at_every_step_is_the_worst_of_the_steps(tmp_path: Path) -> None:
    tight = faier.epsilon(every(), horizon=5)
    assert tight.ratio.upper == Fraction("79707/4489")
    assert tight.witness is not None
    assert tight.witness.left == "start, b at 3" or tight.witness.left == "start, a at 3"
    assert "at 3" in str(tight)
    assert isinstance(faier.verify(every(), horizon=5, ratio="79707/4489"), faier.Holds)
    assert isinstance(faier.verify(every(), horizon=5, ratio="79706/4489"), faier.Violated)


@st.composite
def every_questions(draw: st.DrawFn) -> tuple[faier.HMM, dict[str, Fraction], list[faier.Gate], int, str]:
    model, start, gates, horizon, possible = draw(gate_questions())
    gates = [faier.Gate(g.start, "every", g.left, g.right, g.one_way) for g in gates]
    return model, start, gates, horizon + draw(st.integers(0, 1)), possible


@given(question=every_questions())
@settings(quick, max_examples=60)
def test_every_step_is_that_of_the_definition_and_certificates_are_accepted(
    tmp_path_factory: pytest.TempPathFactory,
    question: tuple[faier.HMM, dict[str, Fraction], list[faier.Gate], int, str],
) -> None:
    model, start, gates, horizon, possible = question
    found: list[Fraction | float] = []
    asked_at = set()
    for k, gate in enumerate(gates):
        for at in range(1, horizon + 1):
            sides = (set(gate.left), set(gate.right))
            for left, right in (sides,) if gate.one_way else (sides, sides[::-1]):
                here = ratios(model, start, at, left, right, horizon, False)
                asked_at |= {(k, at)} if here else set()
                found += ratios(model, start, at, left, right, horizon, possible == "both")
    scenario = built(question)
    if scenario is None:
        assert not asked_at
        return
    assert len(scenario.pairs) == len(asked_at)
    tight = faier.epsilon(scenario)
    assert tight.ratio.upper == max(found, default=Fraction(0))
    said = steps_left_out(scenario)
    whole = {k for k in range(len(gates)) if all((k, at) in asked_at for at in range(1, horizon + 1))}
    assert len(said) == len(gates) - len(whole)
    text = dumps(scenario)
    assert 'at = "every"' in text
    assert loads(text) == scenario
    folder = tmp_path_factory.mktemp("proof")
    (folder / "model.toml").write_text(text, encoding="utf-8")
    for result in (faier.verify(scenario), faier.verify(scenario, engine="tree"), tight):
        if isinstance(result, faier.Tight) and result.trace is None and result.ratio.upper != inf:
            continue
        (folder / "proof.json").write_text(json.dumps(faier.certify(result)), encoding="utf-8")
        check(folder / "proof.json", folder / "model.toml")


def test_another_horizon_is_about_other_steps(tmp_path: Path) -> None:
    scenario = every(horizon=3)
    assert len(scenario.pairs) == 3
    assert len(scenario.claiming(horizon=7).pairs) == 7
    assert scenario.claiming(ratio=2).pairs == scenario.pairs
    (tmp_path / "model.toml").write_text(dumps(scenario), encoding="utf-8")
    proof = faier.certify(faier.epsilon(scenario, horizon=4))
    for horizon, accepted in ((4, True), (5, False), (3, False)):
        proof["claim"]["horizon"] = horizon  # type: ignore[index]
        (tmp_path / "proof.json").write_text(json.dumps(proof), encoding="utf-8")
        if accepted:
            check(tmp_path / "proof.json", tmp_path / "model.toml")
        else:
            with pytest.raises(CertificateError, match="another model"):
                check(tmp_path / "proof.json", tmp_path / "model.toml")


def test_steps_at_which_a_side_is_impossible_are_left_out_and_named() -> None:
    turns = faier.HMM(
        emit={"a": {"0": "3/4", "1": "1/4"}, "b": {"0": "1/4", "1": "3/4"}, "c": {"0": 1}},
        step={"a": {"c": 1}, "b": {"c": 1}, "c": {"a": "1/2", "b": "1/2"}},
    )
    gate = faier.Gate("start", "every", ["a"], ["b"])
    scenario = faier.Scenario.of(turns, [gate], beliefs=UNIFORM, horizon=4)
    assert [pair.left.name for pair in scenario.pairs] == ["start, a at 1", "start, a at 3"]
    assert steps_left_out(scenario) == ("from start, a against b: one of them is impossible at steps 2 and 4",)
    assert faier.epsilon(scenario).to_dict()["steps_left_out"] == list(steps_left_out(scenario))
    assert faier.epsilon(scenario).ratio.upper == 3
    late = faier.Scenario.of(turns, [faier.Gate("c", "every", ["a"], ["b"])])
    with pytest.raises(faier.ModelError, match="from c, a against b: at every step one of them is impossible"):
        late.claiming(horizon=1)
    never = faier.Gate("c", "every", ["a"], ["c"])
    with pytest.raises(faier.ModelError, match="nothing is compared"):
        faier.Scenario.of(turns, [never])


def test_every_step_of_a_chain_of_the_library() -> None:
    asked = library.markov_release().scenario(at="every", horizon=5)
    assert faier.epsilon(asked).ratio.upper == Fraction("79707/4489")
    text = 'faier = 1\n[mechanism]\nuse = "markov-release"\nat = "every"\n[claim]\nhorizon = 5\n'
    assert faier.epsilon(loads(text)).ratio.upper == Fraction("79707/4489")
    assert 'at = "every"' in dumps(loads(text))


def test_every_step_with_parameters_is_decided_for_all_values() -> None:
    model = faier.HMM(
        emit={"a": {"0": "3/4", "1": "1/4"}, "b": {"0": "1/4", "1": "3/4"}},
        step={"a": {"a": "1-p", "b": "p"}, "b": {"a": "p", "b": "1-p"}},
        parameters={"p": "0 < p < 1/2"},
    )
    scenario = faier.Scenario.of(model, [faier.Gate("start", "every", ["a"], ["b"])], beliefs=UNIFORM, horizon=3)
    assert faier.epsilon(scenario).ratio.upper == 27
    assert faier.epsilon(scenario.fixing({"p": "1/5"})).ratio.upper == faier.epsilon(every(), horizon=3).ratio.upper


def test_a_secret_after_all_that_counts_is_remarked_upon() -> None:
    text = """
faier = 1
[model.emit]
a = { x = "1/2", y = "1/2" }
b = { x = "1/3", y = "2/3" }
[model.step]
a = { a = "1/2", b = "1/2" }
b = { a = "1/2", b = "1/2" }
[[compare]]
from = "a"
at = 3
left = ["a"]
right = ["b"]
[claim]
ratio = "2"
horizon = HORIZON
"""
    remark = "compare[0]: the secret is at step 3, after the 2 that count; "
    remark += "what is asked is what these tell of the future"
    for horizon, remarks in (("2", (remark,)), ("3", ()), ('"any"', ())):
        assert loads_with_warnings(text.replace("HORIZON", horizon))[1] == remarks
