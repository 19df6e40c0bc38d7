"""What is said of words of every length, and whether that can be true: of all short words, and of some long ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import inf
from random import Random
from typing import Any
from unittest.mock import patch

from by_paths import ratios
from by_words import tight as tight_by_words

import faier
import reference
from faier.engine.progress import Limits
from faier.engine.tree import combine
from faier.engine.tree.subsume import Subsumption
from faier.families import Family
from faier.model.toml_write import dumps
from faier.number.budget import Budget
from faier.scenario.scenario import Scenario
from faier.trace import Tree
from faier_check import check

NODES = 1500
"""Prefixes that a search may see: a limit that is the same on every machine."""
TOLERANCE = Fraction(1, 10**5)
WORDS = 400
WIDTH, LONG = 5, 25
LONGEST_BITS = 2000
"""No ratio with more digits is claimed."""
BUDGETS = (
    Budget.of_ratio(1),
    Budget.of_ratio(2),
    Budget.of_ratio(Fraction(7, 2)),
    Budget(power=Fraction(1)),
    Budget(power=Fraction(1, 3), base=Fraction(2)),
    Budget(base=Fraction(5), root=2),
)


@dataclass(frozen=True)
class Said:
    """How a question ended, and what its proofs are made of."""

    end: str
    rules: Counter[str]


def agree(seed: int, scenario: Scenario) -> Said:
    """The bounds of the tight ratio and a verdict on a claim, with certificates, beside words that were tried."""
    worst = worst_word(scenario)
    text = dumps(scenario).encode()
    with tools(seed):
        tight = faier.epsilon(scenario, tolerance=TOLERANCE)
        assert worst <= tight.ratio.upper, (seed, worst, tight)
        assert tight.ratio.lower <= tight.ratio.upper, seed
        _supported(scenario, tight, seed)
        rules = Counter(_rules(tight))
        if tight.complete:
            check(json.dumps(faier.certify(tight)).encode(), text)
        _at_finite_horizons(scenario, worst, tight, seed)
        claim = _claiming(scenario, tight, Random(seed))
        verdict = faier.verify(claim)
    rules += Counter(_rules(verdict))
    budget = claim.claim.budget
    assert isinstance(budget, Budget)
    match verdict:
        case faier.Holds():
            assert worst != inf, seed
            assert budget.compare(Fraction(worst)) <= 0, (seed, worst)
            if tight.ratio.lower != 0:
                assert tight.ratio.lower != inf, seed
                assert budget.compare(Fraction(tight.ratio.lower)) <= 0, (seed, tight)
        case faier.Violated(witness=found):
            assert found.ratio == inf or budget.compare(Fraction(found.ratio)) > 0, seed
            assert found.ratio <= tight.ratio.upper, seed
            _real(scenario, found, seed)
        case faier.Unknown(bounds=bounds):
            assert worst <= bounds.upper, (seed, worst)
    if not isinstance(verdict, faier.Unknown):
        check(json.dumps(faier.certify(verdict)).encode(), dumps(claim).encode())
    return Said(_end(tight), rules)


def _at_finite_horizons(
    scenario: Scenario, worst: Fraction | float, ever: faier.Tight, seed: int
) -> None:
    """A short horizon, exactly as brute force says; and one as long as the words that were tried, which has to lie
    between those and the bound at every length. [T5]"""
    short = 1 + seed // 10 % 3 if scenario.stream is None else 1 + seed // 10 % 2
    exact = faier.epsilon(scenario, horizon=short)
    truth = max(reference.tight(scenario, short), _by_definition(scenario, (short,)))
    assert exact.ratio.lower == exact.ratio.upper == truth, (seed, short, truth)
    if seed // 10 % 3 == 0:
        far = faier.epsilon(scenario, horizon=LONG)
        assert far.ratio.lower <= ever.ratio.upper, seed
        assert scenario.claim.possible == "both" or worst <= far.ratio.upper, (seed, worst)
        if far.complete and far.trace is not None:
            check(json.dumps(faier.certify(far)).encode(), dumps(far.scenario).encode())


@contextmanager
def tools(seed: int) -> Iterator[None]:
    """The engine under a limit that is the same everywhere; of every third question no prefix covers another alone,
    so that several have to."""
    with ExitStack() as changed:
        changed.enter_context(patch("faier.engine.Limits", partial(Limits, nodes=NODES)))
        if seed // 10 % 3 == 0:
            changed.enter_context(patch.object(Subsumption, "close", lambda self, batch: batch))
            changed.enter_context(patch.object(combine, "_AFTER", 0))
        yield


def worst_word(scenario: Scenario) -> Fraction | float:
    """The largest ratio of a counted word: of all short ones, of some long ones, and by the definition of a stream or
    a secret inside the run."""
    found: list[Fraction | float] = [_by_definition(scenario, (1, 2, 3) if scenario.stream is None else (1, 2))]
    found += [ratio for ratio, _ in _long_words(scenario)]
    return max(found)


def _by_definition(scenario: Scenario, horizons: tuple[int, ...]) -> Fraction | float:
    """Of streams and secrets inside the run, which are compiled to ordinary models; 0 of others."""
    written, both = scenario.written, scenario.claim.possible == "both"
    if written is None:
        return Fraction(0)
    if scenario.stream is not None:
        pairs = [(dict(p.left.weights), dict(p.right.weights), p.one_way) for p in written.pairs]
        return max(tight_by_words(scenario.stream, pairs, horizon, both) for horizon in horizons)
    found: list[Fraction | float] = [Fraction(0)]
    for gate in written.pairs:
        start, sides = dict(gate.start.weights), (set(gate.left), set(gate.right))
        for left, right in (sides,) if gate.one_way else (sides, sides[::-1]):
            for horizon in horizons:
                found += ratios(written.model, start, gate.at, left, right, horizon, both)
    return max(found)


def _long_words(scenario: Scenario) -> Iterator[tuple[Fraction | float, int]]:
    """All words while there are few, then those that continue the worst, exactly: (ratio, length)."""
    table = reference._table(scenario.model)
    both = scenario.claim.possible == "both"
    for pair in scenario.pairs:
        for sides in ((pair.left, pair.right),) if pair.one_way else ((pair.left, pair.right), (pair.right, pair.left)):
            open_words: list[tuple[Any, Any]] = [tuple(_integers(sides))]
            for length in range(1, LONG + 1):
                following = []
                for left, right in open_words:
                    for letter in table.values():
                        one, two = reference._after(left, letter), reference._after(right, letter)
                        if (one and two) or ((one or two) and not both):
                            following.append((one, two))
                for one, two in following:
                    for a, b in (
                        (sum(one.values()), sum(two.values())),
                        (one.get(reference.DONE, 0), two.get(reference.DONE, 0)),
                    ):
                        if (a and b) or (a and not both):
                            yield reference._ratio(a, b), length
                if len(following) * len(table) > WORDS:
                    following.sort(key=lambda rows: reference._ratio(sum(rows[0].values()), sum(rows[1].values())))
                    following = following[-WIDTH:]
                open_words = following


def _integers(sides: tuple[faier.Belief, faier.Belief]) -> Iterator[dict[object, int]]:
    import math

    scale = math.lcm(*(w.denominator for side in sides for w in side.weights.values()))
    for side in sides:
        yield {s: int(w * scale) for s, w in side.weights.items()}


def _supported(scenario: Scenario, tight: faier.Tight, seed: int) -> None:
    """The lower bound is that of a word, or of a family of words, that is there."""
    if tight.diverges is not None:
        assert tight.ratio.lower == inf, seed
        few, many = (_of_family(scenario, tight.diverges, n) for n in (4, 40))
        assert many > few or many > 10**6, (seed, few, many)
    elif tight.limit is not None:
        assert tight.ratio.lower == tight.limit.ratio, seed
        # What the loop gains may come late, after a long prefix that told of something else.
        away = (abs(_of_family(scenario, tight.limit, n) - tight.limit.ratio) for n in (64, 1024, 4096))
        assert any(gap < tight.limit.ratio / 50 for gap in away), seed
    elif tight.witness is not None:
        assert tight.witness.ratio == tight.ratio.lower, seed
        _real(scenario, tight.witness, seed)
    else:
        assert tight.ratio.lower == 0, seed


def _of_family(scenario: Scenario, family: Family, times: int) -> Fraction | float:
    pair = scenario.pairs[family.pair]
    sides = (pair.left, pair.right) if family.forward else (pair.right, pair.left)
    word = (*family.prefix, *family.loop * times, *family.suffix)
    left, right = (reference.probability(scenario.model, s.weights, word, family.ended) for s in sides)
    assert left, "a family of words that the left side cannot say"
    if scenario.claim.possible == "both":
        assert right, "a family of words that do not count"
    return left / right if right else inf


def _real(scenario: Scenario, witness: faier.Witness, seed: int) -> None:
    """The word has the probabilities that are said of it. Streams and gates are asked in words of their own."""
    if scenario.written is not None:
        return
    pair = scenario.pairs[witness.pair]
    sides = (pair.left, pair.right) if witness.forward else (pair.right, pair.left)
    assert witness.forward or not pair.one_way, seed
    said = witness.left_probability, witness.right_probability
    real = tuple(reference.probability(scenario.model, s.weights, witness.word, witness.ended) for s in sides)
    assert said == real, seed
    assert scenario.claim.possible == "either" or all(real), seed


def _claiming(scenario: Scenario, tight: faier.Tight, dice: Random) -> Scenario:
    """A claim about the bounds that were found, or any other."""
    budget = dice.choice(BUDGETS)
    lower, upper = tight.ratio.lower, tight.ratio.upper
    if _short(upper) and dice.random() < 0.4:
        budget = Budget.of_ratio(Fraction(upper) * dice.choice((1, 1 + TOLERANCE)))
    elif _short(lower) and dice.random() < 0.5:
        budget = Budget.of_ratio(Fraction(lower) * (1 - 10 * TOLERANCE))
    return replace(scenario, claim=replace(scenario.claim, budget=budget))


def _short(bound: Fraction | float) -> bool:
    return bound not in (0, inf) and max(map(int.bit_length, Fraction(bound).as_integer_ratio())) < LONGEST_BITS


def _end(tight: faier.Tight) -> str:
    if not tight.complete:
        return "open"
    if tight.diverges is not None:
        return "diverges"
    if tight.ratio.upper == inf:
        return "infinite"
    if tight.limit is not None:
        return "limit"
    return "exact" if tight.exact else "enclosed"


def _rules(result: faier.Tight | faier.Verdict) -> list[str]:
    return [step.rule for step in result.trace.steps] if isinstance(result.trace, Tree) else []
