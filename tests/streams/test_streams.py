"""Streams against their definition, and everything that reads, writes and checks them."""

from __future__ import annotations

import json
from fractions import Fraction
from math import inf, prod
from pathlib import Path

import pytest
from by_words import counted, tight
from hypothesis import given, settings

import faier
from faier.model.names import label
from faier.model.stream import Letter, Stream
from faier.model.toml_write import dumps
from faier.model.two_sided import two_sided
from faier.scenario.load import loads
from faier_check import CertificateError, check
from strategies import quick, stream_scenarios, streams

SPAM = Stream(
    on={
        "spam": {"calm": [("flag", "alert", "3/4"), ("pass", "calm", "1/4")], "alert": [("flag", 1)]},
        "ham": {"calm": [("pass", "calm", 1)], "alert": [("flag", "1/2"), ("pass", "calm", "1/2")]},
    },
    adjacent=[("spam", "ham")],
)


def asked(scenario: faier.Scenario) -> list[tuple[dict, dict, bool]]:
    written = scenario.written
    assert written is not None
    return [(dict(p.left.weights), dict(p.right.weights), p.one_way) for p in written.pairs]


@given(stream_scenarios(horizons=(1, 2)) | stream_scenarios(horizons=(3,), max_inputs=2))
@quick
def test_the_tight_ratio_is_that_of_the_definition(scenario: faier.Scenario) -> None:
    both = scenario.claim.possible == "both"
    expected = tight(scenario.stream, asked(scenario), scenario.claim.horizon, both)
    assert faier.epsilon(scenario).ratio.upper == expected
    verdict = faier.verify(scenario)
    budget = scenario.claim.budget
    broken = expected == inf or budget.compare(Fraction(expected)) > 0
    assert isinstance(verdict, faier.Violated if broken else faier.Holds)


@given(stream_scenarios(horizons=(1, 2)))
@quick
def test_a_witness_has_the_probabilities_of_the_stream(scenario: faier.Scenario) -> None:
    found = faier.epsilon(scenario).witness
    if found is None:
        return
    both = scenario.claim.possible == "both"
    words = [
        w
        for one, two, one_way in asked(scenario)
        for left, right in (((one, two),) if one_way else ((one, two), (two, one)))
        for w in counted(scenario.stream, left, right, scenario.claim.horizon, both)
    ]
    assert (found.word, found.ended, found.left_probability, found.right_probability) in words


@given(streams())
@quick
def test_every_reading_is_divided_by_the_choices(stream: Stream) -> None:
    from faier.definition import forward

    compiled = two_sided(stream)
    model = compiled.model
    memory = stream.memories[-1]
    rows = [{model.states[i]: p for i, p in side[memory].items()} for side in (compiled.left, compiled.right)]
    point = {memory: Fraction(1)}
    for word, ended, *expected in counted(stream, point, point, 2):
        letters = tuple(Letter(*letter) for letter in word)
        found = [forward(model, row, letters) for row in rows]
        readings = [r.get(None, Fraction(0)) if ended else sum(r.values(), Fraction(0)) for r in found]
        assert [p * compiled.choices ** len(word) for p in readings] == expected


@given(stream_scenarios(horizons=(1, 3, "any")))
@settings(max_examples=100, deadline=None)
def test_streams_read_back_equal(scenario: faier.Scenario) -> None:
    text = dumps(scenario)
    again = loads(text)
    assert again == scenario
    assert dumps(again) == text


@given(scenario=stream_scenarios(unknowns=True))
@quick
def test_streams_with_parameters_read_back_equal(scenario: faier.Scenario) -> None:
    assert loads(dumps(scenario)) == scenario


@given(scenario=stream_scenarios())
@settings(max_examples=40, deadline=None)
def test_every_certificate_is_accepted(tmp_path_factory: pytest.TempPathFactory, scenario: faier.Scenario) -> None:
    folder = tmp_path_factory.mktemp("proof")
    (folder / "stream.toml").write_text(dumps(scenario), encoding="utf-8")
    for result in (faier.verify(scenario), faier.verify(scenario, engine="tree"), faier.epsilon(scenario)):
        if isinstance(result, faier.Tight) and result.trace is None and result.ratio.upper != inf:
            continue
        (folder / "proof.json").write_text(json.dumps(faier.certify(result)), encoding="utf-8")
        check(folder / "proof.json", folder / "stream.toml")


