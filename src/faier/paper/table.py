"""The rows: the paper's Table 1, the exact part of its section 6, what it reports of testing tools, and Theorem 1."""

from __future__ import annotations

from fractions import Fraction as F
from functools import partial

from faier.interop.dimacs import parse, reduction

from . import questions, remarks
from .above_threshold import above_threshold
from .row import Expected, Published, Row

_TABLE, _SECTION, _TOOLS, _THEOREM = "Table 1", "Section 6", "Section 6, testing tools", "Theorem 1"
_GEOMETRIC = "Truncated 1/2-geometric"
_MAX_5 = "Noisy max of 5 queries"
_FIVE = F(288, 73)


def _five(
    name: str, epsilon: str, published: Published, part: str = _SECTION, extra: tuple[remarks.Remark, ...] = ()
) -> Row:
    holds = epsilon == "1.373"
    return Row(
        name,
        part,
        _MAX_5,
        f"{epsilon}-differential privacy",
        published,
        partial(questions.five_queries, epsilon),
        Expected("holds" if holds else "violated", _FIVE, word=None if holds else (1,)),
        extra,
    )


ROWS: tuple[Row, ...] = (
    Row(
        "hmm1", _TABLE, _GEOMETRIC, "ln 2-differential privacy (Example 1)",
        Published("holds", "< 2 s"),
        questions.neighbours_of_counts,
        Expected("holds", F(2)),
    ),
    Row(
        "hmm2", _TABLE, _GEOMETRIC, "ln 2-Pufferfish privacy, contagious disease (Example 2)",
        Published("violated", "< 2 s", "~2"),
        questions.contagious,
        Expected("violated", F(4), word=(2,)),
        (remarks.whose_symbol,),
    ),
    Row(
        "hmm4", _TABLE, _GEOMETRIC, "ln 2-Pufferfish privacy, independent disease (Example 4)",
        Published("holds", "< 2 s"),
        questions.independent_disease,
        Expected("holds", F(2), attained=False),
        (remarks.own_record_of_one,),
    ),
    Row(
        "nm1", _TABLE, "Noisy max of 3 queries", "ln 2-Pufferfish privacy, rates unknown (Example nm1)",
        Published("holds", "Z3 not within 60 min; Redlog, no time given"),
        questions.three_diseases,
        Expected("holds", F(40, 21), attained=False),
        (remarks.own_record_of_three,),
    ),
    Row(
        "nm2", _TABLE, _MAX_5, "ln 2-Pufferfish privacy, a family, one rate unknown (Example nm2)",
        Published("violated", "< 2 s", "~3; pA = pB = pC = 1/2"),
        questions.five_diseases,
        Expected("violated", F(26213471, 7193368), attained=False, word=(1,)),
        (remarks.output_three, remarks.output_one, remarks.sample_weight),
    ),
    Row(
        "at", _TABLE, "Above Threshold", "4 ln 2-differential privacy, 5 queries (11 symbols)",
        Published("violated", "< 2 s", "_ 01 bot 12 bot 12 bot 12 bot 21 top"),
        partial(above_threshold, 11),
        Expected("violated", F(32), word=("_", *("12", "bot") * 4, "10", "top")),
        (remarks.not_the_worst, remarks.doubled_by_each_query, remarks.both_possible),
    ),
    _five("six-holds", "1.373", Published("holds", "523 s"), extra=(remarks.each_answer_moves,)),
    _five("six-broken", "1.372", Published("violated", "234 s", "[0,2,2,2,2] and [1,1,1,1,1], output 1")),
    _five("six-far", "1.34", Published("violated", "40 s")),
    _five("statdp-1", "1.344", Published("holds", "about 600 s for a search", by="StatDP, first run"), _TOOLS),
    _five("statdp-2", "1.353", Published("violated", "about 600 s for a search", by="StatDP, second run"), _TOOLS),
    _five(
        "sniper", "1.371",
        Published("violated", "about 4600 s", "[0,2,2,2,2] and [1,1,1,1,1]", by="DP-Sniper"), _TOOLS,
    ),
    Row(
        "theorem-1", _THEOREM, "The reduction of a formula of 2 clauses that can be satisfied",
        "ln 4-privacy, which is to be broken exactly where the formula can be satisfied",
        Published("violated", "a proof"),
        lambda: reduction(parse("p cnf 1 2\n1 0\n1 0\n")).claiming(ratio=4),
        Expected("holds", F(4)),
        (remarks.separating_ratios,),
    ),
)  # fmt: skip

BY_NAME = {row.name: row for row in ROWS}
