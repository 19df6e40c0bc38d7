"""Is the event that another tool found as telling as it says? Decided exactly."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from faier.combined import Refutation
from faier.errors import UsageError
from faier.mechanisms.mechanism import Mechanism
from faier.model.belief import Belief
from faier.model.names import label
from faier.number.budget import Budget
from faier.number.exact import Extended
from faier.scenario.budgets import read_epsilon
from faier.scenario.scenario import Scenario

from .words import counted, probability

_FIELDS = ("left", "right", "event", "epsilon")
_MOST_EXPONENT = 10_000
_NAMED = 6


def refute(target: Scenario | Mechanism, claim: Mapping[str, Any]) -> Refutation:
    """Confirm or refute that an event shows an epsilon: claim = {"left", "right", "event", "epsilon"}.

    The event is a list of words, and means that one of them is output. It is confirmed where one side is at least
    e**epsilon times as likely to show it as the other, exactly.
    """
    begun = time.perf_counter()
    if missing := [name for name in _FIELDS if name not in claim]:
        raise UsageError(f"a claim to refute has {', '.join(_FIELDS)}; {missing[0]} is missing")
    if strange := [name for name in claim if name not in _FIELDS]:
        raise UsageError(f"a claim to refute has {', '.join(_FIELDS)}; {strange[0]!r} is unknown")
    epsilon, budget = _epsilon(claim["epsilon"])
    words = _words(claim["event"])
    one: Hashable
    two: Hashable
    if isinstance(target, Scenario):
        left, right = _beliefs(target, claim["left"], claim["right"])
        words = counted(target, left, right, words)
        one, two = left.name, right.name
        p, q = (sum((probability(target, side, word) for word in words), Fraction(0)) for side in (left, right))
    else:
        one, p = _shown(target, claim["left"], words)
        two, q = _shown(target, claim["right"], words)
    if p == 0 and q == 0:
        raise UsageError("neither side can produce the event; it shows nothing")
    if q > p:
        one, two, p, q = two, one, q, p
    ratio: Extended = Fraction(p / q) if q else math.inf
    confirmed = isinstance(ratio, float) or budget.compare(ratio) >= 0
    return Refutation(epsilon, confirmed, ratio, one, two, words, p, q, time.perf_counter() - begun)


def _epsilon(value: object) -> tuple[Fraction, Budget]:
    """The claimed epsilon exactly as it is written: 1.3769 is 13769/10000."""
    if isinstance(value, float):
        value = repr(value)
    if isinstance(value, bool) or not isinstance(value, int | str | Fraction):
        raise UsageError(f"the claimed epsilon is a number, got {value!r}")
    if isinstance(value, str) and _is_endless(value):
        raise UsageError(f"the claimed epsilon has an exponent of at most {_MOST_EXPONENT}, got {value[:60]}")
    try:
        exact = Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"the claimed epsilon is a number, got {str(value)[:60]!r}") from None
    if not 0 <= exact <= 10_000:
        raise UsageError(f"the claimed epsilon lies between 0 and 10000, got {str(value)[:60]}")
    return exact, read_epsilon(exact)


def _is_endless(written: str) -> bool:
    """Whether its power of ten alone would fill the memory."""
    power = re.search(r"[eE][+-]?0*(\d+)", written)
    return power is not None and (len(power[1]) > 9 or int(power[1]) > _MOST_EXPONENT)


def _words(event: object) -> tuple[Hashable, ...]:
    if not isinstance(event, Sequence) or isinstance(event, str) or not event:
        raise UsageError(f"an event is a list of words, such as [[1]], got {event!r}")
    return tuple(dict.fromkeys(_frozen(word) for word in event))


def _shown(mechanism: Mechanism, written: Any, words: tuple[Hashable, ...]) -> tuple[Hashable, Fraction]:
    """The data set that is meant, and how likely it is to show the event."""
    data = _frozen(written)
    row = mechanism.distribution(data)
    if not row.is_constant:
        raise UsageError(f"the probabilities depend on {', '.join(sorted(row.parameters))}; give them values (--set)")
    # Two words may mean one output, which counts once.
    meant = dict.fromkeys(next((o for o in row if _means(word, o)), None) for word in words)
    weights = [row.of(output) for output in meant if output is not None]
    return data, sum((weight for weight in weights if isinstance(weight, Fraction)), Fraction(0))


def _means(word: Hashable, output: Hashable) -> bool:
    """A word of one symbol is that symbol; files write symbols as text."""
    symbol = word[0] if isinstance(word, tuple) and len(word) == 1 else word
    return output in (word, symbol) or (isinstance(symbol, str) and label(output) == symbol)


def _beliefs(scenario: Scenario, left: Any, right: Any) -> tuple[Belief, Belief]:
    """The beliefs that are meant. Of a stream they are those of a pair: the two sides are asked different inputs."""
    if scenario.stream is None:
        return _belief(scenario, left, "left"), _belief(scenario, right, "right")
    for pair in scenario.pairs:
        if (pair.left.name, pair.right.name) == (left, right):
            return pair.left, pair.right
    raise UsageError(f"the stream does not compare {left!r} (left) with {right!r} (right)")


def _belief(scenario: Scenario, written: Any, place: str) -> Belief:
    if isinstance(written, str) and written in scenario.beliefs:
        return scenario.beliefs[written]
    name = _frozen(written)
    for pair in scenario.pairs:
        for belief in (pair.left, pair.right):
            if belief.name == name:
                return belief
    for state in scenario.model.states:
        if state == name or (isinstance(name, str | tuple) and label(state) in (name, label(name))):
            return Belief.at(state)
    known = list(dict.fromkeys(str(label(b.name)) for pair in scenario.pairs for b in (pair.left, pair.right)))
    some = "; ".join(known[:_NAMED]) + (" ..." if len(known) > _NAMED else "")
    raise UsageError(f"{place}: there is no belief or data set {written!r}; compared are: {some}")


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        raise UsageError(f"data sets and words are numbers, strings, and lists of these, got {str(value)[:60]}")
    return tuple(_frozen(x) for x in value) if isinstance(value, list | tuple) else value
