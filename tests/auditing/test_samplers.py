"""Everything that can be run as a sampler, and everything that can go wrong with it."""

from __future__ import annotations

import math
import random
import sys
import textwrap
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import faier
from faier.auditing.command import CommandSampler
from faier.auditing.models import TableSampler, word_sampler
from faier.auditing.sampler import as_sampler, counts
from faier.together.words import probability

MANY = 200_000


def expect_frequencies(found: Any, exact: dict[Any, Fraction]) -> None:
    total = sum(found.values())
    assert set(found) <= set(exact)
    kept = [k for k, p in exact.items() if p > 0]
    observed = [found.get(k, 0) for k in kept]
    assert chisquare(observed, [float(exact[k]) * total for k in kept]).pvalue > 1e-4


def test_a_mechanism_by_its_table() -> None:
    noisy = faier.library.noisy_max(queries=3)
    exact = {k: v for k, v in noisy.distribution((1, 1, 2)).items() if isinstance(v, Fraction)}
    sampler = TableSampler(noisy)
    expect_frequencies(counts(sampler, (1, 1, 2), MANY, 1), exact)
    drawn = sampler.sample((1, 1, 2), MANY, 2).tolist()
    expect_frequencies({k: drawn.count(k) for k in exact}, exact)
    assert counts(sampler, (1, 1, 2), 1000, 3) == counts(sampler, (1, 1, 2), 1000, 3)


def test_a_model_by_its_steps_with_runs_that_end() -> None:
    model = faier.HMM(
        emit={"a": {"x": "1/2", "y": "1/2"}, "b": {"x": "1/5", "y": "4/5"}, "c": {"y": 1}},
        step={"a": {"a": "1/3", "b": "1/3", "c": "1/3"}, "b": {"c": 1}},
    )
    scenario = faier.Scenario.of(model, [("a", "b")], horizon=3)
    sampler = word_sampler(scenario)
    start = scenario.pairs[0].left
    found = sampler.counts(start, MANY, 1)
    assert {len(word) for word in found} == {2, 3}
    exact = {word: probability(scenario, start, word) for word in found}
    assert sum(exact.values()) == 1
    expect_frequencies(found, exact)
    expect_frequencies({w: list(sampler.sample(start, 5000, 2)).count(w) for w in exact}, exact)


def test_horizons_and_parameters_that_cannot_be_sampled() -> None:
    coin = faier.HMM(emit={"a": {"x": "1/2", "y": "1/2"}, "b": {"x": "1/3", "y": "2/3"}})
    with pytest.raises(faier.UsageError, match="finite horizon"):
        word_sampler(faier.Scenario.of(coin, [("a", "b")], horizon="any"))
    unknown = faier.HMM(emit={"a": {"x": "p", "y": "1-p"}, "b": {"x": 1}}, parameters={"p": "0 < p < 1"})
    with pytest.raises(faier.UsageError, match="unknown parameters"):
        word_sampler(faier.Scenario.of(unknown, [("a", "b")], horizon=1))


@pytest.mark.parametrize(
    "function",
    [
        lambda data: random.choice([data, -data]),
        lambda data, rng: int(rng.choice([data, -data])),
        lambda data, n, seed: np.random.default_rng(seed).choice([data, -data], n),
        lambda data, n: np.random.choice([data, -data], n),
    ],
)
def test_every_way_to_call_a_function_is_repeatable(function: Any) -> None:
    sampler = as_sampler(function)
    found = counts(sampler, 3, 1000, 7)
    assert found == counts(sampler, 3, 1000, 7)
    assert set(found) == {3, -3}
    assert found != counts(sampler, 3, 1000, 8)


