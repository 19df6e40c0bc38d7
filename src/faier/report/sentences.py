"""Results as one clear sentence each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import assert_never

from faier.families import Divergence, Family, WordsLimit
from faier.model.hmm import Word
from faier.number.budget import Budget
from faier.number.exact import Extended, Prob
from faier.number.power import as_budget
from faier.number.rational_function import RationalFunction
from faier.scenario.scenario import Claim, Scenario
from faier.trace import Trace
from faier.verdict import (
    Bounds,
    Event,
    Holds,
    LeftOut,
    Tight,
    Unknown,
    ValuesLimit,
    Verdict,
    Violated,
    Witness,
)

from .event import event_text, mass_text
from .rounding import log_above, log_below
from .text import bound_above, bound_below, decimal, name_text, short, word_text
from .values import all_values_text, approach_text, number_at, solver_steps, values_text


def verdict_sentence(verdict: Verdict) -> str:
    """The verdict in one line that starts with "holds", "violated" or "unknown"."""
    claim = verdict.claim
    match verdict:
        case Holds():
            if claim.delta:
                return f"holds: {_delta_claim(claim)}, {horizon_text(claim)}"
            which = "every word" if claim.possible == "either" else "every word that both sides can produce"
            said = f"holds: {which} keeps the ratio {claim_text(claim)}, {horizon_text(claim)}"
            said += _for(verdict.scenario) + resting_on(verdict.trace)
            return said + _left_out_text(verdict.left_out)
        case Violated(witness=witness):
            if isinstance(witness, Event):
                shown = mass_text(witness.delta)
                return f"violated: {event_text(witness)}: delta {shown} > {short(claim.delta)} at {_at(claim)}"
            broken = _broken_text(verdict.scenario, witness)
            return f"violated: {witness_text(witness)}, ratio {short(witness.ratio)} > {broken}"
        case Unknown():
            if claim.delta:
                between = _between(verdict.bounds).removeprefix("lies ").removeprefix("is ")
                return (
                    f"unknown: {verdict.reason}; delta at {_at(claim)} is {between}, "
                    f"the claim is {short(claim.delta)}, {horizon_text(claim)}"
                )
            return (
                f"unknown: {verdict.reason}; the tight ratio {_between(verdict.bounds)}, "
                f"the claim is {claim_text(claim)}, {horizon_text(claim)}{_for(verdict.scenario)}"
            )
        case _:
            assert_never(verdict)


def tight_sentence(tight: Tight) -> str:
    """The tight epsilon in one line that starts with "epsilon"."""
    horizon = horizon_text(tight.scenario.claim)
    if values := all_values_text(tight.scenario):
        horizon += f", over {values}"
    if tight.left_out and all(entry.nothing_counts for entry in tight.left_out):
        return f"epsilon: no word counts, {horizon}: both sides can produce none of them"
    if not tight.exact:
        low, high = log_below(tight.ratio.lower), log_above(tight.ratio.upper)
        said = f"epsilon lies between {bound_below(low)} and {bound_above(high)}, {horizon}: "
        said += f"the ratio {_between(tight.ratio)}"
        if isinstance(tight.limit, WordsLimit):
            said += f", the lower end approached by {family_text(tight.limit)}"
        elif tight.limit is not None:
            said += f", the lower end approached as {approach_text(tight.limit, tight.scenario)}"
    else:
        said = f"epsilon is {_logarithm(tight.ratio.lower)}, {horizon}"
        if tight.witness is not None and tight.attained:
            said += f": {witness_text(tight.witness)}, ratio {short(tight.witness.ratio)}"
        elif tight.diverges is not None:
            said += f": {divergence_text(tight)}"
        elif isinstance(tight.limit, WordsLimit):
            said += f": {_sides(tight.limit)}: approached, not reached, by {family_text(tight.limit)}"
        elif tight.limit is not None:
            said += f": {limit_text(tight.limit, tight.scenario)}"
        elif tight.ratio.lower == math.inf:
            said += "; the ratios of longer and longer words grow without bound"
        elif tight.ratio.lower != 0:
            said += "; words come as close as one likes, and none reaches it"
    if not tight.complete:
        said += f"; stopped before the tolerance was reached: {tight.reason}"
    return said + resting_on(tight.trace) + _left_out_text(tight.left_out)


def witness_text(witness: Witness) -> str:
    """Who is told apart, at which values, by which word, and how likely it is on each side."""
    at = f" at {values_text(witness.parameters)}" if witness.parameters else ""
    return (
        f"{name_text(witness.left)} against {name_text(witness.right)}{at}: "
        f"{_reading(witness.word, witness.ended)}, "
        f"{short(witness.left_probability)} against {short(witness.right_probability)}"
    )


def limit_text(limit: ValuesLimit, scenario: Scenario) -> str:
    """Which word comes as close as one likes, and what values do that."""
    how = "the ratio grows without bound" if limit.ratio == math.inf else "approached, not reached,"
    return (
        f"{name_text(limit.left)} against {name_text(limit.right)}: {_reading(limit.word, limit.ended)}, "
        f"{how} as {approach_text(limit, scenario)}"
    )


def divergence_text(tight: Tight) -> str:
    """For every n a word, how its ratio grows, and the first that breaks the claim."""
    found = tight.diverges
    assert found is not None
    said = (
        f"{_sides(found)}: for every n, {family_text(found)}; the ratio grows at least like {_growth(found)}; "
        "no epsilon exists"
    )
    if (witness := tight.witness) is not None:
        times = (len(witness.word) - len(found.prefix) - len(found.suffix)) // len(found.loop)
        said += f"; n = {times} is the first to break {claim_text(tight.scenario.claim)}, ratio {short(witness.ratio)}"
    return said


def family_text(family: Family) -> str:
    """The words u v^n z: "the words _ (12 bot)^n 12"."""
    parts = [word_text(family.prefix)] if family.prefix else []
    parts.append(f"({word_text(family.loop)})^n")
    parts += [word_text(family.suffix)] if family.suffix else []
    return f"the {'complete runs' if family.ended else 'words'} {' '.join(parts)}"


def _growth(found: Divergence) -> str:
    """How the ratio grows with n: "2^n", or where both sides gain alike, "n"."""
    factors = [f"{_base(found.growth)}^n"] if found.growth != 1 else []
    factors += ["n" if found.power == 1 else f"n^{found.power}"] if found.power else []
    return " ".join(factors)


def _base(growth: Fraction) -> str:
    """A number that a power follows."""
    text = short(growth)
    return text if growth.denominator == 1 and " " not in text else f"({text})"


def _sides(family: Family) -> str:
    return f"{name_text(family.left)} against {name_text(family.right)}"


def _reading(word: Word, ended: bool) -> str:
    return f"on the complete run {word_text(word)}" if ended else f"after {word_text(word)}"


def claim_text(claim: Claim) -> str:
    """The claimed ratio with its epsilon: "2 (epsilon ln(2))"."""
    if claim.budget is None:
        return "(no budget)"
    if not isinstance(claim.budget, Budget):
        return f"{short(claim.budget)} (epsilon ln({short(claim.budget)}))"
    epsilon = claim.budget.epsilon_text
    exact = claim.budget.exact
    if exact is None:
        return f"{claim.budget.ratio_text or f'exp({epsilon})'} (epsilon {epsilon})"
    ratio = short(exact)
    return f"{ratio} (epsilon {epsilon if len(epsilon) <= 40 else f'ln({ratio})'})"


def _delta_claim(claim: Claim) -> str:
    return f"no event exceeds {_at(claim)} by more than delta {short(claim.delta)}"


def _at(claim: Claim) -> str:
    return f"the ratio {claim_text(claim)}"


def _broken_text(scenario: Scenario, witness: Witness) -> str:
    """The claimed ratio; one with parameters also as the number that it is where it is broken."""
    budget = scenario.claim.budget
    if isinstance(budget, RationalFunction):
        number = number_at(budget, scenario, witness.parameters)
        if number is not None and number != budget:
            return f"{short(budget)} = {short(number)} (epsilon {_epsilon_text(number)})"
    return claim_text(scenario.claim)


def _epsilon_text(ratio: Prob) -> str:
    """The logarithm of a number: "ln(2)", "1/2", "1/2 + ln(3)"."""
    budget = as_budget(ratio) if isinstance(ratio, RationalFunction) else None
    return f"ln({short(ratio)})" if budget is None else budget.epsilon_text


def _for(scenario: Scenario) -> str:
    values = all_values_text(scenario)
    return f", for {values}" if values else ""


def resting_on(trace: Trace | None) -> str:
    """What a solver alone decided: ", resting on z3's word for 2 steps"."""
    steps = solver_steps(trace)
    if not steps:
        return ""
    words = [f"{solver}'s word for {n} step{'' if n == 1 else 's'}" for solver, n in steps.items()]
    return f", resting on {' and '.join(words)}"


def horizon_text(claim: Claim) -> str:
    if claim.horizon is None:
        return "no horizon"
    return "at every length" if claim.horizon == "any" else f"at horizon {claim.horizon}"


def left_out_text(entry: LeftOut) -> str:
    """How much one direction leaves out under possible = "both"."""
    who = f"{name_text(entry.left)} against {name_text(entry.right)}"
    much = f"{short(entry.left_probability)} of the left and {short(entry.right_probability)} of the right"
    return f"{who}: {much}" + ("; no word counts" if entry.nothing_counts else "")


def _left_out_text(left_out: Sequence[LeftOut]) -> str:
    """The worst of what was left out, so that a claim about few words is not read as one about all."""
    if not left_out:
        return ""
    if all(entry.nothing_counts for entry in left_out):
        return "; no word counts"
    worst = max(left_out, key=lambda entry: max(entry.left_probability, entry.right_probability))
    most = max(worst.left_probability, worst.right_probability)
    if most == 0:
        return ""
    names = f"{name_text(worst.left)} against {name_text(worst.right)}"
    if worst.nothing_counts:
        return f"; for {names} no word counts"
    return f"; words that only one side can produce are left out, up to probability {short(most)} ({names})"


def _logarithm(ratio: Extended | Prob) -> str:
    if isinstance(ratio, float):
        return "infinite" if ratio > 0 else "minus infinity"
    if ratio == 1:
        return "exactly 0"
    if ratio == 0:
        return "minus infinity"
    return f"exactly {_epsilon_text(ratio)}, about {decimal(log_below(ratio))}"


def _between(bounds: Bounds) -> str:
    if bounds.lower == bounds.upper:
        return f"is {short(bounds.lower)}"
    if bounds.upper == math.inf:
        return f"is at least {bound_below(bounds.lower)}, without an upper bound yet"
    return f"lies between {bound_below(bounds.lower)} and {bound_above(bounds.upper)}"
