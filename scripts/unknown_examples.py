"""The example files with unknown parameters; `make_examples.py` writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

from example_file import File, Rows
from noise import HALF, Row, first_of_ties, noisy_distribution, spelt, uniform_ties

Makers = dict[str, Callable[[], File]]
VIOLATED = "expect: violated, shortest witness 1"

GEOMETRIC: Rows = {str(count): {f"~{z}": p for z, p in enumerate(row)} for count, row in enumerate(HALF)}


def makers() -> Makers:
    return {
        **_independent(),
        **_noisy_max(),
        **_family(),
        **_noise_level(),
        **_chain(),
        **_exponential(),
        **_any_prior(),
        **_touching(),
    }


def twin(file: File, header: Sequence[str], name: str, fault: str, **changes: object) -> File:
    """The file with a fault, and what is then expected of it."""
    source = next(line for line in file.header if line.startswith("source: "))
    header = [*header, source, f"twin of: {name}.toml; fault: {fault}"]
    return replace(file, header=header, **changes)  # type: ignore[arg-type]


# Two people who fall ill independently at rate p: how many do, with John's own record or with the paper's condition.
COUNT = ("(1 - {p})^2", "2*{p}*(1 - {p})", "{p}^2")
JOHN_ILL = ("0", "1 - {p}", "{p}")
JOHN_WELL = ("1 - {p}", "{p}", "0")
SOME_ILL = ("0", "2*{p}*(1 - {p}) / (1 - (1 - {p})^2)", "{p}^2 / (1 - (1 - {p})^2)")
SOME_WELL = ("(1 - {p})^2 / (1 - {p}^2)", "2*{p}*(1 - {p}) / (1 - {p}^2)", "0")
BOTH_ILL, NOBODY_ILL = ("0", "0", "1"), ("1", "0", "0")


def _independent() -> Makers:
    stated = File(
        [
            "expect: holds",
            "tight: 2",
            "attained: no, approached as p -> 0",
            "source: paper, section 4, Example 4 as stated there; left: the count is not 0",
        ],
        "Truncated 1/2-geometric mechanism, independent disease at an unknown rate",
        GEOMETRIC,
        {"epsilon": "ln 2", "horizon": 1},
        [("John is ill", "prior")],
        beliefs={"John is ill": _counts("p", SOME_ILL), "prior": _counts("p", COUNT)},
        parameters={"p": "0 < p < 1"},
    )
    own = replace(
        stated,
        header=[
            "expect: holds",
            "tight: 2",
            "attained: p = 1/2",
            "source: paper, section 4, Example 4, with what John's own record says of the count",
        ],
        compare=[("John is ill", "John is well")],
        beliefs={"John is ill": _counts("p", JOHN_ILL), "John is well": _counts("p", JOHN_WELL)},
    )
    return {
        "independent_unknown.toml": lambda: stated,
        "independent_unknown_faulty.toml": lambda: twin(
            stated,
            [VIOLATED, "tight: 4", "attained: no, approached as p -> 0", "broken: p = 1/3"],
            "independent_unknown",
            "everybody falls ill with John",
            beliefs={**stated.beliefs, "John is ill": _counts("p", BOTH_ILL)},
        ),
        "independent_unknown_own.toml": lambda: own,
        "independent_unknown_own_faulty.toml": lambda: twin(
            own,
            [VIOLATED, "tight: 10/3", "attained: no, approached as p -> 1", "broken: p = 1/2"],
            "independent_unknown_own",
            "the row of 2 is not the mirror image of the row of 0",
            emit={**GEOMETRIC, "2": {"~0": "1/10", "~1": "1/5", "~2": "7/10"}},
        ),
    }


def _counts(rate: str, forms: Sequence[str]) -> Mapping[str, str]:
    return {str(k): form.format(p=rate) for k, form in enumerate(forms) if form != "0"}


def noisy_max(count: int, tie: Row) -> Rows:
    return {spelt(v): noisy_distribution(v, tie, [HALF] * count) for v in product(range(3), repeat=count)}


def prior(rates: Sequence[str], first: Sequence[str]) -> Mapping[str, str]:
    """All counts: the first by its own law, the others of two people each at its rate."""
    found = {}
    for v in product(range(3), repeat=len(rates)):
        laws = [first, *([COUNT] * (len(rates) - 1))]
        factors = [law[k].format(p=rate) for law, k, rate in zip(laws, v, rates, strict=True)]
        if "0" not in factors:
            found[spelt(v)] = " * ".join(f"({f})" if "/" in f or " - " in f else f for f in factors)
    return found


def _noisy_max() -> Makers:
    rates = ("pA", "pB", "pC")
    corner = "attained: no, approached as pA -> 0, pB -> 1, pC -> 1"
    stated = File(
        [
            "expect: holds",
            "tight: 40/21",
            corner,
            "source: paper, section 6.2, first example (nm1) as stated there: the count is not 0, or not 2",
        ],
        "Noisy max of 3 independent diseases at unknown rates",
        noisy_max(3, uniform_ties),
        {"epsilon": "ln 2", "horizon": 1},
        [("ill", "well")],
        beliefs={"ill": prior(rates, SOME_ILL), "well": prior(rates, SOME_WELL)},
        parameters={rate: f"0 < {rate} < 1" for rate in rates},
    )
    own = replace(
        stated,
        header=[
            "expect: holds",
            "tight: 40/21",
            corner,
            "source: paper, section 6.2, first example (nm1), with what John's own record says of the count",
        ],
        claim={"ratio": "40/21", "horizon": 1},
        beliefs={"ill": prior(rates, JOHN_ILL), "well": prior(rates, JOHN_WELL)},
    )
    equal = replace(
        stated,
        header=[
            "expect: holds",
            "tight: 9/5",
            "attained: no, approached as p -> 1",
            "source: paper, Table 1, which says of nm2 what can only be meant of nm1: p_A = p_B = p_C",
        ],
        title="Noisy max of 3 independent diseases at one unknown rate",
        beliefs={"ill": prior(("p",) * 3, SOME_ILL), "well": prior(("p",) * 3, SOME_WELL)},
        parameters={"p": "0 < p < 1"},
    )
    together = "both fall ill with John"
    return {
        "noisy_max_rates.toml": lambda: stated,
        "noisy_max_rates_faulty.toml": lambda: twin(
            stated,
            [VIOLATED, "tight: 24/7", "attained: no, approached as pB -> 1, pC -> 1", "broken: pB = 1/2, pC = 1/2"],
            "noisy_max_rates",
            together,
            parameters={rate: f"0 < {rate} < 1" for rate in rates[1:]},
            beliefs={"ill": prior(rates, BOTH_ILL), "well": prior(rates, NOBODY_ILL)},
        ),
        "noisy_max_rates_own.toml": lambda: own,
        "noisy_max_rates_own_faulty.toml": lambda: twin(
            own,
            [
                VIOLATED,
                "tight: 2",
                "attained: no, approached as pA -> 1, pB -> 0, pC -> 0",
                "kept: pA = 1/100, pB = 99/100, pC = 99/100",
                "broken: pA = 99/100, pB = 1/100, pC = 1/2",
            ],
            "noisy_max_rates_own",
            "ties go to the first index",
            emit=noisy_max(3, first_of_ties),
        ),
        "noisy_max_equal_rates.toml": lambda: equal,
        "noisy_max_equal_rates_faulty.toml": lambda: twin(
            equal,
            [VIOLATED, "tight: 24/7", "attained: no, approached as p -> 1", "broken: p = 1/100, p = 1/2, p = 99/100"],
            "noisy_max_equal_rates",
            together,
            beliefs={"ill": prior(("p",) * 3, BOTH_ILL), "well": prior(("p",) * 3, NOBODY_ILL)},
        ),
    }


def _family() -> Makers:
    rates = ("0", "p2", "0.3", "0.4", "0.5")
    tight = "26213471/7193368"
    file = File(
        [
            "expect: holds",
            f"tight: {tight}",
            "attained: no, approached as p2 -> 1",
            "source: paper, section 6.2, second example (nm2), with its binomial factors",
        ],
        "Noisy max of 5 diseases in a family of two, one rate unknown",
        noisy_max(5, uniform_ties),
        {"ratio": tight, "horizon": 1},
        [("John is ill", "John is well")],
        beliefs={"John is ill": prior(rates, BOTH_ILL), "John is well": prior(rates, NOBODY_ILL)},
        parameters={"p2": "0 < p2 < 1"},
    )
    both = [VIOLATED, *file.header[1:3]]
    name = "noisy_max_family_unknown"
    return {
        f"{name}.toml": lambda: file,
        f"{name}_ln2.toml": lambda: twin(
            file,
            [*both, "broken: p2 = 1/1000, p2 = 1/2, p2 = 999/1000"],
            name,
            "the budget is meant for independent infections",
            claim={"epsilon": "ln 2", "horizon": 1},
        ),
        f"{name}_17_5.toml": lambda: twin(
            file,
            [*both, "kept: p2 = 1/3", "broken: p2 = 1/2"],
            name,
            "the budget counts on a second disease that is rare",
            claim={"ratio": "17/5", "horizon": 1},
        ),
    }


def geometric(top: int, alpha: str = "alpha") -> Rows:
    """The truncated geometric mechanism over 0 to `top`, its noise unknown."""
    rows = {}
    for count in range(top + 1):
        weights = {}
        for z in range(top + 1):
            far = abs(count - z)
            power = "1" if far == 0 else alpha if far == 1 else f"{alpha}^{far}"
            weights[f"~{z}"] = f"{power} / (1 + {alpha})" if z in (0, top) else f"(1 - {alpha})*{power} / (1 + {alpha})"
        rows[str(count)] = weights
    return rows


def _noise_level() -> Makers:
    def neighbours(top: int) -> File:
        return File(
            [
                "expect: holds",
                "tight: infinity",
                "attained: no, approached as alpha -> 0",
                f"source: paper, section 4, the truncated geometric mechanism, on 0 to {top}, for every alpha at once",
            ],
            "Truncated geometric mechanism, its noise unknown",
            geometric(top),
            {"ratio": "1/alpha", "horizon": 1},
            [(str(k), str(k + 1)) for k in range(top)],
            parameters={"alpha": "0 < alpha < 1"},
        )

    def faulty(top: int, name: str) -> File:
        return twin(
            neighbours(top),
            [VIOLATED, "tight: infinity", "attained: no, approached as alpha -> 0", "broken: alpha = 1/2"],
            name,
            "the budget is the mean of 1/alpha and 1",
            claim={"ratio": "(1/alpha + 1)/2", "horizon": 1},
        )

    groups = replace(
        neighbours(2),
        header=[
            "expect: holds",
            "tight: infinity",
            "attained: no, approached as alpha -> 0",
            "source: paper, section 4, Example 2: either nobody or both fall ill, for every alpha at once",
        ],
        title="Truncated geometric mechanism of unknown noise, contagious disease",
        claim={"ratio": "1/alpha^2", "horizon": 1},
        compare=[("sick", "well")],
        beliefs={"sick": {"2": "1"}, "well": {"0": "1"}},
    )
    enough = replace(
        groups,
        header=[
            "expect: holds",
            "tight: 10000/5041",
            "attained: alpha = 71/100",
            "source: paper, section 4, Example 2: ln 2 takes noise of at least 1/sqrt(2)",
        ],
        claim={"epsilon": "ln 2", "horizon": 1},
        parameters={"alpha": "71/100 <= alpha < 1"},
    )
    return {
        "truncated_geometric_unknown.toml": lambda: neighbours(2),
        "truncated_geometric_unknown_faulty.toml": lambda: faulty(2, "truncated_geometric_unknown"),
        "truncated_geometric_unknown_10.toml": lambda: neighbours(10),
        "truncated_geometric_unknown_10_faulty.toml": lambda: faulty(10, "truncated_geometric_unknown_10"),
        "contagious_unknown.toml": lambda: groups,
        "contagious_unknown_faulty.toml": lambda: twin(
            groups,
            [
                VIOLATED,
                "tight: infinity",
                "attained: no, approached as alpha -> 0",
                "broken: alpha = 1/2",
                "kept: alpha = 3/4",
            ],
            "contagious_unknown",
            "the budget counts one person although both fall ill together",
            claim={"epsilon": "ln 2", "horizon": 1},
        ),
        "contagious_noise.toml": lambda: enough,
        "contagious_noise_faulty.toml": lambda: twin(
            enough,
            [VIOLATED, "tight: 100/49", "attained: alpha = 7/10", "kept: alpha = 71/100"],
            "contagious_noise",
            "the least noise is rounded down",
            parameters={"alpha": "7/10 <= alpha < 1"},
        ),
    }


def _chain() -> Makers:
    def chain(horizon: int | str, ratio: str, header: Sequence[str]) -> File:
        return File(
            [
                *header,
                "source: a two-state chain and randomised response, both with unknown flips; secret: the first state",
            ],
            "Activity with an unknown rate of change, read through randomised response",
            {"resting": {"still": "1 - f", "moving": "f"}, "walking": {"still": "f", "moving": "1 - f"}},
            {"ratio": ratio, "horizon": horizon},
            [("resting", "walking")],
            {"resting": {"resting": "1 - s", "walking": "s"}, "walking": {"resting": "s", "walking": "1 - s"}},
            parameters={"s": "1/10 <= s <= 1/2", "f": "1/4 <= f <= 1/2"},
        )

    eight = chain(8, "25801/1423", ["expect: holds", "tight: 25801/1423", "attained: s = 1/10, f = 1/4"])
    longer = "attained: no, approached by ever longer words at"
    ever = chain("any", "91/5", ["expect: holds", "tight: 18.1651513..18.1651515", f"{longer} s = 1/10, f = 1/4"])
    less = {"s": "1/10 <= s <= 1/2", "f": "1/5 <= f <= 1/2"}
    fault = "the response flips more seldom than is accounted for"
    return {
        "activity_chain_unknown_8.toml": lambda: eight,
        "activity_chain_unknown_8_faulty.toml": lambda: twin(
            eight,
            ["expect: violated, shortest witness 8", "tight: 2660990468/98049353", "attained: s = 1/10, f = 1/5"],
            "activity_chain_unknown_8",
            fault,
            parameters=less,
        ),
        "activity_chain_unknown.toml": lambda: ever,
        "activity_chain_unknown_faulty.toml": lambda: twin(
            ever,
            [
                "expect: violated, shortest witness 3",
                "tight: 27.1473..27.1474",
                f"{longer} s = 1/10, f = 1/5",
                "kept: s = 1/10, f = 1/4",
            ],
            "activity_chain_unknown",
            fault,
            parameters=less,
        ),
    }


def _exponential() -> Makers:
    def at(alpha: str, header: Sequence[str]) -> File:
        rows = geometric(2, f"exp({alpha})")
        return File(
            [*header, "source: the truncated geometric mechanism with the noise that epsilon = 1/2 asks for, e^(-1/2)"],
            "Truncated geometric mechanism for epsilon 1/2",
            rows,
            {"epsilon": "1/2", "horizon": 1},
            [("0", "1"), ("1", "2")],
        )

    good = at("-1/2", ["expect: holds", "tight: exp(1/2)"])
    return {
        "geometric_exp.toml": lambda: good,
        "geometric_exp_faulty.toml": lambda: twin(
            good,
            [VIOLATED, "tight: exp(501/1000)"],
            "geometric_exp",
            "the noise is rounded, e^(-0.501)",
            emit=at("-501/1000", []).emit,
        ),
    }


def _any_prior() -> Makers:
    file = File(
        [
            "expect: holds",
            "tight: 4",
            "attained: no, approached as p0 -> 1/2, p1 -> 0, p2 -> 1/2",
            "source: paper, section 4, hidden Example 4.7: any prior p0, p1, p2 on the counts, against each other",
        ],
        "Truncated 1/2-geometric mechanism, any prior of the count",
        GEOMETRIC,
        {"ratio": "4", "horizon": 1},
        [("John is ill", "John is well")],
        beliefs={
            "John is ill": {"1": "p1 / (p1 + p2)", "2": "p2 / (p1 + p2)"},
            "John is well": {"0": "p0 / (p0 + p1)", "1": "p1 / (p0 + p1)"},
        },
        parameters={name: f"0 < {name} < 1" for name in ("p0", "p1", "p2")},
        constraints=["p0 + p1 + p2 == 1"],
    )
    return {
        "any_prior.toml": lambda: file,
        "any_prior_faulty.toml": lambda: twin(
            file,
            [
                VIOLATED,
                *file.header[1:3],
                "kept: p0 = 1/4, p1 = 1/2, p2 = 1/4",
                "broken: p0 = 49/100, p1 = 1/50, p2 = 49/100",
            ],
            "any_prior",
            "the budget of independent people, for people who are not",
            claim={"epsilon": "ln 2", "horizon": 1},
        ),
    }


def _touching() -> Makers:
    def touching(gap: str, parameters: Mapping[str, str], header: Sequence[str], more: str = "") -> File:
        left = f"1/2 - ({gap})^2/8{more}"
        return File(
            ["expect: holds", "tight: 2", *header],
            "A claim that is met with equality inside the range",
            {"left": {"a": left, "b": f"1 - ({left})"}, "right": {"a": "1/4", "b": "3/4"}},
            {"ratio": "2", "horizon": 1},
            [("left", "right")],
            parameters=parameters,
        )

    x, y = {"x": "0 <= x <= 1"}, {"y": "0 <= y <= 1"}
    found: Makers = {}

    def add(name: str, gap: str, parameters: Mapping[str, str], attained: str, tight: str, where: str) -> None:
        made = "source: made up: at ratio 2 the difference is a square that vanishes " + where
        good = touching(gap, parameters, [attained, made])
        bad = touching(gap, parameters, [], " + 1/10^6")
        found[f"{name}.toml"] = lambda: good
        found[f"{name}_faulty.toml"] = lambda: twin(
            good, [VIOLATED, tight, attained], name, "the left is larger by 10^-6", emit=bad.emit
        )

    above = f"tight: {4 * (Fraction(1, 2) + Fraction(1, 10**6))}"
    add("touching_inside", "x - 1/3", x, "attained: x = 1/3", above, "at x = 1/3")
    add("touching_irrational", "2*x^2 - 1", x, "attained: yes, at x = sqrt(1/2)", above, "at x = sqrt(1/2)")
    add("touching_curve", "x^2 + y^2 - 1", {**x, **y}, "attained: x = 3/5, y = 4/5", above, "on a circle")
    return found
