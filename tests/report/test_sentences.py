"""One clear sentence for each result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as F

from faier.report.sentences import tight_sentence, verdict_sentence
from faier.scenario.scenario import Scenario
from faier.verdict import Bounds, Holds, LeftOut, Tight, Unknown, Violated, Witness


def test_violated(violated: Violated) -> None:
    assert verdict_sentence(violated) == (
        "violated: sick against well: after ~2, 2/3 against 1/6, ratio 4 > 2 (epsilon ln(2))"
    )
    assert str(violated) == verdict_sentence(violated)


def test_holds(holds: Holds) -> None:
    assert verdict_sentence(holds) == "holds: every word keeps the ratio 4 (epsilon ln(4)), at horizon 1"


def test_unknown(unknown: Unknown) -> None:
    assert verdict_sentence(unknown) == (
        "unknown: interrupted; the tight ratio is at least 4/3, without an upper bound yet, "
        "the claim is 2 (epsilon ln(2)), at horizon 1"
    )


def test_exact_epsilon(exact: Tight) -> None:
    assert tight_sentence(exact) == (
        "epsilon is exactly ln(4), about 1.386294, at horizon 1: "
        "sick against well: after ~2, 2/3 against 1/6, ratio 4"
    )


def test_enclosed_epsilon_is_rounded_outward(enclosed: Tight) -> None:
    assert tight_sentence(enclosed) == (
        "epsilon lies between 1.386294361119 and 1.38629436137, at every length: "
        "the ratio lies between 4 and 4.000000001"
    )


def test_stopped_epsilon_says_why(stopped: Tight) -> None:
    assert tight_sentence(stopped).endswith("; stopped before the tolerance was reached: interrupted")


def test_infinite_epsilon(infinite: Tight) -> None:
    assert tight_sentence(infinite) == (
        "epsilon is infinite, at horizon 1: sick against well: after x, 2/3 against 0, ratio infinity"
    )


def test_approached_and_not_reached(enclosed: Tight) -> None:
    tight = replace(enclosed, ratio=Bounds(F(81), F(81)))
    assert tight_sentence(tight).endswith("; words come as close as one likes, and none reaches it")


def test_which_words_count_is_said(make_scenario: Callable[..., Scenario]) -> None:
    told = Holds(make_scenario(possible="both"), "tree", 0, None)
    assert verdict_sentence(told) == (
        "holds: every word that both sides can produce keeps the ratio 2 (epsilon ln(2)), at horizon 1"
    )


def test_nothing_counts(nothing_counts: Holds, exact: Tight) -> None:
    assert verdict_sentence(nothing_counts).endswith("; no word counts")
    tight = replace(exact, ratio=Bounds(F(0), F(0)), witness=None, left_out=nothing_counts.left_out)
    assert "no word counts" in tight_sentence(tight)


def test_how_much_was_left_out(holds: Holds) -> None:
    told = replace(holds, left_out=(LeftOut("sick", "well", F(1, 3), F(1, 4)),))
    assert verdict_sentence(told).endswith(
        "; words that only one side can produce are left out, up to probability 1/3 (sick against well)"
    )


def test_complete_run_and_parameters(violated: Violated, witness: Witness) -> None:
    ended = replace(violated, witness=replace(witness, ended=True, parameters={"p": F(1, 2)}))
    assert "sick against well at p = 1/2: on the complete run ~2, 2/3 against 1/6" in verdict_sentence(ended)


def test_irrational_budgets(make_scenario: Callable[..., Scenario], witness: Witness) -> None:
    asked = make_scenario(ratio=None, epsilon="0.7")
    assert verdict_sentence(Violated(asked, "tree", 0, None, witness=witness)).endswith(
        "ratio 4 > exp(7/10) (epsilon 7/10)"
    )


def test_long_words_and_numbers_are_shortened_in_the_middle(violated: Violated, witness: Witness) -> None:
    word = tuple(f"s{i}" for i in range(200))
    long = replace(violated, witness=replace(witness, word=word, right_probability=F(1, 7**500)))
    text = verdict_sentence(long)
    assert "s0 s1 s2 s3 s4 s5 ... s194 s195 s196 s197 s198 s199 (200 symbols)" in text
    assert len(text) < 400
    assert "\n" not in text


def test_odd_symbols_are_quoted(violated: Violated, witness: Witness) -> None:
    odd = replace(violated, witness=replace(witness, word=("a b", "", "\x1b[2J", 3, ("x", 1))))
    assert "after 'a b' '' '\\x1b[2J' 3 ('x', 1), " in verdict_sentence(odd)
