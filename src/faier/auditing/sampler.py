"""The one protocol of everything that can be run: `sample(data_set, n, seed)` gives n outputs."""

from __future__ import annotations

import inspect
import math
import random
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from enum import Enum
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from faier.errors import FaierError, SamplerError, UsageError

from .event import Counts, Output


@runtime_checkable
class Sampler(Protocol):
    def sample(self, data: Any, n: int, seed: int) -> npt.NDArray[Any]:
        """n outputs for a data set: an array with n rows; the same seed gives the same outputs."""


class _NoOutput(Exception):
    pass


class FunctionSampler:
    """A Python callable as a sampler.

    A function of (data, n, seed) or (data, n) gives n outputs at once; one of (data, rng), with a numpy Generator,
    or of (data) alone gives one output a call. Before the calls Python's and numpy's own random generators are seeded.
    """

    def __init__(self, function: Callable[..., Any], name: str | None = None):
        self.function = function
        self.name: str = name or getattr(function, "__name__", "") or "the sampler"
        self._calls = _convention(function, self.name)

    def sample(self, data: Any, n: int, seed: int) -> npt.NDArray[Any]:
        generator = np.random.default_rng(seed)
        random.seed(seed)
        np.random.seed(seed % 2**32)
        try:
            match self._calls:
                case "batch":
                    found = self.function(data, n, seed)
                case "size":
                    found = self.function(data, n)
                case "generator":
                    return _objects([self.function(data, generator) for _ in range(n)])
                case _:
                    return _objects([self.function(data) for _ in range(n)])
        except (FaierError, KeyboardInterrupt):
            raise
        except BaseException as error:
            # sys.exit() as well: the status is to say what was found, not what the sampler thinks.
            text = " ".join(str(error).split())
            raised = type(error).__name__ + (f": {text}" if text else "")
            raise SamplerError(f"{self.name}({_short(data)}) raised {raised}") from error
        return _rows(found, n, self.name)


def as_sampler(what: Any) -> Sampler:
    """A sampler as it is, or a callable as a sampler."""
    if isinstance(what, Sampler):
        return what
    if callable(what):
        return FunctionSampler(what)
    raise UsageError(
        f"a sampler is a mechanism, a function or has a method sample(data, n, seed); got {_short(what)}"
    )


def counts(sampler: Sampler, data: Any, n: int, seed: int) -> Counts:
    """How often each output occurs among n samples; every output is checked to be one."""
    quick = getattr(sampler, "counts", None)
    if quick is not None:
        found: Mapping[Output, int] = quick(data, n, seed)
        return found
    return count_rows(sampler.sample(data, n, seed), n, getattr(sampler, "name", "the sampler"))


def count_rows(rows: Any, n: int, name: str) -> Counts:
    """Outputs counted: numbers, strings, or tuples of them (the rows of an array with more than one axis)."""
    array = rows if isinstance(rows, np.ndarray) else _rows(rows, n, name)
    if array.ndim == 0 or len(array) != n:
        shape = "a single value" if array.ndim == 0 else f"{len(array):,} outputs"
        raise SamplerError(f"{name} was asked for {n:,} outputs and gave {shape}")
    if array.ndim > 2:
        raise SamplerError(
            f"{name} gave an array with {array.ndim} axes; outputs are values or rows of values"
        )
    if array.dtype.kind in "fc" and not np.isfinite(array).all():
        bad = array[~np.isfinite(array)].flat[0]
        raise SamplerError(f"{name} gave {bad}, which is no output")
    if array.dtype.kind in "biufU":
        if array.ndim == 1:
            values, number = np.unique(array, return_counts=True)
            return dict(zip(values.tolist(), number.tolist(), strict=True))
        values, number = np.unique(array, axis=0, return_counts=True)
        return {tuple(v): c for v, c in zip(values.tolist(), number.tolist(), strict=True)}
    listed = [tuple(row) for row in array.tolist()] if array.ndim == 2 else array.tolist()
    try:
        return Counter(map(_plain, listed))
    except _NoOutput as error:
        raise SamplerError(f"{name} gave {error}") from None
    except TypeError:
        bad_output = next(o for o in listed if not _hashable(o))
        raise SamplerError(
            f"{name} gave {_short(bad_output)}, which is not hashable; outputs are values or tuples"
        ) from None


def _plain(output: Any) -> Hashable:
    """An output as a plain Python value."""
    if isinstance(output, np.generic):
        output = output.item()
    if isinstance(output, list | np.ndarray):
        output = tuple(output.tolist() if isinstance(output, np.ndarray) else output)
    if isinstance(output, tuple):
        return tuple(_plain(x) for x in output)
    if output is None:
        raise _NoOutput("nothing (None); does it return?")
    if isinstance(output, float) and not math.isfinite(output):
        raise _NoOutput(f"{output}, which is no output")
    equality: object = type(output).__eq__
    if equality is object.__eq__ and not isinstance(output, Enum):
        # Each would be an output of its own, and nothing would ever be seen twice.
        raise _NoOutput(f"{_short(output)}, which equals nothing but itself; outputs are values or tuples")
    value: Hashable = output
    return value


def _objects(listed: list[Any]) -> npt.NDArray[Any]:
    array = np.empty(len(listed), dtype=object)
    # One by one: numpy would spread tuples of equal lengths over an axis of their own.
    for k, output in enumerate(listed):
        array[k] = output
    return array


def _rows(found: Any, n: int, name: str) -> npt.NDArray[Any]:
    if isinstance(found, np.ndarray):
        return found
    try:
        listed = list(found)
    except TypeError:
        raise SamplerError(f"{name} was asked for {n:,} outputs and gave {_short(found)}") from None
    return _objects(listed)


def _convention(function: Callable[..., Any], name: str) -> str:
    """How a callable wants to be called, by the names and number of the parameters it cannot do without."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return "one"
    parameters = [
        p for p in signature.parameters.values()
        if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty
    ]  # fmt: skip
    if not parameters and not any(p.kind == p.VAR_POSITIONAL for p in signature.parameters.values()):
        raise UsageError(
            f"{name} takes no data set: a sampler is a function of (data), (data, rng) or (data, n, seed)"
        )
    if len(parameters) <= 1:
        return "one"
    if len(parameters) == 2:
        return (
            "size"
            if parameters[1].name in ("n", "size", "samples", "n_samples", "num_samples")
            else "generator"
        )
    if len(parameters) == 3:
        return "batch"
    raise UsageError(
        f"{name} takes {len(parameters)} arguments: a sampler is a function of (data), (data, rng) or (data, n, seed)"
    )


def _hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:56]}..."
