"""Renyi divergences, zCDP, trade-offs, leakage and composition, against sums over words in floats and fractions."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import faier
from faier.cli import main
from faier.definition import counted_words
from faier.scenario.scenario import Scenario
from strategies import quick, scenarios

GEOMETRIC = str(Path(__file__).parents[2] / "examples" / "truncated_geometric.toml")
Words = list[tuple[Fraction, Fraction]]


def questions() -> st.SearchStrategy[Scenario]:
    return scenarios(possible=["either"], horizons=[1, 2, 3])


def directions(question: Scenario, horizon: int | None = None) -> list[Words]:
    found: dict[tuple[int, bool], Words] = {}
    length = question.claim.horizon if horizon is None else horizon
    for pair, forward, _, _, left, right in counted_words(question, length):
        found.setdefault((pair, forward), []).append((left, right))
    return list(found.values())


def moment(words: Words, order: int) -> Fraction | float:
    if any(a and not b for a, b in words):
        return math.inf
    return sum((a**order / b ** (order - 1) for a, b in words if a), Fraction(0))


def divergence(words: Words, order: float) -> float:
    if any(a and not b for a, b in words) and order >= 1:
        return math.inf
    both = [(float(a), float(b)) for a, b in words if a and b]
    if order == 1:
        return sum(a * math.log(a / b) for a, b in both)
    total = sum(a**order * b ** (1 - order) for a, b in both)
    return math.log(total) / (order - 1) if total else math.inf


@quick
@given(questions(), st.sampled_from([2, 3, 5]))
def test_moments_of_whole_orders_are_exact(question: Scenario, order: int) -> None:
    found = faier.renyi(question, order)
    expected = max(moment(words, order) for words in directions(question))
    assert found.moment is not None
    assert found.moment.lower == found.moment.upper == expected
    if expected == math.inf:
        assert found.divergence.lower == math.inf
    else:
        value = math.log(expected) / (order - 1)
        assert float(found.divergence.lower) == pytest.approx(value, abs=1e-12)
        assert found.divergence.lower <= found.divergence.upper


@quick
@given(questions(), st.sampled_from(["1/2", "1", "3/2", "7/2"]))
def test_divergences_of_other_orders_are_enclosed(question: Scenario, order: str) -> None:
    found = faier.renyi(question, order)
    expected = max(divergence(words, float(Fraction(order))) for words in directions(question))
    if expected == math.inf:
        assert found.divergence.lower == math.inf
    else:
        assert float(found.divergence.lower) == pytest.approx(max(0, expected), abs=1e-9)
        assert found.divergence.lower <= found.divergence.upper <= found.divergence.lower + Fraction(1, 10**20)


@settings(quick, max_examples=25)
@given(questions())
def test_no_order_exceeds_the_constant_of_concentrated_privacy(question: Scenario) -> None:
    found = faier.zcdp(question, tolerance="1e-4")
    assert found.complete
    each = directions(question)
    orders = [1 + k / 16 for k in range(1, 65)] + [6.0, 8.0, 16.0, 64.0]
    seen = max(divergence(words, a) / a for words in each for a in orders)
    if seen == math.inf:
        assert found.rho.lower == math.inf
        return
    assert seen <= float(found.rho.upper) + 1e-9
    assert found.rho.lower <= found.rho.upper <= found.rho.lower * (1 + Fraction(1, 10**4))
    assert found.order is not None
    at = max(divergence(words, float(found.order)) / float(found.order) for words in each)
    assert at == pytest.approx(float(found.rho.lower), abs=1e-6)


@settings(quick, max_examples=25)
@given(scenarios(possible=["either"], horizons=["any"]), st.sampled_from([2, 3]))
def test_at_every_length_moments_are_enclosed(question: Scenario, order: int) -> None:
    found = faier.renyi(question, order, tolerance="1/10", timeout=0.2)
    for horizon in (1, 2, 3):
        assert found.moment is not None
        assert max(moment(words, order) for words in directions(question, horizon)) <= found.moment.upper


@quick
@given(questions(), st.sampled_from([Fraction(k, 12) for k in range(13)]))
def test_no_test_is_below_the_trade_off_curve_and_its_corners_are_tests(question: Scenario, error: Fraction) -> None:
    found = faier.tradeoff(question)
    corners = []
    for words in directions(question):
        if len(words) > 6:
            continue
        for chosen in itertools.product((False, True), repeat=len(words)):
            alpha = sum((b for keep, (_, b) in zip(chosen, words, strict=True) if keep), Fraction(0))
            beta = 1 - sum((a for keep, (a, _) in zip(chosen, words, strict=True) if keep), Fraction(0))
            assert found.at(alpha) <= beta
            corners.append((alpha, beta))
    assert found.corners[0][0] == 0
    assert found.at(1) == 0
    if all(len(words) <= 6 for words in directions(question)):
        assert set(found.corners) <= set(corners)
    # Between corners a test draws; so the curve is convex, and never rises.
    assert found.at(error / 2) <= (found.at(0) + found.at(error)) / 2


@quick
@given(questions())
def test_delta_and_the_trade_off_curve_say_the_same(question: Scenario) -> None:
    curve = faier.tradeoff(question).corners
    for ratio in (Fraction(1), Fraction(3, 2), Fraction(3)):
        point = faier.profile(question, ratio=ratio).point
        assert point is not None
        assert point.delta.upper == max(1 - beta - ratio * alpha for alpha, beta in curve)


@quick
@given(questions())
def test_leakage_is_what_guesses_gain(question: Scenario) -> None:
    beliefs = {b.name: b for b in question.compared_beliefs()}
    names = list(beliefs)
    table: dict[tuple[object, ...], dict[str, Fraction]] = {}
    for name, belief in beliefs.items():
        alone = Scenario(question.model, (faier.Pair(belief, belief, one_way=True),), question.claim)
        for _, _, word, ended, left, _ in counted_words(alone, question.claim.horizon):
            table.setdefault((word, ended), {})[name] = left
    weights = [Fraction(k + 1, len(names) * (len(names) + 1) // 2) for k in range(len(names))]
    prior = dict(zip(names, weights, strict=True))
    found = faier.leakage(question, prior=prior)
    assert found.capacity == sum(max(column.values()) for column in table.values())
    guessed = sum(max(prior[n] * p for n, p in column.items()) for column in table.values())
    assert found.gain == guessed / max(weights)
    assert found.min_entropy.lower <= found.min_entropy.upper
    assert float(found.min_entropy.upper) == pytest.approx(math.log2(found.gain), abs=1e-12)
    bits = 0.0
    for column in table.values():
        total = float(sum(prior[n] * p for n, p in column.items()))
        bits += sum(float(prior[n] * p) * math.log2(float(p) / total) for n, p in column.items() if p)
    assert float(found.mutual_information.lower) == pytest.approx(bits, abs=1e-9)
    assert found.mutual_information.lower <= found.mutual_information.upper


@quick
@given(scenarios(possible=["either"], horizons=[1], max_pairs=1), st.integers(1, 3))
def test_a_composition_is_the_product_of_its_releases(question: Scenario, times: int) -> None:
    found = faier.compose(question, times)
    assert found.claim.horizon == times
    emit = question.model.emit_rows()
    pair = question.pairs[0]
    for ratio in (Fraction(1), Fraction(2)):
        expected = Fraction(0)
        ways = [(pair.left, pair.right), (pair.right, pair.left)]
        for sides in ways[:1] if pair.one_way else ways:
            beyond = Fraction(0)
            for word in itertools.product(question.model.symbols, repeat=times):
                left, right = (
                    sum(w * math.prod(emit[x].get(s, Fraction(0)) for s in word) for x, w in belief.weights.items())
                    for belief in sides
                )
                beyond += max(Fraction(0), left - ratio * right)
            expected = max(expected, beyond)
        point = faier.profile(found, ratio=ratio).point
        assert point is not None
        assert point.delta.upper == expected


def test_a_mechanism_that_knows_its_neighbours_is_composed() -> None:
    @faier.mechanism(inputs=["yes", "no"], adjacent=faier.any_two)
    def response(answer: str) -> str:
        return answer if faier.flip("3/4") else {"yes": "no", "no": "yes"}[answer]

    assert faier.epsilon(faier.compose(response, 5)).ratio.upper == 3**5
    # 20 releases have 2^20 words, and 21 different ones up to their order.
    assert len(faier.profile(faier.compose(response, 20)).points) == 11


def test_runs_that_go_on_are_composed_at_horizon_1_alone() -> None:
    chain = str(Path(GEOMETRIC).parent / "activity_chain_5.toml")
    with pytest.raises(faier.NotYetError, match="first symbol"):
        faier.compose(chain, 2)
    with pytest.raises(faier.UsageError, match="at least 1"):
        faier.compose(GEOMETRIC, 0)


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [(["--renyi", "2"], "renyi"), (["--zcdp"], "zcdp"), (["--trade-off"], "trade-off"), (["--leakage"], "leakage")],
)
def test_the_command(arguments: list[str], kind: str) -> None:
    import jsonschema

    import faier.report

    answer = CliRunner().invoke(main, ["measure", GEOMETRIC, *arguments, "--json"])
    assert answer.exit_code == 0
    record = json.loads(answer.stdout)
    assert record["kind"] == kind
    schema = Path(faier.report.__file__).parent / "measures.schema.json"
    jsonschema.validate(record, json.loads(schema.read_text("utf-8")))
    assert CliRunner().invoke(main, ["measure", GEOMETRIC, *arguments]).exit_code == 0


def test_the_command_takes_one_measure() -> None:
    for arguments in ([], ["--zcdp", "--leakage"]):
        answer = CliRunner().invoke(main, ["measure", GEOMETRIC, *arguments])
        assert answer.exit_code == 2
        assert "give one of" in answer.stderr


def test_an_order_is_no_more_than_powers_can_be() -> None:
    model = faier.HMM(emit={"a": {"x": "3/4", "y": "1/4"}, "b": {"x": "1/4", "y": "3/4"}})
    question = faier.Scenario.of(model, [("a", "b")], horizon=1)
    with pytest.raises(faier.UsageError, match="at most 10,000"):
        faier.renyi(question, 1_000_000)
