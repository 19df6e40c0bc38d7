"""Secrets at every step, past and future apart, against their definition and against the checker."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from math import inf
from types import SimpleNamespace

import pytest
from by_paths import ratios
from hypothesis import given, settings
from hypothesis import strategies as st

import faier
from faier import engine
from faier.engine.every import enclose
from faier.engine.every.late import late, starts_matter
from faier.engine.every.question import Direction, Question
from faier.engine.every.reach import reach_of
from faier.engine.every.search import Search, product
from faier.engine.progress import Limits
from faier.model.toml_write import dumps
from faier.trace import Apart, Part
from faier.verdict import Bounds
from faier_check import CertificateError, check
from strategies import hmms, quick, rows

CHAIN = faier.HMM(
    emit={"a": {"0": "3/4", "1": "1/4"}, "b": {"0": "1/4", "1": "3/4"}},
    step={"a": {"a": "4/5", "b": "1/5"}, "b": {"a": "1/5", "b": "4/5"}},
)
UNIFORM = {"start": {"a": "1/2", "b": "1/2"}}


def every(start: str = "start", **claim: object) -> faier.Scenario:
    return faier.Scenario.of(CHAIN, [faier.Gate(start, "every", ["a"], ["b"])], beliefs=UNIFORM, **claim)


def proved(result: object, scenario: faier.Scenario) -> str:
    return check(json.dumps(faier.certify(result)).encode(), dumps(scenario).encode()).claim  # type: ignore[arg-type]


def by_the_definition(scenario: faier.Scenario, horizon: int, last: int) -> Iterator[Fraction | float]:
    """The ratios of all words of a horizon and all steps up to one, by listing paths."""
    written = scenario.written
    assert written is not None
    for gate in written.pairs:
        sides = set(gate.left), set(gate.right)  # type: ignore[union-attr]
        for at in range(1, last + 1):
            for left, right in (sides,) if gate.one_way else (sides, sides[::-1]):
                start = dict(gate.start.weights)  # type: ignore[union-attr]
                yield from ratios(written.model, start, at, left, right, horizon, False)


def probability(scenario: faier.Scenario, witness: faier.Witness) -> tuple[Fraction, Fraction]:
    """Both probabilities of a witness, forwards through the model as it is written, the step read off its name."""
    written = scenario.written
    assert written is not None
    model = written.model
    gate = next(g for g in written.pairs if witness.left.startswith(f"{g.start.name}, "))  # type: ignore[union-attr]
    found = []
    for name in (witness.left, witness.right):
        state, _, step = name.removeprefix(f"{gate.start.name}, ").rpartition(" at ")  # type: ignore[union-attr]
        both = []
        for read in (True, False):
            row = dict(gate.start.weights)  # type: ignore[union-attr]
            ended = Fraction(0)
            for n, symbol in enumerate(witness.word, 1):
                if n == int(step):
                    row = {s: p for s, p in row.items() if s == state}
                seen = {s: p * (model.emit_rows()[s].get(symbol, 0) if read else 1) for s, p in row.items()}
                ended = sum((p for s, p in seen.items() if s not in model.step_rows()), Fraction(0))
                row = {}
                for s, p in seen.items():
                    for t, q in model.step_rows().get(s, {}).items():
                        row[t] = row.get(t, Fraction(0)) + p * q
                if not read and n == int(step):
                    break
            both.append(ended if read and witness.ended else sum(row.values(), Fraction(0)) + ended)
        found.append(both[0] / both[1])
    return found[0], found[1]


@st.composite
def questions(draw: st.DrawFn) -> faier.Scenario | None:
    """A small model and one or two gates at every step; None where no step is possible."""
    model = draw(hmms(3, 2))
    start = draw(rows(model.states))
    some = st.sampled_from(model.states)
    gates = [
        faier.Gate("start", "every", [draw(some)], [draw(some)], one_way=draw(st.booleans()))
        for _ in range(draw(st.integers(1, 2)))
    ]
    with suppress(faier.ModelError):
        return faier.Scenario.of(model, gates, beliefs={"start": start})
    return None


@given(questions(), st.integers(1, 5))
@settings(quick, max_examples=60)
def test_at_a_finite_horizon_past_times_future_is_the_definition(scenario: faier.Scenario | None, n: int) -> None:
    if scenario is None:
        return
    with suppress(faier.ModelError):
        asked = scenario.claiming(horizon=n)
        tight = enclose(asked, Fraction(1, 10**9), Limits())
        assert tight.ratio.lower == tight.ratio.upper == max(by_the_definition(asked, n, n), default=Fraction(0))
        assert tight.witness is not None
        assert probability(asked, tight.witness) == (
            tight.witness.left_probability,
            tight.witness.right_probability,
        )
        proved(tight, asked)


@given(questions())
@settings(quick, max_examples=30)
def test_at_any_no_word_and_no_step_exceeds_the_bound(scenario: faier.Scenario | None) -> None:
    if scenario is None:
        return
    asked = scenario.claiming(horizon="any")
    tight = faier.epsilon(asked, tolerance="1e-3", timeout=0.5)
    worst = max((r for n in range(1, 6) for r in by_the_definition(asked, n, 6)), default=Fraction(0))
    assert worst <= tight.ratio.upper
    if tight.complete:
        assert worst <= tight.ratio.lower * (1 + Fraction(1, 1000)) if tight.ratio.lower != inf else True
        proved(tight, asked)
    if (witness := tight.witness) is not None and tight.ratio.lower != inf:
        assert probability(asked, witness) == (witness.left_probability, witness.right_probability)
        assert witness.ratio <= tight.ratio.lower
    for ratio in (2, "7/2", 20):
        verdict = faier.verify(asked, ratio=ratio, timeout=0.5)
        if isinstance(verdict, faier.Holds):
            assert worst <= Fraction(ratio)
            assert tight.ratio.lower <= Fraction(ratio)
        elif isinstance(verdict, faier.Violated):
            assert tight.ratio.upper > Fraction(ratio)
            left, right = probability(asked, verdict.witness)
            assert left > Fraction(ratio) * right
        else:
            continue
        proved(verdict, asked.claiming(ratio=ratio))


def test_a_stationary_start_is_enclosed_for_all_steps_at_once() -> None:
    tight = faier.epsilon(every(), horizon="any")
    assert tight.complete
    assert tight.ratio.upper < tight.ratio.lower * (1 + Fraction(1, 10**9))
    longest = faier.epsilon(every(), horizon=20)
    assert tight.ratio.lower * (1 - Fraction(1, 10**4)) < longest.ratio.lower <= tight.ratio.upper
    proved(longest, every())
    assert "lies between" in proved(tight, every())


def test_another_start_is_enclosed_by_a_window_for_late_steps() -> None:
    tight = faier.epsilon(every("a"), horizon="any", tolerance="1e-3")
    assert tight.complete
    longest = faier.epsilon(every("a"), horizon=14)
    assert tight.ratio.lower * (1 - Fraction(1, 1000)) < longest.ratio.lower <= tight.ratio.upper
    proved(tight, every("a"))


def test_a_claim_at_every_step_and_every_length() -> None:
    holds = faier.verify(every(), horizon="any", ratio=24)
    assert isinstance(holds, faier.Holds)
    assert "every counted word of any length has left <= 24 * right" in proved(holds, every())
    broken = faier.verify(every(), horizon="any", ratio=23)
    assert isinstance(broken, faier.Violated)
    assert " at " in broken.witness.left
    assert broken.witness.ratio > 23
    proved(broken, every())


def test_a_run_that_ends_has_no_late_steps() -> None:
    model = faier.HMM(
        emit={"s": {"0": 1}, "a": {"0": "3/4", "1": "1/4"}, "b": {"0": "1/4", "1": "3/4"}},
        step={"s": {"a": "1/2", "b": "1/2"}},
    )
    scenario = faier.Scenario.of(model, [faier.Gate("s", "every", ["a"], ["b"])], horizon="any")
    tight = faier.epsilon(scenario)
    assert tight.exact
    assert tight.attained
    assert tight.ratio.upper == 3
    proved(tight, scenario)


@pytest.mark.parametrize("start", ["start", "a"])
def test_a_gate_that_is_never_possible_is_passed_over(start: str) -> None:
    model = faier.HMM(
        emit={**CHAIN.emit_rows(), "c": {"0": 1}},
        step={**CHAIN.step_rows(), "c": {"a": 1}},
    )
    gates = [faier.Gate(start, "every", ["a"], ["b"]), faier.Gate(start, "every", ["a"], ["c"])]
    scenario = faier.Scenario.of(model, gates, beliefs=UNIFORM, horizon="any")
    tight = faier.epsilon(scenario, tolerance="1e-3")
    alone = faier.epsilon(every(start), horizon="any", tolerance="1e-3")
    assert tight.complete
    assert tight.ratio.lower == alone.ratio.lower
    proved(tight, scenario)
    for horizon in (2, 16):
        found = faier.epsilon(scenario, horizon=horizon)
        assert found.ratio.upper == faier.epsilon(every(start), horizon=horizon).ratio.upper
        proved(found, scenario)


def test_states_that_never_mix_are_told_apart_without_end() -> None:
    model = faier.HMM(
        emit={"a": {"0": "3/4", "1": "1/4"}, "b": {"0": "1/4", "1": "3/4"}}, step={"a": {"a": 1}, "b": {"b": 1}}
    )
    scenario = faier.Scenario.of(model, [faier.Gate("start", "every", ["a"], ["b"])], beliefs=UNIFORM, horizon="any")
    tight = faier.epsilon(scenario)
    assert tight.ratio.lower == inf
    proved(tight, scenario)
    broken = faier.verify(scenario, ratio=1000)
    assert isinstance(broken, faier.Violated)
    assert broken.witness.ratio > 1000
    proved(broken, scenario)


def mutations() -> Iterator[tuple[str, object]]:
    """Certificates that are wrong in one place each."""
    for scenario, name in ((every(), "stationary"), (every("a"), "windows")):
        good = faier.certify(faier.epsilon(scenario, horizon="any", tolerance="1/100"))
        for change in ("model", "upper", "lower", "drop", "step", "past", "future", "question", "horizon", "shows"):
            bad = json.loads(json.dumps(good))
            if change == "model":
                bad["model"] = "sha256:" + "0" * 64
            elif change == "upper":
                bad["claim"]["upper"] = str(Fraction(bad["claim"]["upper"]) - Fraction(1, 10**9))
            elif change == "lower":
                bad["claim"]["lower"] = str(Fraction(bad["claim"]["lower"]) + Fraction(1, 10**9))
            elif change == "drop":
                del bad["parts"][(bad["shows"] + 1) % len(bad["parts"])]
                bad["shows"] = min(bad["shows"], len(bad["parts"]) - 1)
            elif change == "step":
                last = bad["parts"][-1]
                last |= {"step": 2} if "step" in last else {"after": 1}
            elif change == "past":
                bad["parts"][-1]["past"] = bad["parts"][-1]["future"]
            elif change == "future":
                bad["parts"][-1]["future"] = bad["parts"][-1]["past"]
            elif change == "question":
                question = bad["questions"][bad["parts"][-1]["past"]]
                if question["kind"] == "holds":
                    question["claim"]["budget"]["base"] = "1"
                else:
                    question["claim"]["upper"] = question["proof"]["ratio"] = question["claim"]["lower"] = "1"
            elif change == "horizon":
                bad["claim"]["horizon"] = 3
            elif change == "shows":
                bad["shows"] = None
            yield f"{name}, {change}", (scenario, bad)


def test_wrong_certificates_are_rejected() -> None:
    count = 0
    for name, (scenario, bad) in mutations():  # type: ignore[misc]
        try:
            check(json.dumps(bad).encode(), dumps(scenario).encode())
        except CertificateError:
            count += 1
        else:
            raise AssertionError(name)
    assert count == 20


@pytest.mark.parametrize("field", ["step", "after"])
def test_steps_beyond_reach_are_rejected_at_once(field: str) -> None:
    scenario = every(ratio=24, horizon="any")
    bad = faier.certify(faier.verify(scenario))
    del bad["parts"][0]["step"]
    bad["parts"][0][field] = 10**12
    with pytest.raises(CertificateError, match=f"a part's {field} is at most 10,000"):
        check(json.dumps(bad).encode(), dumps(scenario).encode())


def test_what_was_asked_is_explained() -> None:
    for result in (faier.verify(every(ratio=24, horizon="any")), faier.epsilon(every(horizon="any"))):
        assert result.explanation is not None
        assert "before a step" in result.explanation.tried[0]
        assert not result.explanation.helps


def lazy(step: str) -> faier.Scenario:
    """A chain of three states that is not where it will be, and turns slowly; every step of two of them."""
    model = faier.HMM(
        emit={"a": {"0": "2/3", "1": "1/3"}, "b": {"0": "1/3", "1": "2/3"}, "c": {"0": "1/2", "1": "1/2"}},
        step={
            "a": {"a": "1/2", "b": "1/4", "c": "1/4"},
            "b": {"a": "1/8", "b": "3/4", "c": "1/8"},
            "c": {"a": "1/3", "b": "1/3", "c": "1/3"},
        },
    )
    return faier.Scenario.of(model, [faier.Gate("c", step, ["a"], ["b"])], horizon="any")


def test_late_steps_are_read_from_the_stationary_distribution() -> None:
    scenario = lazy("every")
    tight = faier.epsilon(scenario, tolerance="1e-4")
    assert tight.complete
    longest = faier.epsilon(scenario, horizon=12)
    assert tight.ratio.lower * Fraction(95, 100) < longest.ratio.lower <= tight.ratio.upper
    good = faier.certify(tight)
    assert good["measures"]
    proved(tight, scenario)
    wrong = {"uneven": "stationary", "part": "every state", "early": "does not dominate", "gone": "number"}
    for change, match in wrong.items():
        bad = json.loads(json.dumps(good))
        (measure,) = bad["measures"]
        if change == "uneven":
            first, second = Fraction(measure[0][1]), Fraction(measure[1][1])
            measure[0][1], measure[1][1] = str(first / 2), str(second + first / 2)
        elif change == "part":
            measure[0][1] = str(Fraction(measure[0][1]) + Fraction(measure.pop()[1]))
        elif change == "early":
            late = next(part for part in bad["parts"] if "measure" in part and "step" in part)
            late["step"] = 2
        else:
            bad["measures"] = []
        with pytest.raises(CertificateError, match=match):
            check(json.dumps(bad).encode(), dumps(scenario).encode())


def test_a_measure_says_nothing_about_a_side_that_is_never_reached() -> None:
    model = faier.HMM(
        emit={**CHAIN.emit_rows(), "c": {"0": "1"}},
        step={**CHAIN.step_rows(), "c": {"c": "1"}},
    )
    gates = [faier.Gate("start", "every", ["a"], [side]) for side in ("b", "c")]
    beliefs = {"start": {"a": "3/4", "b": "1/4"}}
    scenario = faier.Scenario.of(model, gates, beliefs=beliefs, horizon="any")
    good = json.loads(json.dumps(faier.certify(faier.epsilon(scenario, tolerance="1e-3"))))
    check(json.dumps(good).encode(), dumps(scenario).encode())
    late = next(part for part in good["parts"] if "measure" in part and "after" in part)
    good["parts"].append({**late, "pair": 1})
    with pytest.raises(CertificateError, match="a side is never reached"):
        check(json.dumps(good).encode(), dumps(scenario).encode())


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"possible": "both"}, 'with possible = "both"'),
    ],
)
def test_what_is_not_built_at_any_says_so(change: dict[str, object], match: str) -> None:
    scenario = every(horizon="any", ratio=2, **change)
    for ask in (faier.epsilon, faier.verify):
        with pytest.raises(faier.NotYetError, match=match):
            ask(scenario)
    for ask in (faier.profile, faier.zcdp, faier.tradeoff):
        with pytest.raises(faier.NotYetError):
            ask(every(horizon="any"))


@pytest.mark.parametrize("start", ["start", "a"])
def test_a_search_that_is_stopped_says_so(start: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = faier.epsilon(every(start), horizon="any", timeout=0.001)
    assert not stopped.complete
    assert "time limit" in str(stopped.reason)
    assert isinstance(faier.verify(every(start), horizon="any", ratio=24, timeout=0.001), faier.Unknown)

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("faier.engine.every.search.Search.enclose", interrupt)
    assert faier.epsilon(every(start), horizon="any").reason == "interrupted"
    verdict = faier.verify(every(start), horizon="any", ratio=24)
    assert isinstance(verdict, faier.Unknown)
    assert verdict.reason == "interrupted"


def test_a_state_that_fades_below_what_floats_hold_is_no_error() -> None:
    """At step 600 the room a has the probability 8^-599."""
    model = faier.HMM(
        emit={"a": {"0": "1/2", "1": "1/2"}, "b": {"0": "1/4", "1": "3/4"}},
        step={"a": {"a": "1/8", "b": "7/8"}, "b": {"b": "1"}},
    )
    gate = faier.Gate(faier.Belief.at("a"), "every", ["a"], ["b"], one_way=True)
    search = Search(Question(model, gate, "any"), Limits())
    direction = Direction(0, True, 0, 1)
    word = faier.Witness(0, True, "", "", ("0",), False, Fraction(1), Fraction(1))
    bounds = SimpleNamespace(lower=Fraction(1))
    part = SimpleNamespace(past=SimpleNamespace(witness=word), future=SimpleNamespace(ratio=bounds), step=600)
    assert starts_matter(search, direction, part, Fraction(8) ** 500)
    part.past.witness = None
    assert not starts_matter(search, direction, part, Fraction(8) ** 500)


def test_a_step_with_as_many_symbols_before_it_as_the_proof_is_deep_is_too_early() -> None:
    """The proof is about where a run was before these symbols, and at the first step it was nowhere before."""
    model = faier.HMM(
        emit={"a": {"0": "9/10", "1": "1/10"}, "b": {"0": "9/29", "1": "20/29"}},
        step={"a": {"a": "1/2", "b": "1/2"}, "b": {"a": "20/21", "b": "1/21"}},
    )
    gate = faier.Gate("start", "every", ["a"], ["b"], one_way=True)
    scenario = faier.Scenario.of(model, [gate], beliefs={"start": {"a": "2/7", "b": "5/7"}}, horizon="any")
    question, direction = Question(model, gate_of(scenario), "any"), Direction(0, True, 0, 1)
    past = engine.epsilon(question.measured(direction), tolerance=Fraction(1), row_by_row=True)
    assert reach_of(past.trace) == 1
    search = Search(question, Limits())
    future = search._future(direction, "any", Fraction(1, 1000))
    shows = search._part(direction, 1, "any", Fraction(1, 1000))
    for step, right in ((2, False), (3, True)):
        part = Part(0, True, step, past, future, question.measure, question.factor(direction, step))
        exact = search._part(direction, step, "any", Fraction(1, 1000))
        assert (product(part, "upper") >= product(exact, "lower")) is right
        tight = faier.Tight(
            scenario, Bounds(product(shows, "lower"), inf), attained=False, witness=None, complete=True, reason=None,
            engine="tree", seconds=0.0, trace=Apart(inf, (part,), shows),
        )  # fmt: skip
        certificate = json.dumps(faier.certify(tight)).encode()
        if right:
            check(certificate, dumps(scenario).encode())
            continue
        with pytest.raises(CertificateError, match="does not dominate all words of so many symbols"):
            check(certificate, dumps(scenario).encode())
    found = late(search, direction, Fraction(1))
    assert found is not None
    assert found.reach == reach_of(found.past.trace) + 1


def gate_of(scenario: faier.Scenario) -> faier.Gate:
    assert scenario.written is not None
    (gate,) = scenario.written.pairs
    assert isinstance(gate, faier.Gate)
    return gate
