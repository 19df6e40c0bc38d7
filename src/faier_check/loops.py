"""What the words of a family do: their symbols, supports and columns, exactly; shared by `pump` and `limit`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from .certificate import Claim
from .errors import CertificateError
from .families import Words
from .limits import Meter
from .model import Model
from .support import Support, Supports

Column = Mapping[int, Fraction]


def symbols_of(model: Model, claim: Claim, words: Words, rule: str) -> tuple[list[int], list[int], list[int]]:
    """Prefix, loop and suffix by the numbers of symbols, where such words count."""
    if claim.horizon is not None:
        raise CertificateError('ever longer words count at horizon "any" only', rule=rule)
    if words.direction not in model.directions:
        raise CertificateError("the model has no such direction", rule=rule)
    place = {name: i for i, name in enumerate(model.symbols)}
    for name in (*words.prefix, *words.loop, *words.suffix):
        if name not in place:
            raise CertificateError(f"the model has no symbol {name[:60]!r}", rule=rule)
    prefix, loop, suffix = ([place[s] for s in word] for word in (words.prefix, words.loop, words.suffix))
    return prefix, loop, suffix


def support_after(supports: Supports, support: Support, word: Sequence[int]) -> Support:
    for symbol in word:
        support = supports.after(support, symbol)
    return support


def powers_of(supports: Supports, support: Support, loop: Sequence[int], meter: Meter) -> list[Support]:
    """The support itself and after each power of the loop, until they repeat."""
    found: list[Support] = []
    seen: set[Support] = set()
    while support not in seen:
        seen.add(support)
        found.append(support)
        meter.spend(1 + len(support) * len(loop))
        support = support_after(supports, support, loop)
    return found


def reads(model: Model, supports: Supports, support: Support, suffix: Sequence[int], ended: bool) -> bool:
    """Whether the suffix has a positive reading from some state of the support."""
    after = support_after(supports, support, suffix)
    return model.done in after if ended else bool(after)


def column_of(model: Model, suffix: Sequence[int], ended: bool, meter: Meter) -> Column:
    """The reading of the suffix from each state, exactly: L[suffix] 1 or L[suffix] e."""
    column: Column = {model.done: Fraction(1)}
    if not ended:
        column = {i: Fraction(1) for i in range(model.done + 1)}
    for symbol in reversed(suffix):
        column = before(model, symbol, column, meter)
    return column


def before(model: Model, symbol: int, column: Column, meter: Meter) -> Column:
    """L[symbol] column, exactly; what is 0 is left out."""
    found: dict[int, Fraction] = {}
    for i, row in enumerate(model.emit):
        weight = next((n for s, n in row.entries if s == symbol), 0)
        if not weight:
            continue
        step = model.step[i]
        if step is None:
            value = column.get(model.done, Fraction(0))
        else:
            meter.spend(len(step.entries))
            value = sum((n * column[j] for j, n in step.entries if j in column), Fraction(0)) / step.denominator
        if value:
            found[i] = value * weight / row.denominator
    return found