def test_outputs_of_arrays_and_tuples() -> None:
    rows = as_sampler(lambda data, n, seed: np.tile([1, 2], (n, 1)))
    assert counts(rows, 0, 5, 0) == {(1, 2): 5}
    assert counts(as_sampler(lambda data: (1, (np.int64(2), "a"))), 0, 5, 0) == {(1, (2, "a")): 5}
    assert counts(as_sampler(lambda data: [1, 2]), 0, 5, 0) == {(1, 2): 5}
    assert counts(as_sampler(lambda data: np.array([1.5, 2])), 0, 5, 0) == {(1.5, 2.0): 5}


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda data: 1 / 0, "raised ZeroDivisionError"),
        (lambda data: None, "gave nothing"),
        (lambda data: math.nan, "gave nan"),
        (lambda data: {"a": 1}, "not hashable"),
        (lambda data: object(), "equals nothing but itself"),
        (lambda data: (1, object()), "equals nothing but itself"),
        (lambda data: sys.exit(3), "raised SystemExit: 3"),
        (lambda data, n, seed: [1] * (n - 1), "gave 9 outputs"),
        (lambda data, n, seed: 3, "asked for 10 outputs and gave 3"),
        (lambda data, n, seed: np.zeros((n, 2, 2)), "3 axes"),
        (lambda data, n, seed: np.array([np.inf] * n), "gave inf"),
    ],
)
def test_what_is_no_output_is_said(function: Any, said: str) -> None:
    with pytest.raises(faier.SamplerError, match=said):
        counts(as_sampler(function), 0, 10, 0)


def test_members_of_an_enumeration_are_outputs() -> None:
    class Answer(Enum):
        YES = 1

    assert counts(as_sampler(lambda data: Answer.YES), 0, 10, 0) == {Answer.YES: 10}


def test_what_is_no_sampler_is_said() -> None:
    with pytest.raises(faier.UsageError, match="a sampler is"):
        as_sampler(3)
    with pytest.raises(faier.UsageError, match="takes no data set"):
        as_sampler(lambda: 3)
    with pytest.raises(faier.UsageError, match="takes 4 arguments"):
        as_sampler(lambda a, b, c, d: 3)


def script(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "sampler.py"
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return [sys.executable, str(path)]


def test_a_command_reads_and_writes_a_line_each(tmp_path: Path) -> None:
    command = script(
        tmp_path,
        """
        import json, os, random, sys
        random.seed(int(os.environ["FAIER_SEED"]))
        for line in sys.stdin:
            data = json.loads(line)
            print(json.dumps([sum(data) + random.randint(0, 1), "x"]))
        """,
    )
    sampler = CommandSampler(command)
    found = counts(sampler, (1, 2), 500, 3)
    assert set(found) == {(3, "x"), (4, "x")}
    assert found == counts(sampler, (1, 2), 500, 3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("raise SystemExit('out of noise')", "ended with status 1: out of noise"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ended by signal 9"),
        ("import time; time.sleep(60)", "did not end within"),
        ("import sys; print('\\n'.join(['1'] * 9))", "given 10 lines and answered 9"),
        ("print('hello\\n' * 10, end='')", "line 1 of its output is not JSON"),
        ("print('NaN\\n' * 10, end='')", "NaN, which is no output"),
        ("print('null\\n' * 10, end='')", "null, which is no output"),
        ("print('{}\\n' * 10, end='')", "an object"),
        ("import sys; sys.stdout.buffer.write(b'\\xff\\n' * 10)", "not UTF-8"),
    ],
)
def test_a_command_that_dies_hangs_or_babbles(tmp_path: Path, text: str, said: str) -> None:
    sampler = CommandSampler(script(tmp_path, text), seconds=3 if "sleep" in text else 60)
    with pytest.raises(faier.SamplerError, match=said):
        counts(sampler, (1, 2), 10, 0)


def test_a_command_that_does_not_exist() -> None:
    with pytest.raises(faier.SamplerError, match="could not be started"):
        CommandSampler("/nowhere/at/all").sample(1, 1, 0)
    with pytest.raises(faier.UsageError, match="empty"):
        CommandSampler("")
    with pytest.raises(faier.UsageError, match="no closing quotation"):
        CommandSampler("python 'release.py")
