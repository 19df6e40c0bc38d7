"""The rule `pump`: words whose ratio grows without end, so that no finite ratio is kept. It proves or raises."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import NoReturn

from .certificate import Claim
from .errors import CertificateError
from .families import Pump
from .limits import Meter
from .loops import before, column_of, powers_of, reads, support_after, symbols_of
from .model import Model
from .number import brief
from .row import Rounding, Row
from .support import Supports
from .transition import Transition


def pump(model: Model, claim: Claim, stated: Pump, meter: Meter) -> None:
    """The ratios of prefix loop^n suffix grow at least like (row_factor / column_factor)^n n^k. [T8]

    A row x that lies below a multiple of the left one gains by row_factor with every loop; a column y above the
    suffix gains at most by column_factor, on every state that the right side reaches by loops. Each of k further rows
    is what the row before gives besides with every loop; where there is one, the two factors may be equal.
    """
    words = stated.words
    prefix, loop, suffix = symbols_of(model, claim, words, "pump")
    supports = Supports(model, meter)
    left, right = (support_after(supports, supports.start(b), prefix) for b in model.sides(words.direction))
    _row(model, supports, stated, left, loop, suffix, meter)
    orbit = powers_of(supports, right, loop, meter)
    if claim.both and not all(reads(model, supports, support, suffix, words.ended) for support in orbit):
        _reject("some of the words are impossible on the right, so that they do not count")
    _column(model, stated, frozenset().union(*orbit), loop, suffix, meter)
    if stated.row_factor < stated.column_factor or (
        stated.row_factor == stated.column_factor and not stated.further_rows
    ):
        _reject(f"the factor {brief(stated.row_factor)} does not exceed {brief(stated.column_factor)}")


def _row(
    model: Model,
    supports: Supports,
    stated: Pump,
    left: frozenset[int],
    loop: list[int],
    suffix: list[int],
    meter: Meter,
) -> None:
    if not stated.row or not stated.row.keys() <= left:
        _reject("the row is 0, or not 0 where left is")
    chain = [stated.row, *stated.further_rows]
    if not all(chain):
        _reject("a further row is 0")
    if any(max(x) > model.done for x in chain):
        _reject("a further row has an entry beyond the states")
    for number, x in enumerate(chain):
        following = chain[number + 1] if number + 1 < len(chain) else {}
        _gains(model, x, following, stated.row_factor, loop, meter)
    if not reads(model, supports, frozenset(chain[-1]), suffix, stated.words.ended):
        _reject("the suffix cannot follow the row")


def _gains(
    model: Model,
    x: Mapping[int, Fraction],
    following: Mapping[int, Fraction],
    factor: Fraction,
    loop: list[int],
    meter: Meter,
) -> None:
    """x L >= factor x + following."""
    common = math.lcm(*(value.denominator for value in x.values()))
    row = Row({i: int(value * common) for i, value in x.items()}, common, 0)
    transition = Transition(model, 64, meter)
    for symbol in loop:
        row = transition.after(row, symbol, Rounding.EXACT)
    zero = Fraction(0)
    for i in sorted(x.keys() | following.keys()):
        gained = Fraction(row.entries.get(i, 0), row.denominator)
        if gained < factor * x.get(i, zero):
            _reject(f"the loop does not multiply the row by its factor in the entry {model.entry_name(i)}")
        if gained < factor * x.get(i, zero) + following.get(i, zero):
            _reject(f"the loop does not give the next row besides in the entry {model.entry_name(i)}")


def _column(
    model: Model, stated: Pump, states: frozenset[int], loop: list[int], suffix: list[int], meter: Meter
) -> None:
    y: Mapping[int, Fraction] = stated.column
    zero = Fraction(0)
    target = column_of(model, suffix, stated.words.ended, meter)
    for i in sorted(states):
        if y.get(i, zero) < target.get(i, zero):
            _reject(f"the column is below the suffix in the entry {model.entry_name(i)}")
    after = y
    for symbol in reversed(loop):
        after = before(model, symbol, after, meter)
    for i in sorted(states):
        if after.get(i, zero) > stated.column_factor * y.get(i, zero):
            _reject(f"the loop multiplies the column by more than its factor in the entry {model.entry_name(i)}")


def _reject(reason: str) -> NoReturn:
    raise CertificateError(reason, rule="pump")
