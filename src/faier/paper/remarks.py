"""Where the paper's text or tables differ from what exact computation shows; each remark computes what it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf

from faier.api import epsilon, region, verify
from faier.definition import forward
from faier.families import Divergence
from faier.model.hmm import Word
from faier.number.exact import Extended, prob
from faier.report.text import decimal
from faier.scenario.scenario import Pair, Scenario
from faier.verdict import Holds, Verdict, Violated, Witness

from . import questions
from .above_threshold import above_threshold

ODD_LENGTHS = (3, 5, 7, 9, 11)
COUNTEREXAMPLE: Word = ("_", "01", "bot", "12", "bot", "12", "bot", "12", "bot", "21", "top")
"""The paper's word for Above Threshold, of 11 symbols."""


@dataclass(frozen=True)
class Remarked:
    """A remark, with the numbers that were found, and whether it is true."""

    text: str
    true: bool


Remark = Callable[[], Remarked]


def whose_symbol() -> Remarked:
    scenario = questions.contagious()
    (pair,) = scenario.pairs
    words = {}
    for one, two in ((pair.left, pair.right), (pair.right, pair.left)):
        verdict = verify(replace(scenario, pairs=(Pair(one, two, one_way=True),)))
        witness = witness_of(verdict)
        words[one.name] = () if witness is None else witness.word
    text = (
        "The paper's witness ~2 belongs to the pair (ill, well); for (well, ill), which its text computes, it is "
        f"~{words['John is well'][0]}."
    )
    return Remarked(text, words == {"John is ill": (2,), "John is well": (0,)})


def own_record_of_one() -> Remarked:
    stated = '"somebody is ill" against the prior'
    return _own_record(questions.independent_disease(own_record=True), stated, Fraction(2))


def own_record_of_three() -> Remarked:
    stated = '"at least one has A" against "at most one has A"'
    return _own_record(questions.three_diseases(own_record=True), stated, Fraction(40, 21))


def _own_record(scenario: Scenario, stated: str, expected: Fraction) -> Remarked:
    """The secret that the text names is John's own record; the distributions that it states are others."""
    verdict, tight = verify(scenario), epsilon(scenario)
    same = isinstance(verdict, Holds) and tight.ratio.upper == expected
    text = (
        f"The paper states the distributions of {stated}. With John's own record, which is the secret that it names, "
        f"the verdict is the same, and so is the tight ratio {_text(tight.ratio.upper)}."
    )
    return Remarked(text, same)


def output_three() -> Remarked:
    scenario = questions.five_diseases(released=3)
    verdict, tight = verify(scenario), epsilon(scenario)
    text = (
        "Table 1 gives ~3 as the witness, at pA = pB = pC = 1/2. There is no such parameter, and output 3 breaks "
        f"nothing: whether it is released keeps the ratio {_text(tight.ratio.upper)} (about "
        f"{decimal(tight.ratio.upper, 5)}) for every p2."
    )
    return Remarked(text, isinstance(verdict, Holds))


def output_one() -> Remarked:
    scenario = questions.five_diseases()
    witness = witness_of(verify(scenario.fixing({"p2": "1/2"})))
    everywhere = region(questions.five_diseases(released=1), "p2").areas["unsafe"]
    found = Fraction(0) if witness is None else witness.ratio
    text = (
        f"The text's p2 = 1/2 is a witness, with output 1: ratio {found} (about {decimal(found, 5)}). So is every "
        "other p2: the values that break ln 2 are the whole of its range."
    )
    return Remarked(text, witness is not None and witness.word == (1,) and everywhere == 1)


def sample_weight() -> Remarked:
    scenario = questions.five_diseases()
    weight = next(b for b in scenario.compared_beliefs() if b.name == "John is ill").weights[2, 1, 1, 1, 0]
    stated = prob("p2*(1-p2) * (3/10)*(7/10) * (4/10)*(6/10) * (1/2)^2")
    factor = weight / stated
    text = (
        "The weight that the paper gives for state 21110 lacks a factor 2 for each of the three counts of 1: the exact "
        f"weight is {_text(factor)} times as large."
    )
    return Remarked(text, factor == 8)


def not_the_worst() -> Remarked:
    ratio, tight = _largest(above_threshold(11), COUNTEREXAMPLE), epsilon(above_threshold(11)).ratio.upper
    text = (
        f"The paper's counterexample is right: its ratio is {_text(ratio)} > 16. The worst word of its length has the "
        f"ratio {_text(tight)}."
    )
    return Remarked(text, ratio == 20 and tight == 32)


def doubled_by_each_query() -> Remarked:
    ratios = [epsilon(above_threshold(n)).ratio.upper for n in ODD_LENGTHS]
    forever = epsilon(above_threshold(11).claiming(horizon="any"))
    growth = forever.diverges.growth if isinstance(forever.diverges, Divergence) else None
    text = (
        f"With 1 to {len(ratios)} queries the tight ratio is {', '.join(map(_text, ratios))}: it doubles with every "
        f"query, where the paper's family grows like 16/11 2^n. That no epsilon exists at all is proved by the words "
        f"_ (12 bot)^n 12, of growth {growth}."
    )
    return Remarked(text, ratios == [2**q for q in range(1, 6)] and growth == 2)


def both_possible() -> Remarked:
    tight = epsilon(above_threshold(2).claiming(possible="either"))
    text = (
        "The paper counts only words that both sides can produce, without saying so. Otherwise a synchronising symbol "
        f"of one side alone has the ratio {_text(tight.ratio.upper)} at length 2. Nor does it say what follows top; "
        "here the run ends."
    )
    return Remarked(text, tight.ratio.upper == inf)


def each_answer_moves() -> Remarked:
    tight = epsilon(questions.five_queries(moves="one"))
    text = (
        "Neighbours are data sets of which every answer may differ by 1. Where only one may, the tight ratio is "
        f"{_text(tight.ratio.upper)}, and ln 2 holds."
    )
    return Remarked(text, tight.ratio.upper == Fraction(1312, 657))


def separating_ratios() -> Remarked:
    from faier.interop.dimacs import parse, reduction

    satisfiable, not_so = (reduction(parse(f"p cnf 1 2\n1 0\n{second} 0\n")) for second in (1, -1))
    at_four = [verify(scenario, ratio=4) for scenario in (satisfiable, not_so)]
    at_three = [verify(scenario, ratio=3) for scenario in (satisfiable, not_so)]
    text = (
        "At epsilon = ln 4 the formula's privacy question has the answer yes whether or not the formula can be "
        "satisfied. At the ratio 3 the two are told apart, as at every ratio from (8m-3)/(2m+3) up to but not "
        "including 4, for m clauses."
    )
    parted = [type(verdict) for verdict in at_three] == [Violated, Holds]
    return Remarked(text, parted and all(isinstance(verdict, Holds) for verdict in at_four))


def witness_of(verdict: Verdict) -> Witness | None:
    """The word that breaks a claim without a delta."""
    found = verdict.witness if isinstance(verdict, Violated) else None
    return found if isinstance(found, Witness) else None


def _largest(scenario: Scenario, word: Word) -> Extended:
    """The largest ratio of a word over all pairs, either way round, of those that both sides can produce."""
    found: list[Fraction] = []
    for pair in scenario.pairs:
        sides = [forward(scenario.model, dict(belief.weights), word) for belief in (pair.left, pair.right)]  # type: ignore[arg-type]
        left, right = (sum(row.values(), Fraction(0)) for row in sides)
        if left and right:
            found += [left / right, right / left]
    return max(found)


def _text(value: object) -> str:
    return "infinity" if value == inf else str(value)