@given(scenario=stream_scenarios(horizons=("any",), possible=("either",), max_inputs=2))
@settings(max_examples=25, deadline=None)
def test_at_any_length_no_longer_word_exceeds_the_bound(
    tmp_path_factory: pytest.TempPathFactory, scenario: faier.Scenario
) -> None:
    found = faier.epsilon(scenario, tolerance="1/1000", timeout=1)
    longer = max(tight(scenario.stream, asked(scenario), n) for n in (1, 2, 3))
    assert longer <= found.ratio.upper
    if found.trace is None and found.diverges is None and found.ratio.upper != inf:
        return
    folder = tmp_path_factory.mktemp("proof")
    (folder / "stream.toml").write_text(dumps(scenario), encoding="utf-8")
    (folder / "proof.json").write_text(json.dumps(faier.certify(found)), encoding="utf-8")
    check(folder / "proof.json", folder / "stream.toml")


@given(scenario=stream_scenarios(unknowns=True, horizons=(1, 2)))
@settings(max_examples=20, deadline=None)
def test_certificates_with_parameters_are_accepted(
    tmp_path_factory: pytest.TempPathFactory, scenario: faier.Scenario
) -> None:
    folder = tmp_path_factory.mktemp("proof")
    (folder / "stream.toml").write_text(dumps(scenario), encoding="utf-8")
    verdict = faier.verify(scenario, timeout=5)
    if isinstance(verdict, faier.Unknown):
        return
    (folder / "proof.json").write_text(json.dumps(faier.certify(verdict)), encoding="utf-8")
    rows = [x.probability for row in scenario.stream.answers.values() for x in row]
    rows += [p for pair in scenario.written.pairs for b in (pair.left, pair.right) for p in b.weights.values()]
    written_with_parameters = any(not isinstance(p, Fraction) for p in rows)
    if isinstance(verdict, faier.Violated) and written_with_parameters and not scenario.uses_unknowns:
        # The parameters cancel out, so the witness shows no values at which the rows are probabilities.
        with pytest.raises(CertificateError, match="cancel out"):
            check(folder / "proof.json", folder / "stream.toml")
    else:
        check(folder / "proof.json", folder / "stream.toml")


def spam(**claim: object) -> faier.Scenario:
    return faier.Scenario.of(SPAM, [("calm", "calm")], **claim)


def certified(folder: Path, result: faier.Verdict | faier.Tight, **changes: object) -> dict[str, object]:
    (folder / "spam.toml").write_text(dumps(result.scenario), encoding="utf-8")
    return dict(faier.certify(result)) | changes


def rejected(folder: Path, certificate: dict[str, object], match: str) -> None:
    (folder / "proof.json").write_text(json.dumps(certificate), encoding="utf-8")
    with pytest.raises(CertificateError, match=match):
        check(folder / "proof.json", folder / "spam.toml")


def test_a_ratio_that_is_too_small_by_one_part_in_1e30_is_rejected(tmp_path: Path) -> None:
    noisy = Stream(
        on={
            "0": {"m": [("x", "m", "2/3"), ("y", "m", "1/3")]},
            "1": {"m": [("x", "m", "1/3"), ("y", "m", "2/3")]},
        },
        adjacent=[("0", "1")],
    )
    tight = faier.epsilon(faier.Scenario.of(noisy, [("m", "m")], horizon=3))
    assert tight.ratio.upper == 8
    good = certified(tmp_path, tight)
    (tmp_path / "proof.json").write_text(json.dumps(good), encoding="utf-8")
    check(tmp_path / "proof.json", tmp_path / "spam.toml")
    less = str(8 - Fraction(1, 10**30))
    claim, proof = dict(good["claim"]) | {"upper": less}, dict(good["proof"]) | {"ratio": less}  # type: ignore[call-overload]
    rejected(tmp_path, good | {"claim": claim, "proof": proof}, "enumerate|exceeds")


def test_a_witness_with_the_probabilities_given_the_inputs_is_rejected(tmp_path: Path) -> None:
    verdict = faier.verify(spam(ratio=2, horizon=1))
    assert isinstance(verdict, faier.Violated)
    certificate = certified(tmp_path, verdict)
    witness = dict(certificate["witness"])  # type: ignore[call-overload]
    # In the compiled model one of four pairs of inputs is drawn.
    assert Fraction(witness["left"]) * 4 == verdict.witness.left_probability
    witness["left"] = str(verdict.witness.left_probability)
    rejected(tmp_path, certificate | {"witness": witness}, "witness: left is")


