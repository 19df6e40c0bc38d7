"""A claim with unknown parameters as input of QEPCAD B, which eliminates quantifiers by cylindrical decomposition."""

from __future__ import annotations

import textwrap

from faier.engine.smt.region import Cut
from faier.scenario.scenario import Scenario

from .formula import Formula, atom

_RELATIONS = {">": ">", ">=": ">=", "==": "=", "!=": "/="}
_WIDTH = 110
_NO_BRACKETS = str.maketrans("[]", "()")


def to_qepcad(scenario: Scenario) -> str:
    """Return a session's input, `qepcad < FILE`, that prints TRUE exactly when the claim is violated for some values.

    Where the claim's ratio is irrational, the formula bounds it from below, and says so.
    """
    formula = Formula.of(scenario)
    # The description is the one comment that there is, and ends with the first bracket.
    told = [line.translate(_NO_BRACKETS) for line in formula.explained()]
    region = [_atom(formula, cut) for cut in formula.region]
    ways = [" /\\ ".join(_atom(formula, cut) for cut in way.conditions) or "0 = 0" for way in formula.ways]
    broken = " \\/ ".join(f"[ {way} ]" for way in ways) or "0 = 1"
    quantifiers = "".join(f"(E {name})" for name in formula.variables)
    lines = ["[", *told, "]", f"({','.join(formula.variables)})", "0"]
    inside = " /\\ ".join(region)
    lines += _wrapped(f"{quantifiers}[ {inside} /\\ [ {broken} ] ].")
    lines.append("finish")
    return "\n".join(lines) + "\n"


def _atom(formula: Formula, cut: Cut) -> str:
    return atom(cut, formula.variables, " ", _RELATIONS)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
