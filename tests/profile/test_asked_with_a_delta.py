"""Deltas through the other ways to ask: mechanisms, priors, secrets inside a run, tests; and how results are shown."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import faier
from faier.model.toml_write import dumps
from faier_check import check

GEOMETRIC = Path(__file__).parents[2] / "examples" / "truncated_geometric.toml"


@faier.mechanism(inputs=[0, 1], adjacent=faier.any_two)
def stable(count: int) -> str:
    """A key with count 1 is released where noise lifts it to 3."""
    return "released" if count and faier.flip("1/6") else "withheld"


def test_mechanisms_are_asked_with_a_delta() -> None:
    question = faier.differential_privacy(stable, ratio=1, delta="1/6")
    assert isinstance(faier.verify(question), faier.Holds)
    assert isinstance(faier.verify(question, delta="1/7"), faier.Violated)
    assert faier.profile(stable, ratio=1000).point.delta.upper == Fraction(1, 6)
    assert faier.assert_private(stable, ratio=1, delta="1/6").claim.delta == Fraction(1, 6)
    with pytest.raises(faier.PrivacyViolation) as caught:
        faier.assert_private(stable, ratio=2, delta="1/7")
    assert "delta 1/6 > 1/7" in str(caught.value)
    assert "claimed  ratio 2 (epsilon ln(2)), delta 1/7" in str(caught.value)
    assert "released" in str(caught.value)


def test_priors_are_asked_with_a_delta() -> None:
    noisy = faier.library.truncated_geometric(counts=2)
    ill = faier.record(1)
    asked = {"prior": faier.all_or_none("1/10", 2), "query": faier.count(), "secrets": [ill, ~ill]}
    plain = faier.pufferfish(noisy, **asked, ratio=2)
    delta = faier.profile(plain, ratio=2).point.delta.upper
    assert 0 < delta < 1
    assert isinstance(faier.verify(faier.pufferfish(noisy, **asked, ratio=2, delta=delta)), faier.Holds)
    less = faier.pufferfish(noisy, **asked, ratio=2, delta=delta * Fraction(9, 10))
    assert isinstance(faier.verify(less), faier.Violated)


def test_models_made_by_symmetry_have_no_delta() -> None:
    largest = faier.library.noisy_max(queries=3)
    question = faier.differential_privacy(largest, adjacent=faier.each_within(1), exchangeable=True, ratio=2)
    with pytest.raises(faier.UsageError, match="exchangeable=False"):
        faier.profile(question, ratio=2)
    with pytest.raises(faier.UsageError, match="exchangeable=False"):
        faier.verify(question, delta="1/10")
    whole = faier.differential_privacy(largest, adjacent=faier.each_within(1), ratio=2)
    assert faier.profile(whole, ratio=2).point.delta.upper == Fraction(4, 27)


def test_secrets_inside_a_run_have_a_delta() -> None:
    """The state at step 2, read through randomised response: both sides by listing paths."""
    model = faier.HMM(
        emit={"a": {"+": "3/4", "-": "1/4"}, "b": {"+": "1/4", "-": "3/4"}},
        step={"a": {"a": "4/5", "b": "1/5"}, "b": {"a": "1/5", "b": "4/5"}},
    )
    gate = faier.Gate("start", 2, ("a",), ("b",))
    question = faier.Scenario.of(
        model, [gate], beliefs={"start": {"a": "1/3", "b": "2/3"}}, ratio="3/2", horizon=3, delta="1/3"
    )
    emit, step, start = model.emit_rows(), model.step_rows(), {"a": Fraction(1, 3), "b": Fraction(2, 3)}
    words: dict[str, dict[tuple[str, ...], Fraction]] = {"a": {}, "b": {}}
    for x in "ab":
        for y in "ab":
            for z in "ab":
                for word in [(p, q, r) for p in "+-" for q in "+-" for r in "+-"]:
                    path = start[x] * emit[x][word[0]] * step[x][y] * emit[y][word[1]] * step[y][z] * emit[z][word[2]]
                    words[y][word] = words[y].get(word, Fraction(0)) + path
    totals = {y: sum(row.values()) for y, row in words.items()}
    expected = max(
        sum(max(Fraction(0), words[p][w] / totals[p] - Fraction(3, 2) * words[q][w] / totals[q]) for w in words[p])
        for p, q in ("ab", "ba")
    )
    assert faier.profile(question, ratio="3/2").point.delta.upper == expected
    for delta in (expected, expected * Fraction(9, 10)):
        verdict = faier.verify(question, delta=delta)
        assert isinstance(verdict, faier.Holds if delta == expected else faier.Violated)
        check(json.dumps(faier.certify(verdict)).encode(), dumps(question).encode())


def test_results_show_themselves() -> None:
    whole, one = faier.profile(GEOMETRIC), faier.profile(GEOMETRIC, epsilon="0.3")
    assert str(whole).startswith("profile: 2 points, linear in the ratio between them, at horizon 1")
    assert "<svg" in whole._repr_html_()
    assert "2/3 - 1/3*exp(3/10)" in str(one)
    assert "2/3 - 1/3*exp(3/10)" in one._repr_html_()
    broken = faier.verify(GEOMETRIC, ratio="3/2", delta="1/10")
    assert "~0" in broken._repr_html_()
    assert "delta 1/6" in broken._repr_html_()
    kept = faier.verify(GEOMETRIC, ratio="3/2", delta="1/6")
    assert "delta 1/6" in kept._repr_html_()
    for result in (whole, faier.renyi(GEOMETRIC, 2), faier.zcdp(GEOMETRIC), faier.tradeoff(GEOMETRIC)):
        with pytest.raises(TypeError, match="not a truth value"):
            bool(result)
        assert result.to_dict()["faier"] == 1


def test_what_was_not_decided_says_between_which_deltas() -> None:
    rappor = str(GEOMETRIC.parent / "rappor.toml")
    verdict = faier.verify(rappor, ratio=9, delta="1/4", timeout=0.05)
    assert isinstance(verdict, faier.Unknown)
    assert set(verdict.to_dict()["bounds"]) == {"delta"}
    assert "delta at the ratio 9" in str(verdict)
    assert verdict._repr_html_()
    with pytest.raises(faier.PrivacyUndecided, match="delta    between"):
        faier.assert_private(rappor, ratio=9, delta="1/4", timeout=0.05)
