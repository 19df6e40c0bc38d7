"""Reading the parts of a model file: tables, numbers, and rows of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction

from .errors import ModelFileError
from .expression import ExpressionError, expression
from .family import Weights
from .model import Distribution
from .number import brief
from .quotient import Number, same
from .scope import Scope

_MOST_BITS = 400_000


def table(value: object, place: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ModelFileError("a table is expected here" if value is not None else "is missing", place)
    return value


def weights(
    row: Mapping[str, object], index: Mapping[str, int], scope: Scope, place: str
) -> Distribution | Weights:
    """Read a row exactly; its constants are non-negative, and a row of constants sums to 1."""
    values: list[tuple[int, Number]] = []
    for name, entry in row.items():
        if name not in index:
            raise ModelFileError("unknown name", f"{place}.{name}")
        value = number(entry, scope, f"{place}.{name}")
        if isinstance(value, Fraction):
            if value < 0:
                raise ModelFileError(
                    f"a probability cannot be negative, got {brief(value)}", f"{place}.{name}"
                )
            if not value:
                continue
        values.append((index[name], value))
    return row_of(values, place)


def row_of(values: Iterable[tuple[int, Number]], place: str) -> Distribution | Weights:
    """A row of numbers of which none is 0; where all are constants they have to sum to 1."""
    values = list(values)
    constants = [(i, value) for i, value in values if isinstance(value, Fraction)]
    if negative := next((value for _, value in constants if value < 0), None):
        raise ModelFileError(f"a probability cannot be negative, got {brief(negative)}", place)
    if len(constants) < len(values):
        return tuple(sorted(values, key=lambda item: item[0]))
    return distribution(constants, place)


def equal_rows(one: Distribution | Weights, two: Distribution | Weights) -> bool:
    """Whether two rows are the same, as functions of the parameters."""
    if isinstance(one, Distribution) or isinstance(two, Distribution):
        return one == two
    return len(one) == len(two) and all(i == j and same(p, q) for (i, p), (j, q) in zip(one, two, strict=True))


def distribution(values: Iterable[tuple[int, Fraction]], place: str) -> Distribution:
    """Non-negative numbers that sum to 1."""
    values = [(i, value) for i, value in values if value]
    denominator = 1
    for _, value in values:
        denominator = math.lcm(denominator, value.denominator)
        if denominator.bit_length() > _MOST_BITS:
            raise ModelFileError("the common denominator of the row is too large", place)
    entries = tuple(sorted((i, v.numerator * (denominator // v.denominator)) for i, v in values))
    total = sum(n for _, n in entries)
    if total != denominator:
        raise ModelFileError(f"the row sums to {brief(Fraction(total, denominator))}, not 1", place)
    return Distribution(entries, denominator)


def number(entry: object, scope: Scope, place: str) -> Number:
    if isinstance(entry, float):
        raise ModelFileError(f"a number must be exact, got the float {entry!r}; quote it", place)
    if isinstance(entry, bool) or not isinstance(entry, int | str):
        raise ModelFileError("a number is expected here", place)
    if isinstance(entry, int):
        return Fraction(entry)
    try:
        return expression(entry, scope)
    except ExpressionError as error:
        raise ModelFileError(str(error), place) from None
