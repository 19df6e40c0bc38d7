"""What went wrong in a user's file: the error, and the lines of the user's own that led to it."""

from __future__ import annotations

import linecache
import os
import sysconfig
import traceback

from faier.errors import FaierError, ModelError, Problem

_MOST_LINES = 6
_FOREIGN = tuple(
    os.path.realpath(folder) + os.sep
    for folder in {
        os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
        *(sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    }
)


def explained(error: BaseException, path: str) -> ModelError:
    """The error by its place in the file, with the lines that led to it where there is more than one."""
    full = os.path.realpath(path)
    if isinstance(error, SyntaxError) and error.filename is not None and os.path.realpath(error.filename) == full:
        text = (error.text or "").strip()
        return ModelError(f"{type(error).__name__}: {error.msg}" + (f": {text}" if text else ""), path, error.lineno)
    frames = _own(error, full)
    line = next((f.lineno for f in reversed(frames) if os.path.realpath(f.filename) == full), None)
    if isinstance(error, ModelError):
        # A model that is not valid names its own places.
        return ModelError([Problem(path, str(p), line) for p in error.problems])
    what = str(error) if isinstance(error, FaierError) else _named(error)
    shown = "" if len(frames) < 2 else "".join(f"\n  {_place(f, full)}" for f in frames[-_MOST_LINES:])
    if len(frames) == 1 and not isinstance(error, FaierError) and (text := _text(frames[0])):
        shown = f", at {text}"
    return ModelError(what + shown, path, line)


def _named(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _own(error: BaseException, full: str) -> list[traceback.FrameSummary]:
    """The user's own frames: neither Python's, nor those of installed packages, nor ours."""
    frames = traceback.extract_tb(error.__traceback__)
    return [
        f
        for f in frames
        if not f.filename.startswith("<")
        and ((where := os.path.realpath(f.filename)) == full or not where.startswith(_FOREIGN))
    ]


def _place(frame: traceback.FrameSummary, full: str) -> str:
    where = os.path.realpath(frame.filename)
    file = "" if where == full else f"{os.path.relpath(where, os.path.dirname(full))}, "
    text = _text(frame)
    return f"{file}line {frame.lineno}, in {frame.name}" + (f": {text}" if text else "")


def _text(frame: traceback.FrameSummary) -> str:
    linecache.checkcache(frame.filename)
    return linecache.getline(frame.filename, frame.lineno or 0).strip()
