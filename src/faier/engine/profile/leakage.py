"""What the output says about the secret: Bayes capacity and gain exactly, mutual information enclosed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from operator import mul
from typing import TypeAlias

import flint

from faier.engine.progress import Limits, Stopped
from faier.errors import NotYetError, UsageError
from faier.exact_steps import ExactSteps
from faier.measures import Leakage
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.number.ball import ball, enclosed, log2
from faier.number.exact import common_denominator
from faier.scenario.scenario import Scenario
from faier.verdict import Between

_MOST_OUTPUTS = 200_000
_Column: TypeAlias = tuple[int, ...]
_Key: TypeAlias = tuple[tuple[tuple[int, int], ...], ...]
"""A row for each secret, together without common factor."""


def leakage(scenario: Scenario, prior: Mapping[str, Fraction] | None, limits: Limits) -> Leakage:
    """The channel from the compared beliefs to words of the horizon (and shorter complete runs), all exact.

    Words for which all secrets' probabilities are in proportion say the same, and are one output.
    """
    horizon = scenario.require_horizon()
    if horizon == "any":
        raise UsageError("leakage is about outputs of some length: give a horizon that is a number")
    scenario.require_all_outputs("leakage")
    if len(scenario.choices) > 1:
        raise NotYetError("the leakage of streams is not built yet")
    secrets = list({belief.name: belief for belief in scenario.compared_beliefs()}.values())
    model = scenario.model
    if not model.is_constant or not all(secret.is_constant for secret in secrets):
        raise NotYetError("leakage of models with unknown parameters or exp(...) is not built yet; put in numbers")
    names = [secret.name for secret in secrets]
    weights = _prior(names, prior)
    try:
        columns = _columns(model, secrets, horizon, limits)
    except Stopped as stop:
        raise UsageError(f"{stop}; take a shorter horizon") from stop
    scale = common_denominator(weights)
    guesses = [w.numerator * (scale // w.denominator) for w in weights]
    capacity = guessed = Fraction(0)
    joints: list[tuple[Fraction, list[tuple[int, int]], int]] = []
    for column, much in columns.items():
        joint = list(map(mul, guesses, column))
        capacity += much * max(column)
        guessed += much * max(joint)
        terms = [(both, x) for both, x in zip(joint, column, strict=True) if both]
        joints.append((much / scale, terms, sum(joint)))
    gain = guessed / (max(weights) * scale)
    nats = enclosed(lambda: _information(joints, scale))
    low, high = enclosed(lambda: 1 / flint.arb(2).log())
    bits = max(Fraction(0), nats[0]) * low, max(Fraction(0), nats[1]) * high
    return Leakage(
        dict(zip(names, weights, strict=True)),
        capacity,
        Between(*log2(capacity)),
        gain,
        Between(*log2(gain)),
        Between(*bits),
        len(columns),
        horizon,
        limits.elapsed,
    )


def _prior(names: Sequence[str], prior: Mapping[str, Fraction] | None) -> list[Fraction]:
    if prior is None:
        return [Fraction(1, len(names))] * len(names)
    if stranger := next((name for name in prior if name not in names), None):
        raise UsageError(f"the prior names {stranger!r}, which is no secret; the secrets are {', '.join(names[:10])}")
    weights = [prior.get(name, Fraction(0)) for name in names]
    if any(w < 0 for w in weights) or sum(weights) != 1:
        raise UsageError(f"the prior sums to {sum(weights)}, not 1, or has negative entries")
    return weights


def _information(joints: Sequence[tuple[Fraction, list[tuple[int, int]], int]], scale: int) -> flint.arb:
    """Sum over outputs and secrets of p(both) ln(p(output given the secret) / p(output)), a ball around it.

    For an output there is the unit, then scale * p(both) and p(output given the secret) for each secret, in units, and
    scale * p(output).
    """
    total = flint.arb(0)
    for much, terms, whole in joints:
        if all(x * scale == whole for _, x in terms):
            continue    # The output says nothing: exactly 0.
        inner = sum((both * flint.arb(x).log() for both, x in terms), flint.arb(0))
        total += ball(much) * (inner - whole * (flint.arb(whole) / scale).log())
    return total


def _columns(model: HMM, secrets: Sequence[Belief], horizon: int, limits: Limits) -> dict[_Column, Fraction]:
    """The probabilities of outputs given each secret, as integers without common factor, with how much of each."""
    exact = ExactSteps(model)
    rows: list[dict[int, int]] = []
    scale = math.lcm(*(w.denominator for s in secrets for w in s.weights.values() if isinstance(w, Fraction)))
    for secret in secrets:
        weights = {model.state_index[i]: w for i, w in secret.weights.items()}
        rows.append({i: int(w * scale) for i, w in weights.items() if isinstance(w, Fraction)})
    found: dict[_Column, Fraction] = {}

    def add(column: Sequence[int], unit: Fraction) -> None:
        if common := math.gcd(*column):
            key = tuple(x // common for x in column)
            found[key] = found.get(key, Fraction(0)) + common * unit

    layer: dict[_Key, Fraction] = {tuple(tuple(sorted(row.items())) for row in rows): Fraction(1, scale)}
    for length in range(1, horizon + 1):
        after: dict[_Key, Fraction] = {}
        for key, unit in layer.items():
            here = [dict(row) for row in key]
            for letter in sorted(exact.letters_of({i for row in here for i in row})):
                if length < horizon:
                    moved, over = exact.advance(here, letter)
                    add([row.pop(exact.done, 0) for row in moved], unit / over)
                    if common := math.gcd(*(x for row in moved for x in row.values())):
                        name = tuple(tuple(sorted((i, x // common) for i, x in row.items())) for row in moved)
                        after[name] = after.get(name, Fraction(0)) + unit * common / over
                else:
                    column, over = exact.produce(here, letter)
                    add(column, unit / over)
            if reason := limits.reached():
                raise Stopped(reason)
            if len(after) + len(found) > _MOST_OUTPUTS:
                raise UsageError(f"there are more than {_MOST_OUTPUTS:,} different outputs; take a shorter horizon")
        layer = after
    return found
