"""Reading a model file: only what a certificate speaks about, and everything that soundness needs of it."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping
from fractions import Fraction

from .domain import derive, validate
from .errors import ModelFileError
from .expression import ExpressionError, Scope, expression
from .family import Family, FamilyPair, Weights
from .limits import Meter
from .model import Distribution, Model
from .number import brief
from .quotient import Number
from .scope import Finer
from .unknowns import read_unknowns

_KNOWN = frozenset(("faier", "title", "parameters", "constraints", "model", "beliefs", "compare", "claim"))
_NOT_COVERED = {
    "stream": "streams cannot be checked yet",
    "mechanism": "this file names a mechanism of faier's library, which is a program; write the model that it stands "
    "for, and check the certificate against that: faier convert FILE --to toml -o MODEL",
}
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_MOST_BITS = 400_000


def read_model(text: bytes) -> Model | Family:
    """Read a model file: a `Model` where nothing that is compared depends on parameters or exp."""
    fineness = 1
    while True:
        try:
            family = read_family(text, fineness, Meter())
            return family if family.plain is None else family.plain
        except Finer as finer:
            fineness = finer.fineness


def read_family(text: bytes, fineness: int, meter: Meter) -> Family:
    """Read a model file, every exp as a power of e^(1/fineness); or raise `Finer`.

    Constant rows are exact, non-negative and sum to 1.
    """
    file = _toml(text)
    for key, why in _NOT_COVERED.items():
        if key in file:
            raise ModelFileError(why, key)
    for key in file:
        if key not in _KNOWN:
            raise ModelFileError(f"unknown key {key[:60]!r}; it may change what the model means")
    version = file.get("faier")
    if isinstance(version, bool) or not isinstance(version, int) or version != 1:
        raise ModelFileError("the file must say faier = 1", "faier")
    model = _table(file.get("model"), "model")
    for key in model:
        if key not in ("emit", "step"):
            raise ModelFileError(f"unknown key {key[:60]!r}", "model")
    emit = _table(model.get("emit"), "model.emit")
    states = tuple(emit)
    if not states:
        raise ModelFileError("a model needs at least one state", "model.emit")
    state_index = {name: i for i, name in enumerate(states)}
    rows = {name: _table(row, f"model.emit.{name}") for name, row in emit.items()}
    symbols = tuple(dict.fromkeys(symbol for row in rows.values() for symbol in row))
    symbol_index = {name: i for i, name in enumerate(symbols)}
    step_rows = _table(model.get("step", {}), "model.step")
    for name in step_rows:
        if name not in state_index:
            raise ModelFileError(f"unknown state {name!r}", f"model.step.{name}")
    unknowns = read_unknowns(
        _table(file.get("parameters", {}), "parameters"), file.get("constraints", []), fineness, meter
    )
    scope = unknowns.scope
    emits = tuple(_weights(row, symbol_index, scope, f"model.emit.{name}") for name, row in rows.items())
    steps = tuple(
        _weights(_table(step_rows[name], f"model.step.{name}"), state_index, scope, f"model.step.{name}")
        if name in step_rows
        else None
        for name in states
    )
    beliefs, pairs = _pairs(file, state_index, scope)
    family = Family(unknowns, symbols, states, emits, steps, beliefs, pairs)
    if family.plain is None:
        validate(family, derive(unknowns))
    return family


def _toml(text: bytes) -> dict[str, object]:
    try:
        return tomllib.loads(text.removeprefix(_BYTE_ORDER_MARK).decode("utf-8"))
    except UnicodeDecodeError:
        raise ModelFileError("the file is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ModelFileError(f"not valid TOML: {str(error)[:300]}") from None
    except RecursionError:
        raise ModelFileError("not valid TOML: nested too deeply") from None
    except ValueError as error:
        raise ModelFileError(f"not valid TOML: {str(error)[:300]}") from None


def _table(value: object, place: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ModelFileError("a table is expected here" if value is not None else "is missing", place)
    return value


def _weights(
    row: Mapping[str, object], index: Mapping[str, int], scope: Scope, place: str
) -> Distribution | Weights:
    """Read a row exactly; its constants are non-negative, and a row of constants sums to 1."""
    values: list[tuple[int, Number]] = []
    for name, entry in row.items():
        if name not in index:
            raise ModelFileError("unknown name", f"{place}.{name}")
        value = _number(entry, scope, f"{place}.{name}")
        if isinstance(value, Fraction):
            if value < 0:
                raise ModelFileError(
                    f"a probability cannot be negative, got {brief(value)}", f"{place}.{name}"
                )
            if not value:
                continue
        values.append((index[name], value))
    constants = [(i, value) for i, value in values if isinstance(value, Fraction)]
    if len(constants) < len(values):
        return tuple(sorted(values, key=lambda item: item[0]))
    return distribution(constants, place)


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


def _number(entry: object, scope: Scope, place: str) -> Number:
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


def _pairs(
    file: Mapping[str, object], state_index: Mapping[str, int], scope: Scope
) -> tuple[tuple[Distribution | Weights, ...], tuple[FamilyPair, ...]]:
    """The compared beliefs and pairs; beliefs that nothing compares are not read."""
    beliefs = _table(file.get("beliefs", {}), "beliefs")
    for name in beliefs:
        if name in state_index:
            raise ModelFileError("a belief may not be named like a state", f"beliefs.{name}")
    compare = file.get("compare")
    if not isinstance(compare, list) or not compare:
        raise ModelFileError("there is nothing to compare", "compare")
    known: dict[str, int] = {}
    found: list[Distribution | Weights] = []

    def side(name: object, place: str) -> tuple[str, int]:
        if not isinstance(name, str):
            raise ModelFileError("the name of a belief or a state is expected here", place)
        if name not in known:
            if name in state_index:
                belief: Distribution | Weights = Distribution(((state_index[name], 1),), 1)
            elif name in beliefs:
                place = f"beliefs.{name}"
                belief = _weights(_table(beliefs[name], place), state_index, scope, place)
            else:
                raise ModelFileError(f"unknown belief or state {name[:60]!r}", place)
            known[name] = len(found)
            found.append(belief)
        return name, known[name]

    pairs: list[FamilyPair] = []
    for i, item in enumerate(compare):
        place = f"compare[{i}]"
        entry = _table(item, place)
        for key in entry:
            if key in ("at", "from"):
                raise ModelFileError("a secret inside a run (from, at) cannot be checked yet", place)
            if key not in ("left", "right", "one_way"):
                raise ModelFileError(f"unknown key {key[:60]!r}", place)
        one_way = entry.get("one_way", False)
        if not isinstance(one_way, bool):
            raise ModelFileError("one_way is true or false", place)
        left_name, left = side(entry.get("left"), f"{place}.left")
        right_name, right = side(entry.get("right"), f"{place}.right")
        pairs.append(FamilyPair(left_name, right_name, one_way, left, right))
    return tuple(found), tuple(pairs)
