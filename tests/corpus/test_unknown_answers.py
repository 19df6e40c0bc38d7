"""The known answers for all values of unknown parameters, one test a line, through the engine."""

from __future__ import annotations

import math
import sys
from fractions import Fraction as F
from functools import cache

import pytest
from at_values import ModelText
from headers import EXAMPLES, scenario
from noisy_max_rates import index_of_the_largest, question
from test_answers import noisy_max

import faier
import reference
from faier.trace import Boxes

sys.path.insert(0, str(EXAMPLES.parent / "scripts"))
try:
    from unknown_examples import geometric
finally:
    sys.path.pop(0)


@cache
def tight(name: str) -> faier.Tight:
    found = faier.epsilon(scenario(name))
    assert found.exact, str(found)
    return found


def approached(found: faier.Tight) -> dict[str, tuple[F, str]]:
    """Parameter -> what it tends to, and from where."""
    assert not found.attained
    assert found.limit is not None
    return {name: (value, how) for name, value, how in found.limit.approach}


def proof(verdict: faier.Verdict) -> Boxes:
    assert isinstance(verdict, faier.Holds), str(verdict)
    assert isinstance(verdict.trace, Boxes)
    assert not verdict.trace.rests_on
    return verdict.trace


def rules(trace: Boxes) -> set[str]:
    return {step.rule for step in trace.steps}


def test_example_4_as_stated() -> None:
    """Left: the count is not 0; right: the prior."""
    proof(faier.verify(scenario("independent_unknown"), epsilon="ln 2"))
    assert tight("independent_unknown").ratio.lower == 2
    assert approached(tight("independent_unknown")) == {"p": (0, "above")}


def test_example_4_with_johns_own_record() -> None:
    """Some symbol has ratio 2 at every rate."""
    proof(faier.verify(scenario("independent_unknown_own"), epsilon="ln 2"))
    found = tight("independent_unknown_own")
    assert found.ratio.lower == 2
    assert found.attained
    assert found.witness is not None
    file = ModelText(EXAMPLES / "independent_unknown_own.toml")
    for values in file.grid((7,)):
        assert reference.tight(file.at(values), 1) == 2


@pytest.mark.parametrize("name", ["noisy_max_rates", "noisy_max_rates_own"])
def test_nm1_closes_without_subdivision(name: str) -> None:
    assert "split" not in rules(proof(faier.verify(scenario(name), epsilon="ln 2")))


@pytest.mark.parametrize("name", ["noisy_max_rates", "noisy_max_rates_own"])
def test_nm1_has_supremum_40_over_21(name: str) -> None:
    assert tight(name).ratio.lower == F(40, 21)
    assert approached(tight(name)) == {"pA": (0, "above"), "pB": (1, "below"), "pC": (1, "below")}
    assert isinstance(faier.verify(scenario(name), ratio="39/21"), faier.Violated)


def test_nm1_with_one_rate_for_all() -> None:
    """The row of Table 1 with p_A = p_B = p_C; as all fall ill the first count is 2 against 1, the others are 2."""
    proof(faier.verify(scenario("noisy_max_equal_rates"), epsilon="ln 2"))
    found = tight("noisy_max_equal_rates")
    two, one = (index_of_the_largest(2, (first, 2, 2))["1"] for first in (2, 1))
    assert found.ratio.lower == two / one == F(9, 5)
    assert approached(found) == {"p": (1, "below")}


def test_every_rate_of_nm2_breaks_ln_2() -> None:
    """Output 1: left and right are quadratic in p2, and left - 2 right has positive Bernstein coefficients."""
    file = ModelText(EXAMPLES / "noisy_max_family_unknown.toml")

    def sides(p2: F) -> tuple[F, ...]:
        at = file.at({"p2": p2})
        return tuple(
            reference.probability(at.model, side.weights, ("1",)) for side in (at.pairs[0].left, at.pairs[0].right)
        )

    def gap(p2: F) -> F:
        left, right = sides(p2)
        return left - 2 * right

    start, middle, end = gap(F(0)), gap(F(1, 2)), gap(F(1))
    bernstein = (start, 2 * middle - (start + end) / 2, end)
    assert min(bernstein) > 0
    for p2 in (F(1, 7), F(2, 3)):
        powers = ((1 - p2) ** 2, 2 * p2 * (1 - p2), p2**2)
        assert gap(p2) == sum(c * power for c, power in zip(bernstein, powers, strict=True))
    for p2, ratio in ((F(0), F(25978441, 7988302)), (F(1, 2), F(372332141, 108657806))):
        assert sides(p2)[0] / sides(p2)[1] == ratio


