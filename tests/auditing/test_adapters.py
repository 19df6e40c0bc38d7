"""Other testers' calling conventions, both ways."""

from __future__ import annotations

from typing import Any

import numpy as np

import faier
from faier.auditing import adapters
from faier.auditing.sampler import counts


class Shift:
    """A mechanism in the manner of DP-Sniper."""

    def m(self, a: Any, n_samples: int = 1) -> Any:
        return np.asarray(a) + np.random.randint(0, 2, size=(n_samples, len(a)))


def test_from_statdp() -> None:
    sampler = adapters.from_statdp(lambda prng, queries, bump: int(prng.integers(0, 2)) + sum(queries) + bump, bump=5)
    assert set(counts(sampler, (1, 2), 200, 1)) == {8, 9}
    assert counts(sampler, (1, 2), 200, 1) == counts(sampler, (1, 2), 200, 1)


def test_from_dpsniper() -> None:
    sampler = adapters.from_dpsniper(Shift())
    assert set(counts(sampler, (0, 5), 500, 1)) == {(0, 5), (0, 6), (1, 5), (1, 6)}


def test_from_dpauditorium() -> None:
    sampler = adapters.from_dpauditorium(lambda data, num_samples: np.full(num_samples, data.sum()))
    assert counts(sampler, (1, 2), 7, 0) == {3: 7}


def test_ours_as_theirs() -> None:
    noisy = faier.library.noisy_max(queries=2)
    assert adapters.to_statdp(noisy)(np.random.default_rng(1), [0, 2]) in (1, 2)
    drawn = adapters.ToDPSniper(noisy).m(np.array([0, 2]), 2000)
    assert drawn.shape == (2000,)
    assert abs((drawn == 2).mean() - float(noisy.distribution((0, 2)).of(2))) < 0.05
    mechanism = adapters.to_dpauditorium(noisy)
    assert set(mechanism(np.array([0, 2]), 100).tolist()) <= {1, 2}
    # Each call has samples of its own.
    assert mechanism(np.array([1, 1]), 50).tolist() != mechanism(np.array([1, 1]), 50).tolist()