def test_a_certificate_of_another_relation_is_rejected(tmp_path: Path) -> None:
    certificate = certified(tmp_path, faier.verify(spam(ratio=2, horizon=1)))
    text = (tmp_path / "spam.toml").read_text(encoding="utf-8")
    (tmp_path / "spam.toml").write_text(text.replace('adjacent = [["spam", "ham"]]\n', ""), encoding="utf-8")
    rejected(tmp_path, certificate, "another model")


def test_inputs_that_may_not_differ_tell_nothing_apart() -> None:
    alone = SPAM.with_adjacent([])
    scenario = faier.Scenario.of(alone, [("calm", "calm")], ratio=1, horizon="any")
    assert isinstance(faier.verify(scenario), faier.Holds)
    # Both sides behave alike everywhere, so one copy serves both.
    assert scenario.pairs[0].left.weights == scenario.pairs[0].right.weights


def test_equal_memories_are_merged() -> None:
    row = [("x", "a", "1/2"), ("x", "b", "1/4"), ("y", "1/4")]
    twice = Stream(on={"0": {"a": row, "b": row}, "1": {"a": [("y", 1)], "b": [("y", 1)]}}, adjacent=[("0", "1")])
    once = Stream(
        on={"0": {"a": [("x", "a", "3/4"), ("y", "1/4")]}, "1": {"a": [("y", 1)]}}, adjacent=[("0", "1")]
    )
    assert two_sided(twice).model == two_sided(once).model


def by_rounds(stream: Stream) -> set[frozenset[tuple[str, object]]]:
    """The coarsest partition by looking at every node again and again."""
    nodes = [(side, m) for side in ("left", "right") for m in stream.memories]
    classes = dict.fromkeys(nodes, 0)
    while True:
        seen: dict[object, int] = {}
        finer = {}
        for side, m in nodes:
            rows = []
            for pair in stream.input_pairs:
                row: dict[object, Fraction] = {}
                for symbol, then, p in stream.answers[pair[0 if side == "left" else 1], m]:
                    key = symbol, None if then is None else classes[side, then]
                    row[key] = row.get(key, Fraction(0)) + p
                rows.append(frozenset((key, p) for key, p in row.items() if p))
            finer[side, m] = seen.setdefault((classes[side, m], tuple(rows)), len(seen))
        if len(seen) == len(set(classes.values())):
            return {frozenset(n for n in nodes if finer[n] == k) for k in seen.values()}
        classes = finer


@given(streams(max_memories=5))
@quick
def test_classes_are_the_coarsest_there_are(stream: Stream) -> None:
    from faier.model.two_sided import SIDES, _classes

    nodes = [(side, i) for side in SIDES for i in range(len(stream.memories))]
    found = _classes(stream, nodes)
    named = {
        frozenset((side, stream.memories[i]) for side, i in nodes if found[side, i] == k) for k in found.values()
    }
    assert named == by_rounds(stream)


def test_a_long_counter_is_compiled() -> None:
    last = 2_000
    rows = {str(k): [("x", str(k + 1), "2/3"), ("y", str(k + 1), "1/3")] for k in range(last)}
    other = {str(k): [("x", str(k + 1), "1/3"), ("y", str(k + 1), "2/3")] for k in range(last)}
    end = {str(last): [("x", 1)]}
    counter = Stream(on={"0": rows | end, "1": other | end}, adjacent=[("0", "1")])
    model = two_sided(counter).model
    # On either side four answers lead to each memory but the last, which both sides share: eight letters lead to it,
    # and with four of them the run ends.
    assert len(model.states) == 2 * 4 * (last - 1) + 8 + 4


def test_letters_are_grouped_by_the_inputs_that_an_adversary_may_choose() -> None:
    scenario = spam()
    letters = [[scenario.model.symbols[i] for i in group] for group in scenario.choices]
    assert letters == [
        [("spam", "spam", "flag"), ("spam", "spam", "pass")],
        [("spam", "ham", "flag"), ("spam", "ham", "pass")],
        [("ham", "spam", "flag"), ("ham", "spam", "pass")],
        [("ham", "ham", "flag"), ("ham", "ham", "pass")],
    ]
    plain = faier.HMM(emit={"s": {"a": "1/2", "b": "1/2"}})
    assert faier.Scenario.of(plain, [("s", "s")]).choices == ((0, 1),)


def test_a_letter_is_a_list_in_json_and_short_in_a_sentence() -> None:
    verdict = faier.verify(spam(ratio=2, horizon=1))
    assert isinstance(verdict, faier.Violated)
    record = verdict.to_dict()["witness"]
    assert record["word"][0] == ["spam", "ham", "flag"]  # type: ignore[index]
    assert "flag[spam|ham]" in str(verdict)
    assert label(verdict.witness.word[0]) == "(spam, ham, flag)"


