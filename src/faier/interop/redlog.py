"""A claim with unknown parameters as input of Redlog, the quantifier elimination of REDUCE."""

from __future__ import annotations

import textwrap

from faier.scenario.scenario import Scenario

from .formula import Formula, atom

_RELATIONS = {">": ">", ">=": ">=", "==": "=", "!=": "<>"}
_WIDTH = 110


def to_redlog(scenario: Scenario) -> str:
    """Return a REDUCE script whose last value is `true` exactly when the claim is violated for some values.

    One existential formula for each pair, direction and counted word that could break it: quantifiers are
    eliminated one formula at a time. Where the claim's ratio is irrational, the script bounds it from below,
    and says so.
    """
    formula = Formula.of(scenario)
    lines = [f"% {line}" for line in formula.explained()]
    lines += ["", "load_package redlog;", "rlset ofsf;", ""]
    conditions = [atom(cut, formula.variables, "*", _RELATIONS) for cut in formula.region]
    lines += _command(f"region := {' and '.join(conditions)};")
    quantified = ", ".join(formula.variables)
    for k, way in enumerate(formula.ways, 1):
        needed = [atom(cut, formula.variables, "*", _RELATIONS) for cut in way.conditions]
        lines += ["", f"% {formula.said(way)}"]
        body = " and ".join(["region", *needed])
        lines += _command(f"broken{k} := rlqe ex({{{quantified}}}, {body});")
    ways = [f"broken{k}" for k in range(1, len(formula.ways) + 1)]
    lines += ["", *_command(f"broken := rlsimpl({' or '.join(ways) or 'false'});"), "", "end;"]
    return "\n".join(lines) + "\n"


def _command(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, subsequent_indent="   ", break_long_words=False, break_on_hyphens=False)
