"""Both cores: commands whose pieces know nothing of one another, with one process and with two, by the clock."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory

import faier
from faier.certificate import certify
from faier.certificate.write import dump
from faier.model.toml_write import dumps

from .rates import noisy_max, truth
from .row import Options, Row, expect
from .timing import Time, once

STEPS = '''
import faier
from faier import draw, flip

@faier.mechanism(inputs=range({inputs}), adjacent=faier.each_within(1))
def steps(x):
    s = sum(flip("1/3") for _ in range(11))
    return (x + s) % 7 if flip("1/2") else draw({{i: "1/7" for i in range(7)}})
'''
REPEATS = 2
PEOPLE = 2


def rows(options: Options) -> Iterator[Row]:
    inputs, rates = (12, 4) if options.quick else (60, 6)
    with TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "steps.py").write_text(STEPS.format(inputs=inputs))
        yield _row(f"`faier epsilon` of a Python function, {inputs} data sets", ["epsilon", "steps.py:steps"], home)
        model, proof = home / "rates.toml", home / "proof.json"
        model.write_text(dumps(noisy_max(rates, PEOPLE, truth(rates, PEOPLE))))
        what = f"of noisy max, {rates} unknown rates"
        yield _row(f"`faier epsilon` {what}", ["epsilon", model.name], home)
        verdict = faier.verify(faier.load(model))
        expect(isinstance(verdict, faier.Holds), str(verdict))
        dump(certify(verdict), proof)
        yield _row(f"`faier check` {what}", ["check", proof.name, model.name], home)


def _row(what: str, arguments: Sequence[str], home: Path) -> Row:
    """Both say the same but for the seconds; they take turns, so that the machine's moods are shared."""
    times: dict[int, list[Time]] = {1: [], 2: []}
    said: dict[int, str] = {}
    for _ in range(REPEATS):
        for jobs in times:
            said[jobs], spent = once(partial(_answer, arguments, home, jobs))
            times[jobs].append(spent)
    expect(said[1] == said[2], f"{what}: {said}")
    one, two = (min(found, key=lambda time: time.wall) for found in times.values())
    told = f"{two.wall:.2g} s by the clock with two processes, {one.wall:.2g} s with one"
    return Row(what, told, two, "one process", one, f"{one.wall / two.wall:.2g} times as fast")


def _answer(arguments: Sequence[str], home: Path, jobs: int) -> str:
    source = str(Path(faier.__file__).parent.parent)
    command = [sys.executable, "-m", "faier", *arguments, "--jobs", str(jobs)]
    done = run(command, capture_output=True, cwd=home, env=os.environ | {"PYTHONPATH": source}, check=False, text=True)
    expect(done.returncode == 0, done.stderr)
    return done.stdout.splitlines()[0]
