"""Other testers, from a checkout of their authors' code that the user names; without one they are left out.

FAIER_BENCH_STATDP and FAIER_BENCH_DPSNIPER are the folders of checkouts of https://github.com/cmla-psu/statdp and
https://github.com/eth-sri/dp-sniper, whose requirements have to be installed. Nothing of theirs is shipped here.
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from faier.auditing.adapters import ToDPSniper, to_statdp

from .subjects import Tested

Found = tuple[float | None, str]
_STEPS = 10


@dataclass(frozen=True)
class Peer:
    name: str
    run: Callable[[Tested, int], Found]


def peers() -> list[Peer]:
    """Those whose checkout is named in the environment."""
    found = []
    for variable, name, run in (
        ("FAIER_BENCH_STATDP", "StatDP", _statdp), ("FAIER_BENCH_DPSNIPER", "DP-Sniper", _dpsniper),
    ):  # fmt: skip
        if folder := os.environ.get(variable):
            sys.path.insert(0, folder)
            found.append(Peer(name, run))
    return found


def _statdp(subject: Tested, samples: int) -> Found:
    """The largest epsilon that StatDP rejects at 0.05, by bisection."""
    from statdp import detect_counterexample

    # It gives every algorithm a privacy budget of its own; ours have theirs built in.
    algorithm = to_statdp(subject.sampler)
    databases = [(list(a), list(b), {}) for a, b in subject.pairs if isinstance(a, tuple)]
    if not databases:
        return None, "StatDP tests lists of answers only"
    low, high = 0.0, 4.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        told = detect_counterexample(
            algorithm, middle, {"epsilon": middle}, databases=databases, cores=1, quiet=True,
            event_iterations=samples // 5, detect_iterations=samples,
        )  # fmt: skip
        if told[0][1] < 0.05:
            low = middle
        else:
            high = middle
    return low, f"{_STEPS} claims tested"


def _dpsniper(subject: Tested, samples: int) -> Found:
    """The lower confidence bound of DP-Sniper's best attack, with logistic regression."""
    from dpsniper.attack.dpsniper import DPSniper
    from dpsniper.classifiers.classifier_factory import LogisticRegressionFactory
    from dpsniper.classifiers.torch_optimizer_factory import SGDOptimizerFactory
    from dpsniper.search.ddconfig import DDConfig
    from dpsniper.search.ddsearch import DDSearch
    from dpsniper.utils.initialization import initialize_dpsniper

    class Pairs:
        def get_input_pairs(self) -> Any:
            for a, b in subject.pairs:
                yield np.atleast_1d(a), np.atleast_1d(b)
                yield np.atleast_1d(b), np.atleast_1d(a)

    mechanism = ToDPSniper(subject.sampler)
    sample = mechanism.m(np.atleast_1d(subject.pairs[0][0]), 2)
    factory = LogisticRegressionFactory(1 if sample.ndim == 1 else sample.shape[1], SGDOptimizerFactory())
    config = DDConfig(n_processes=1, n_train=samples, n=samples, n_check=samples, n_final=samples)
    with tempfile.TemporaryDirectory() as folder, initialize_dpsniper(config, out_dir=folder):
        witness = DDSearch(mechanism, DPSniper(mechanism, factory, config), Pairs(), config).run()
        witness.compute_eps_high_precision(mechanism, config)
    bound = float(witness.lower_bound)
    return (bound if math.isfinite(bound) else None), f"witness {witness.a1} against {witness.a2}"
