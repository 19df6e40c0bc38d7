"""The calling conventions of other testers, as samplers of ours, and ours as theirs.

StatDP (Ding et al., 2018) calls `algorithm(prng, queries, **settings)` for one output; DP-Sniper (Bichsel et al., 2021)
`mechanism.m(a, n_samples)` for an array of outputs; DP-Auditorium (Kong et al., 2024) `mechanism(data, num_samples)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from .sampler import FunctionSampler, Sampler


def from_statdp(algorithm: Callable[..., Any], **settings: Any) -> Sampler:
    """A sampler of a StatDP algorithm; `settings` are its further arguments."""

    def release(data: Any, rng: np.random.Generator) -> Any:
        return algorithm(rng, list(data), **settings)

    return FunctionSampler(release, getattr(algorithm, "__name__", None))


def to_statdp(sampler: Sampler) -> Callable[..., Any]:
    """A StatDP algorithm that gives one output a call."""

    def algorithm(prng: Any, queries: Any, **_: Any) -> Any:
        seed = int(prng.integers(2**62)) if hasattr(prng, "integers") else int(prng.randint(2**31))
        return sampler.sample(tuple(queries), 1, seed)[0]

    return algorithm


def from_dpsniper(mechanism: Any) -> Sampler:
    """A sampler of a DP-Sniper mechanism, which draws from numpy's own generator."""
    return FunctionSampler(lambda data, n, seed: mechanism.m(np.asarray(data), n), type(mechanism).__name__)


class ToDPSniper:
    """A DP-Sniper mechanism: outputs as an array with a row for each."""

    def __init__(self, sampler: Sampler, seed: int = 0):
        self._sampler, self._seeds = sampler, np.random.default_rng(seed)

    def m(self, a: Any, n_samples: int = 1) -> npt.NDArray[Any]:
        return _array(
            self._sampler.sample(tuple(np.asarray(a).tolist()), n_samples, int(self._seeds.integers(2**62)))
        )


def from_dpauditorium(mechanism: Callable[[Any, int], Any]) -> Sampler:
    """A sampler of a DP-Auditorium mechanism."""
    return FunctionSampler(
        lambda data, n, seed: mechanism(np.asarray(data), n), getattr(mechanism, "__name__", None)
    )


def to_dpauditorium(sampler: Sampler, seed: int = 0) -> Callable[[Any, int], npt.NDArray[Any]]:
    """A DP-Auditorium mechanism."""
    seeds = np.random.default_rng(seed)

    def mechanism(data: Any, num_samples: int) -> npt.NDArray[Any]:
        return _array(
            sampler.sample(tuple(np.asarray(data).tolist()), num_samples, int(seeds.integers(2**62)))
        )

    return mechanism


def _array(outputs: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Objects as numbers where they are, tuples as rows."""
    return np.array(outputs.tolist())