def test_the_region_of_nm2_at_ln_2_is_unsafe_everywhere() -> None:
    found = faier.region(scenario("noisy_max_family_unknown"), "p2", epsilon="ln 2")
    assert found.areas["unsafe"] == 1


def test_nm2_has_its_supremum_as_p2_tends_to_1() -> None:
    found = tight("noisy_max_family_unknown")
    assert found.ratio.lower == F(26213471, 7193368)
    assert approached(found) == {"p2": (1, "below")}
    assert found.witness is not None
    assert found.witness.word == ("1",)


def test_nm2_at_17_over_5_is_broken_by_some_rates_and_not_by_others() -> None:
    verdict = faier.verify(scenario("noisy_max_family_unknown_17_5"))
    assert isinstance(verdict, faier.Violated)
    assert verdict.witness.parameters == {"p2": F(1, 2)}
    assert verdict.witness.ratio == F(372332141, 108657806)
    assert isinstance(faier.verify(scenario("noisy_max_family_unknown_17_5").fixing({"p2": "1/3"})), faier.Holds)


@cache
def neighbours(top: int) -> faier.Scenario:
    model = faier.HMM(emit=geometric(top), parameters={"alpha": "0 < alpha < 1"})
    return faier.Scenario.of(model, [(str(k), str(k + 1)) for k in range(top)], horizon=1)


@pytest.mark.parametrize("top", range(1, 11))
def test_the_truncated_geometric_mechanism_keeps_1_over_alpha_for_every_alpha(top: int) -> None:
    proof(faier.verify(neighbours(top), ratio="1/alpha"))


@pytest.mark.parametrize("top", range(1, 11))
def test_the_truncated_geometric_mechanism_has_1_over_alpha_exactly(top: int) -> None:
    verdict = faier.verify(neighbours(top), ratio="(1 - 1/10^6)/alpha")
    assert isinstance(verdict, faier.Violated)
    alpha = verdict.witness.parameters["alpha"]
    assert alpha == F(1, 2)
    assert verdict.witness.ratio == 1 / alpha


@pytest.mark.parametrize("exponent", ["1/2", "69/100", "501/1000", "1999/5000"])
def test_the_truncated_geometric_mechanism_with_a_power_of_e_has_exactly_that_epsilon(exponent: str) -> None:
    """However high the power of the root is that this takes: numbers are decided by their value."""
    model = faier.HMM(emit=geometric(2, f"exp(-{exponent})"))
    asked = faier.Scenario.of(model, [("0", "1"), ("1", "2")], horizon=1, epsilon=exponent)
    proof(faier.verify(asked))
    found = faier.epsilon(asked)
    assert found.exact
    assert found.attained
    assert str(found).startswith(f"epsilon is exactly {exponent}")
    assert isinstance(faier.verify(asked, epsilon=F(exponent) - F(1, 10**12)), faier.Violated)


@pytest.mark.parametrize("epsilon", ["4999/10000", "0.4999999999", "1/3", "ln(3)/3"])
def test_a_claim_just_below_a_power_of_e_is_broken_at_a_simple_value(epsilon: str) -> None:
    """Symbol ~2 has ratio e^(1/2) at every p; ~1 only comes near it, as p -> 0."""
    model = faier.HMM(emit=geometric(2, "exp(-1/2)"), parameters={"p": "0 < p < 1"})
    beliefs = {"ill": {"1": "1 - p", "2": "p"}, "well": {"0": "1 - p", "1": "p"}}
    asked = faier.Scenario.of(model, [("ill", "well")], beliefs=beliefs, horizon=1)
    proof(faier.verify(asked, epsilon="1/2"))
    proof(faier.verify(asked, epsilon="0.5000000001"))
    verdict = faier.verify(asked, epsilon=epsilon)
    assert isinstance(verdict, faier.Violated)
    assert verdict.witness.parameters == {"p": F(1, 2)}
    assert verdict.witness.word == ("~2",)


@pytest.mark.parametrize("top", range(1, 11))
def test_the_truncated_geometric_mechanism_has_no_ratio_for_all_alpha(top: int) -> None:
    found = faier.epsilon(neighbours(top))
    assert found.ratio.lower == math.inf
    assert approached(found) == {"alpha": (0, "above")}


@pytest.mark.parametrize("top", range(1, 11))
def test_the_mean_of_1_over_alpha_and_1_is_not_enough(top: int) -> None:
    verdict = faier.verify(neighbours(top), ratio="(1/alpha + 1)/2")
    assert isinstance(verdict, faier.Violated)
    alpha = verdict.witness.parameters["alpha"]
    assert alpha == F(1, 2)
    assert verdict.witness.ratio > (1 / alpha + 1) / 2


