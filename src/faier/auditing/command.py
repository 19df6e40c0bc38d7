"""An external command as a sampler: a data set per line goes in, an output per line comes out, both as JSON."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from faier.errors import SamplerError, UsageError

from .sampler import count_rows

_MOST_BYTES = 1 << 30
_SHOWN = 200
_QUOTED = 60


class CommandSampler:
    """Runs a command for every batch of samples.

    Each line of its input is a data set as JSON, such as [1, 1, 1]; each line of its output has to be the
    output for that line, as JSON. The seed is in the environment variable FAIER_SEED, which a command that
    wants to be repeatable reads.
    """

    def __init__(self, command: str | Sequence[str], *, seconds: float = 60.0):
        self.arguments = _split(command) if isinstance(command, str) else list(command)
        if not self.arguments:
            raise UsageError("the command to sample from is empty")
        self.name = f"the command {shlex.join(self.arguments)[:80]!r}"
        self.seconds = seconds

    def sample(self, data: Any, n: int, seed: int) -> npt.NDArray[Any]:
        """n outputs for a data set."""
        line = json.dumps(data, default=_refuse)
        answer = self._run((line + "\n") * n, seed)
        lines = answer.split("\n")
        if lines and lines[-1] == "":
            lines.pop()
        if len(lines) != n:
            raise SamplerError(f"{self.name} was given {n:,} lines and answered {len(lines):,}")
        outputs = np.empty(n, dtype=object)
        known: dict[str, Any] = {}
        for k, text in enumerate(lines):
            if text not in known:
                known[text] = self._read(text, k)
            outputs[k] = known[text]
        count_rows(outputs[:1], min(n, 1), self.name)
        return outputs

    def _run(self, text: str, seed: int) -> str:
        try:
            done = subprocess.run(
                self.arguments,
                input=text.encode(),
                capture_output=True,
                timeout=self.seconds,
                env={**os.environ, "FAIER_SEED": str(seed)},
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise SamplerError(
                f"{self.name} did not end within {self.seconds:g} s, and was stopped"
            ) from None
        except OSError as error:
            raise SamplerError(f"{self.name} could not be started: {error.strerror}") from error
        if done.returncode != 0:
            said = done.stderr.decode(errors="replace").strip().split("\n")[-1][:_SHOWN]
            status = done.returncode
            how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
            raise SamplerError(f"{self.name} {how}" + (f": {said}" if said else ""))
        if len(done.stdout) > _MOST_BYTES:
            raise SamplerError(f"{self.name} wrote more than {_MOST_BYTES >> 20} MiB")
        try:
            return done.stdout.decode()
        except UnicodeDecodeError:
            raise SamplerError(f"{self.name} wrote what is not UTF-8") from None

    def _read(self, text: str, line: int) -> Any:
        try:
            return _frozen(json.loads(text, parse_constant=_not_finite))
        except (ValueError, RecursionError) as error:
            why = str(error) if isinstance(error, _NotFinite) else "not JSON"
            raise SamplerError(
                f"{self.name}, line {line + 1} of its output is {why}: {_quoted(text)}"
            ) from None


def _split(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        why = str(error)
        raise UsageError(f"the command {command!r} cannot be split into words: {why[:1].lower()}{why[1:]}") from None


def _quoted(text: str) -> str:
    return repr(text) if len(text) <= _QUOTED else f"{text[:_QUOTED]!r}..."


class _NotFinite(ValueError):
    pass


def _not_finite(name: str) -> Any:
    raise _NotFinite(f"{name}, which is no output")


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(x) for x in value)
    if isinstance(value, dict):
        raise _NotFinite("an object; outputs are values or lists")
    if value is None:
        raise _NotFinite("null, which is no output")
    return value


def _refuse(value: object) -> Any:
    raise UsageError(f"a data set for a command is numbers, strings and lists, got {value!r}")
