"""Reading a model file: only what a certificate speaks about, and everything that soundness needs of it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping

from .domain import derive, validate
from .errors import ModelFileError
from .family import Family, FamilyPair, Weights
from .gate import Gate, gated, read_gate
from .limits import Meter
from .model import Distribution, Model
from .rows import table, weights
from .scope import Finer, Scope
from .stream import read_stream, two_sided
from .unknowns import Unknowns, read_unknowns

_KNOWN = frozenset(
    ("faier", "title", "parameters", "constraints", "model", "stream", "beliefs", "compare", "claim")
)
_NOT_COVERED = {
    "mechanism": "this file names a mechanism of faier's library, which is a program; write the model that it stands "
    "for, and check the certificate against that: faier convert FILE --to toml -o MODEL",
}
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_model(text: bytes) -> Model | Family:
    """Read a model file: a `Model` where nothing that is compared depends on parameters or exp."""
    fineness = 1
    while True:
        try:
            family = read_family(text, fineness, Meter())
            return family if family.plain is None else family.plain
        except Finer as finer:
            fineness = finer.fineness


def read_family(
    text: bytes, fineness: int, meter: Meter, horizon: Callable[[], int | None] = lambda: None
) -> Family:
    """Read a model file, every exp as a power of e^(1/fineness); or raise `Finer`.

    Constant rows are exact, non-negative and sum to 1. `horizon` says what the certificate is about, for files whose
    pairs depend on it; None is "any".
    """
    file = _known(text)
    family = _stream(file, fineness, meter) if "stream" in file else _model(file, fineness, meter, horizon)
    if family.plain is None:
        validate(family, derive(family.unknowns))
    return family


def read_as_written(text: bytes, fineness: int, meter: Meter) -> tuple[Family, tuple[FamilyPair | Gate, ...]]:
    """The model of a file with its pairs as they are written, secrets inside a run not compiled."""
    file = _known(text)
    if "stream" in file:
        raise ModelFileError("a secret inside a run of a stream (from, at) cannot be checked yet", "compare")
    return _as_written(file, fineness, meter)


def _known(text: bytes) -> dict[str, object]:
    """The data of a file of this version that says nothing that is not covered."""
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
    return file


def _stream(file: Mapping[str, object], fineness: int, meter: Meter) -> Family:
    if "model" in file:
        raise ModelFileError("a file has [model] or [stream], not both", "stream")
    unknowns = _unknowns(file, fineness, meter)
    stream = read_stream(table(file.get("stream"), "stream"), unknowns.scope)
    beliefs, pairs = _pairs(file, stream.memory_index, unknowns.scope)
    plain = tuple(pair for pair in pairs if isinstance(pair, FamilyPair))
    if len(plain) < len(pairs):
        raise ModelFileError("a secret inside a run of a stream (from, at) cannot be checked yet", "compare")
    return two_sided(stream, beliefs, plain, unknowns, meter)


def _unknowns(file: Mapping[str, object], fineness: int, meter: Meter) -> Unknowns:
    parameters = table(file.get("parameters", {}), "parameters")
    return read_unknowns(parameters, file.get("constraints", []), fineness, meter)


def _model(
    file: Mapping[str, object], fineness: int, meter: Meter, horizon: Callable[[], int | None]
) -> Family:
    family, pairs = _as_written(file, fineness, meter)
    return family if len(family.pairs) == len(pairs) else gated(family, pairs, meter, horizon)


def _as_written(
    file: Mapping[str, object], fineness: int, meter: Meter
) -> tuple[Family, tuple[FamilyPair | Gate, ...]]:
    model = table(file.get("model"), "model")
    for key in model:
        if key not in ("emit", "step"):
            raise ModelFileError(f"unknown key {key[:60]!r}", "model")
    emit = table(model.get("emit"), "model.emit")
    states = tuple(emit)
    if not states:
        raise ModelFileError("a model needs at least one state", "model.emit")
    state_index = {name: i for i, name in enumerate(states)}
    rows = {name: table(row, f"model.emit.{name}") for name, row in emit.items()}
    symbols = tuple(dict.fromkeys(symbol for row in rows.values() for symbol in row))
    symbol_index = {name: i for i, name in enumerate(symbols)}
    step_rows = table(model.get("step", {}), "model.step")
    for name in step_rows:
        if name not in state_index:
            raise ModelFileError(f"unknown state {name!r}", f"model.step.{name}")
    unknowns = _unknowns(file, fineness, meter)
    scope = unknowns.scope
    emits = tuple(weights(row, symbol_index, scope, f"model.emit.{name}") for name, row in rows.items())
    steps = tuple(
        weights(table(step_rows[name], f"model.step.{name}"), state_index, scope, f"model.step.{name}")
        if name in step_rows
        else None
        for name in states
    )
    beliefs, pairs = _pairs(file, state_index, scope)
    plain = tuple(pair for pair in pairs if isinstance(pair, FamilyPair))
    return Family(unknowns, symbols, states, emits, steps, beliefs, plain), pairs


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


def _pairs(
    file: Mapping[str, object], state_index: Mapping[str, int], scope: Scope
) -> tuple[tuple[Distribution | Weights, ...], tuple[FamilyPair | Gate, ...]]:
    """The compared beliefs and pairs; beliefs that nothing compares are not read."""
    beliefs = table(file.get("beliefs", {}), "beliefs")
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
                belief = weights(table(beliefs[name], place), state_index, scope, place)
            else:
                raise ModelFileError(f"unknown belief or state {name[:60]!r}", place)
            known[name] = len(found)
            found.append(belief)
        return name, known[name]

    pairs: list[FamilyPair | Gate] = []
    for i, item in enumerate(compare):
        place = f"compare[{i}]"
        entry = table(item, place)
        for key in entry:
            if key not in ("left", "right", "one_way", "at", "from"):
                raise ModelFileError(f"unknown key {key[:60]!r}", place)
        one_way = entry.get("one_way", False)
        if not isinstance(one_way, bool):
            raise ModelFileError("one_way is true or false", place)
        if "at" in entry or "from" in entry:
            start_name, start = side(entry.get("from"), f"{place}.from")
            pairs.append(read_gate(entry, start_name, start, one_way, state_index, place))
            continue
        left_name, left = side(entry.get("left"), f"{place}.left")
        right_name, right = side(entry.get("right"), f"{place}.right")
        pairs.append(FamilyPair(left_name, right_name, one_way, left, right))
    return tuple(found), tuple(pairs)