def test_a_root_of_a_parameter_in_the_ratio_is_refused_with_advice() -> None:
    with pytest.raises(faier.NumberError, match="take the root of alpha as the parameter"):
        faier.verify(neighbours(2), ratio="1/alpha^(9/10)")


def test_the_advice_about_roots_decides_the_question() -> None:
    """alpha = r^10: at ratio 1/r^9 the claim is broken, at 1/r^10 it holds."""
    model = faier.HMM(emit=geometric(2, "(r^10)"), parameters={"r": "0 < r < 1"})
    rooted = faier.Scenario.of(model, [("0", "1"), ("1", "2")], horizon=1)
    proof(faier.verify(rooted, ratio="1/r^10"))
    verdict = faier.verify(rooted, ratio="1/r^9")
    assert isinstance(verdict, faier.Violated)
    assert verdict.witness.ratio == 1 / verdict.witness.parameters["r"] ** 10


def test_the_chain_of_unknown_rates_at_horizon_8_against_a_fine_grid() -> None:
    found = tight("activity_chain_unknown_8")
    assert found.attained
    assert found.witness is not None
    assert found.witness.parameters == {"s": F(1, 10), "f": F(1, 4)}
    file = ModelText(EXAMPLES / "activity_chain_unknown_8.toml")
    on_grid = {tuple(v.values()): reference.tight(file.at(v), 8) for v in file.grid((0, 17))}
    assert len(on_grid) == 17 * 17
    assert max(on_grid.values()) == on_grid[F(1, 10), F(1, 4)] == found.ratio.lower == F(25801, 1423)
    assert sum(ratio == found.ratio.lower for ratio in on_grid.values()) == 1


def test_the_chain_of_unknown_rates_at_every_length_against_a_grid() -> None:
    """All readings are alike: ever longer words approach a supremum that is the root of a quadratic equation."""
    found = faier.epsilon(scenario("activity_chain_unknown"))
    assert found.complete
    assert not found.attained
    assert found.witness is not None
    assert found.witness.parameters == {"s": F(1, 10), "f": F(1, 4)}
    assert set(found.witness.word) in ({"still"}, {"moving"})
    lower, upper = found.ratio.lower, found.ratio.upper
    assert upper <= lower * (1 + F(1, 10**9))
    # Pr(still for ever) of both states is an eigenvector of [[.9 * .75, .1 * .75], [.1 * .25, .9 * .25]].
    # With x its quotient: (27 x + 3) / (x + 9) = x.
    excess = [x * x - 18 * x - 3 for x in (lower, upper)]
    assert excess[0] < 0 < excess[1]
    file = ModelText(EXAMPLES / "activity_chain_unknown.toml")
    for values in file.grid((0, 9)):
        assert max(reference.tight(file.at(values), n) for n in range(1, 9)) < lower


# The largest take a minute on an idle core.
SLOW = (pytest.mark.slow, pytest.mark.timeout(1800))
CASES = [
    (2, 3, F(40, 21)),
    (2, 4, F(224, 113)),
    (2, 5, F(1312, 657)),
    pytest.param(2, 6, F(7808, 3905), marks=SLOW),
    (3, 3, F(84, 43)),
    pytest.param(3, 4, F(904, 453), marks=SLOW),
    (4, 3, F(172, 87)),
    pytest.param(4, 4, F(3624, 1813), marks=SLOW),
]


@pytest.mark.parametrize(("people", "queries", "ratio"), CASES)
def test_noisy_max_with_all_rates_unknown(people: int, queries: int, ratio: F) -> None:
    asked = question(people, queries)
    found = faier.epsilon(asked)
    assert found.ratio.lower == found.ratio.upper == ratio
    corner = {f"p{i}": (1, "below") for i in range(2, queries + 1)} | {"p1": (0, "above")}
    assert approached(found) == corner
    proof(faier.verify(asked, ratio=ratio))
    assert isinstance(faier.verify(asked, ratio=ratio * F(999, 1000)), faier.Violated)


@pytest.mark.parametrize(("people", "counts"), [(2, (1, 0, 2)), (3, (3, 1, 1)), (2, (2, 1, 0, 1))])
def test_the_output_of_noisy_max_by_enumeration(people: int, counts: tuple[int, ...]) -> None:
    assert index_of_the_largest(people, counts) == noisy_max(people, counts)