def test_a_parameter_in_a_stream_is_decided_for_all_its_values() -> None:
    text = """faier = 1
[parameters]
p = "1/2 < p < 2/3"
[stream]
adjacent = [["0", "1"]]
[stream.on."0"]
m = [["x", "m", "p"], ["y", "m", "1-p"]]
[stream.on."1"]
m = [["x", "m", "1-p"], ["y", "m", "p"]]
[[compare]]
left = "m"
right = "m"
[claim]
ratio = "4"
horizon = 2
"""
    scenario = loads(text)
    assert isinstance(faier.verify(scenario), faier.Holds)
    tight = faier.epsilon(scenario)
    assert tight.ratio.upper == 4
    assert not tight.attained
    broken = faier.verify(scenario, ratio=3)
    assert isinstance(broken, faier.Violated)
    p = broken.witness.parameters["p"]
    answered = [[(a, s) for a, _, s in broken.witness.word], [(b, s) for _, b, s in broken.witness.word]]
    sides = [prod(p if (x == "0") == (s == "x") else 1 - p for x, s in chosen) for chosen in answered]
    assert [broken.witness.left_probability, broken.witness.right_probability] == sides
    fixed = scenario.fixing({"p": "3/5"})
    assert fixed.stream is not None
    assert faier.epsilon(fixed).ratio.upper == Fraction(9, 4)
    assert loads(dumps(fixed)) == fixed
    found = faier.calibrate(scenario, maximise="p", ratio=2, tolerance="1/1000")
    assert found.witness is not None
    assert found.witness.left_probability <= 1
    assert found.witness.ratio > 2


@pytest.mark.parametrize(
    ("old", "new", "place", "match"),
    [
        ('["y", "1/4"]', '["y", "1/3"]', "stream.on.0.m", "the row sums to 13/12, not 1"),
        ('["y", "1/4"]', '["y", 0.25]', "stream.on.0.m[1]", "quote|string"),
        ('["y", "1/4"]', '["y", "n", "1/4"]', "stream.on.0.m[1]", "unknown memory 'n'"),
        ('["y", "1/4"]', '["x", "m", "1/4"]', "stream.on.0.m[1]", "given twice"),
        ('["y", "1/4"]', '[3, "1/4"]', "stream.on.0.m[1]", "names are strings"),
        ('["y", "1/4"]', '"y"', "stream.on.0.m[1]", "an answer is expected here"),
        ('["y", "1/4"]', '["y", "-1/4"]', "stream.on.0.m[1]", "cannot be negative"),
        ('[["0", "1"]]', '[["0", "2"]]', "stream.adjacent[0]", "unknown input '2'"),
        ('[["0", "1"]]', '["0", "1"]', "stream.adjacent[0]", "a pair of inputs is expected"),
        ('[["0", "1"]]', '"all"', "stream.adjacent", "a list of pairs"),
        ('[["0", "1"]]', '[["0", "1"]]\nagain = 1', "stream.again", "unknown key 'again'"),
        ('left = "m"', 'left = "mm"', "compare[0].left", "unknown belief or memory 'mm'; did you mean 'm'"),
        ('[stream.on."1"]\nm =', '[stream.on."1"]\nk =', "stream.on.0", "the memory 'k' has no answer"),
    ],
)
def test_a_mistake_is_named_by_its_place(old: str, new: str, place: str, match: str) -> None:
    text = """faier = 1
[stream]
adjacent = [["0", "1"]]
[stream.on."0"]
m = [["x", "m", "3/4"], ["y", "1/4"]]
[stream.on."1"]
m = [["x", "1"]]
[[compare]]
left = "m"
right = "m"
"""
    loads(text)
    assert old in text
    with pytest.raises(faier.ModelError, match=match) as error:
        loads(text.replace(old, new))
    found = {p.place: p for p in error.value.problems}
    assert place in found
    assert found[place].line is not None


def test_all_mistakes_are_said_at_once() -> None:
    text = """faier = 1
[stream]
adjacent = [["0", "9"]]
[stream.on."0"]
m = [["x", "m", "3/4"]]
[beliefs]
m = { m = "1" }
b = { k = "1" }
[[compare]]
left = "m"
"""
    with pytest.raises(faier.ModelError) as error:
        loads(text)
    places = [p.place for p in error.value.problems]
    assert places == ["stream.adjacent[0]", "stream.on.0.m", "beliefs.m", "beliefs.b.k", "compare[0].right"]
