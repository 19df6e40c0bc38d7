"""A claim as a stand-alone SMT-LIB 2.6 script, for any solver and for reading."""

from __future__ import annotations

import json
from collections.abc import Iterator

from faier.engine.smt.query import FORWARD, Encoding, Query, build
from faier.engine.smt.unrolled import pair_name
from faier.number.budget import Budget
from faier.scenario.scenario import Scenario

from .formula import require_written

_BITS = 128


def to_smtlib(scenario: Scenario, encoding: Encoding = "linear") -> str:
    """Return a script that is satisfiable exactly when the claim at its finite horizon is violated.

    Where the claim's ratio is irrational the script bounds it from below, and says so: then "unsat" still
    proves the claim, and a word that "sat" gives has to be compared with the ratio itself.
    """
    require_written(scenario)
    query = build(scenario, encoding=encoding, bits=_BITS)
    lines = [f"; {line}".rstrip() for line in _explained(query)]
    lines += ["(set-info :smt-lib-version 2.6)", "(set-info :source |written by faier|)"]
    lines += ["(set-option :produce-models true)", f"(set-logic {query.logic})", *query.commands]
    lines += ["(check-sat)", f"(get-value ({' '.join(query.asked)}))", "(exit)"]
    return "\n".join(lines) + "\n"


def _explained(query: Query) -> Iterator[str]:
    """What the script asks and what its variables mean; names are quoted as JSON: none ends a line."""
    scenario, claim = query.scenario, query.scenario.claim
    budget, model = claim.budget, scenario.model
    if scenario.title:
        yield _name(scenario.title)
    told = f"ln c = {budget.epsilon_text}" if isinstance(budget, Budget) else f"c = {budget}"
    yield f"claim: left(w) <= c * right(w), {told},"
    yield f"for words w of {query.horizon} symbols and for shorter complete runs"
    if claim.possible == "both":
        yield "(only words that both sides can produce count)"
    yield ""
    named = "the pair, the direction, the word and the parameters" if query.unknowns else ""
    yield f"sat:   the claim is violated; the values name {named or 'the pair, the direction and the word'}"
    yield f"unsat: the claim holds{', for all values of the parameters' if query.unknowns else ''}"
    if isinstance(budget, Budget) and budget.exact is None:
        yield f"c is irrational; the script uses a rational below it by a relative 2^-{_BITS} or so. So unsat"
        yield "proves the claim, but a word that sat gives may lie between the two: compare its ratio with c."
    yield ""
    for k, pair in enumerate(scenario.pairs):
        chosen = f"{pair_name(k)}: " if len(scenario.pairs) > 1 else ""
        way = ", this way round only" if pair.one_way else ""
        yield f"{chosen}left starts from {_name(pair.left.name)}, right from {_name(pair.right.name)}{way}"
    if FORWARD in query.asked:
        yield "forward: left against right; otherwise right against left"
    if query.encoding == "linear":
        yield "w<t>_<s>: symbol s stands at place t of the word"
    else:
        yield "w<t>: the symbol at place t of the word"
    yield "left<t>_<i>: probability, on the left, that state i emits symbol t of the word, after those before"
    if query.unknowns:
        yield "Denominators are cleared: such probabilities are multiplied by what is positive, and the same on both"
        yield "sides but for the factors in the last assertion."
        for name, called in zip(query.unknowns.parameters, query.unknowns.region.names, strict=True):
            yield f"{called}: the parameter {_name(name)}"
    yield ""
    yield "symbols:"
    for s, symbol in enumerate(model.symbols):
        yield f"  {s}: {_name(symbol)}"
    yield f"  {len(model.symbols)}: (none: the run ended before)"
    yield "states:"
    for i, state in enumerate(model.states):
        yield f"  {i}: {_name(state)}"
    yield f"  {len(model.states)}: (the run has ended)"


def _name(value: object) -> str:
    return json.dumps(value if isinstance(value, str) else str(value))
