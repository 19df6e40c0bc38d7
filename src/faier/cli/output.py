"""Writing to stdout, stderr and files: whole, or not at all."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from faier.errors import UsageError

if TYPE_CHECKING:
    from rich.console import RenderableType


def emit(text: str) -> None:
    """Write a line to stdout at once; a reader that has gone away is no error."""
    try:
        click.echo(text)
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()


def emit_json(record: object) -> None:
    # Plain ASCII, because stdout may have any encoding and JSON readers do not care.
    import json

    emit(json.dumps(record, allow_nan=False))


def emit_result(sentence: str, view: RenderableType) -> None:
    """Write a result for people: its sentence on one line, however long, and what follows it."""
    from rich.console import Console

    from faier.report.terminal import coloured

    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    with console.capture() as captured:
        console.print(coloured(sentence), soft_wrap=True)
        console.print(view)
    emit("\n".join(line.rstrip() for line in captured.get().rstrip().split("\n")))


def warn(text: str) -> None:
    click.echo(f"warning: {text}", err=True)


def note(text: str) -> None:
    click.echo(f"note: {text}", err=True)


def silence_stdout() -> None:
    """Send what is still buffered nowhere, so that the interpreter does not complain when it exits."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)


@dataclass(frozen=True)
class Target:
    """A file that will be written; that this is possible was tried when it was made."""

    path: str

    @classmethod
    def reserve(cls, path: str, *, source: str) -> Target:
        """Raise `UsageError` unless the file can be written and is not the one that is being read."""
        from faier.targets.address import file_of

        source = file_of(source)
        if os.path.isdir(path):
            raise UsageError(f"{path} is a directory, not a file that can be written")
        if os.path.exists(path) and os.path.exists(source) and os.path.samefile(path, source):
            raise UsageError(f"{path} is the file that is read; give another name to write to")
        target = cls(path)
        try:
            if target._is_special():
                return target
            handle, trial = tempfile.mkstemp(dir=target._folder(), prefix=".faier-")
            os.close(handle)
            os.unlink(trial)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}") from error
        return target

    def write(self, writer: Callable[[str], None]) -> None:
        """Call `writer` with a path, and put the finished file in its place in one step."""
        if self._is_special():
            self._pour(writer)
            return
        handle, fresh = tempfile.mkstemp(dir=self._folder(), prefix=".faier-")
        os.close(handle)
        try:
            writer(fresh)
            os.chmod(fresh, self._mode())
            os.replace(fresh, os.path.realpath(self.path))
        except BaseException:
            with suppress(OSError):
                os.unlink(fresh)
            raise

    def _pour(self, writer: Callable[[str], None]) -> None:
        with tempfile.TemporaryDirectory(prefix="faier-") as folder:
            whole = os.path.join(folder, "whole")
            writer(whole)
            with open(whole, "rb") as source, open(self.path, "wb") as target:
                shutil.copyfileobj(source, target)

    def _folder(self) -> str:
        return os.path.dirname(os.path.realpath(self.path))

    def _is_special(self) -> bool:
        """A device or a pipe is poured into: replacing it would destroy it."""
        return os.path.exists(self.path) and not os.path.isfile(self.path)

    def _mode(self) -> int:
        with suppress(OSError):
            return stat.S_IMODE(os.stat(self.path).st_mode)
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def write_text(target: Target, text: str) -> None:
    def write(path: str) -> None:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)

    target.write(write)
