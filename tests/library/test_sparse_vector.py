"""Above Threshold and the variants of the sparse vector technique, at known values."""

from __future__ import annotations

from fractions import Fraction as F
from math import inf

import pytest

import faier
from faier import library


def tight(stream: faier.StreamMechanism, horizon: int) -> F | float:
    found = faier.epsilon(faier.differential_privacy(stream, horizon=horizon))
    assert found.exact
    return found.ratio.upper  # type: ignore[return-value]


@pytest.mark.parametrize("queries", [1, 2, 3, 4, 5, 8, 20, 60])
def test_above_threshold_doubles_with_every_query(queries: int) -> None:
    assert tight(library.above_threshold(), queries) == 2**queries


def test_above_threshold_keeps_no_ratio_at_every_length() -> None:
    found = faier.epsilon(faier.differential_privacy(library.above_threshold(), ratio=16), horizon="any")
    assert found.ratio.lower == inf
    assert found.diverges is not None
    assert found.diverges.growth == 2
    assert {letter.symbol for letter in found.diverges.loop} == {"bot"}


@pytest.mark.parametrize(("n", "ratio"), [(1, F(143, 38)), (2, F(271, 35)), (4, F(4156, 131))])
def test_the_published_family_of_above_threshold(n: int, ratio: F) -> None:
    """bot n times and then top; the left answers are 1 and then 2, the right ones 2 and then 1."""
    stream = library.above_threshold()
    table = stream.table()

    def probability(answers: list[int]) -> F:
        row = {memory: F(p) for memory, p in stream.start.items()}
        for answer, symbol in zip(answers, ["bot"] * n + ["top"], strict=True):
            chance = {m: sum(x.probability for x in table.answers[answer, m] if x.symbol == symbol) for m in row}
            row = {m: p * chance[m] for m, p in row.items()}
        return sum(row.values(), F(0))

    assert probability([1] * n + [2]) / probability([2] * n + [1]) == ratio


def test_the_first_variant_approaches_its_guarantee_from_below() -> None:
    ratios = [tight(library.svt_1(), k) for k in (1, 2, 4, 8)]
    assert ratios == sorted(ratios)
    assert 15 < ratios[-1] < 16


def test_the_second_is_the_first_where_the_cutoff_is_1() -> None:
    assert tight(library.svt_2(), 5) == tight(library.svt_1(), 5)
    assert 100 < tight(library.svt_2(cutoff=2, room=5), 9) < 256


def test_the_fourth_breaks_what_was_claimed_and_keeps_what_its_analysts_say() -> None:
    assert 16 < tight(library.svt_4(), 2) < tight(library.svt_4(), 6) < 128
    assert tight(library.svt_4(), 6) > 127
    assert tight(library.svt_4(cutoff=2, room=4), 5) > 16**2


def test_the_fourth_grows_without_end_too_however_slowly() -> None:
    asked = faier.differential_privacy(library.svt_4(), horizon="any")
    found = faier.epsilon(asked)
    assert found.diverges is not None
    # Both runs are at the highest threshold by then, one asked for 1 and one for 2, and both say bot.
    top = [1 - F(1, 8) ** (10 - answer) / (1 + F(1, 8)) for answer in (1, 2)]
    assert found.diverges.growth == top[0] / top[1]


def test_answers_without_noise_are_told_apart_by_two_queries() -> None:
    assert tight(library.svt_5(), 1) == 4
    assert tight(library.svt_5(), 2) == inf
    # Thresholds beyond the answers are lumped exactly, however far the threshold is.
    assert tight(library.svt_5(threshold=7), 2) == inf


def test_without_a_cutoff_the_ratio_grows_with_every_query() -> None:
    ratios = [tight(library.svt_6(), k) for k in (1, 2, 3, 4)]
    assert ratios == sorted(ratios)
    assert ratios[1] < 16 < ratios[2]


def test_the_noise_of_an_answer_is_that_on_all_integers() -> None:
    """The coin against the mass of a geometric distribution with tails so far out that they are certain."""
    table = library.svt_6(counts=1, room=2, unit="1/3", threshold=0).table()
    for (answer, memory), row in table.answers.items():
        noise = faier.noise.truncated_geometric(answer, counts=80, alpha="1/3", low=-80)
        expected = sum(p for z, p in noise.items() if z >= memory[0])
        found = next((x.probability for x in row if x.symbol == "top"), F(0))
        assert found == expected
