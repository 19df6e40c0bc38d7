"""Running a user's Python file, with its own folder on the path, and saying what went wrong in it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from types import CodeType, ModuleType

from faier.errors import ModelError
from faier.mechanisms.watch import TimeIsUp

from .failures import explained


def imported(path: str) -> ModuleType:
    """Run the file and return its module: anew each time, as the file may have changed.

    What goes wrong is a `ModelError` with the user's own lines.
    """
    full = os.path.abspath(path)
    if not os.path.exists(full):
        raise ModelError("there is no such file", path)
    if os.path.isdir(full):
        raise ModelError("this is a directory, not a Python file", path)
    name = _name(full)
    loader = _Fresh(name, full)
    spec = spec_from_loader(name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    before = sys.modules.get(name)
    # Dataclasses and pickles look their module up by its name.
    sys.modules[name] = module
    try:
        with users_code(path):
            loader.exec_module(module)
    except BaseException:
        if before is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = before
        raise
    return module


@contextlib.contextmanager
def users_code(path: str) -> Iterator[None]:
    """Run what the file says: its folder is on the path, what it prints goes to stderr, its errors are explained.

    Stdout is for results, and with --json for nothing else. Afterwards the folder stays on the path, as the last place,
    for what functions import when they are called; there it cannot take the place of anything that faier needs.
    """
    folder = os.path.dirname(os.path.abspath(path))
    sys.path.insert(0, folder)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    except (KeyboardInterrupt, TimeIsUp):
        raise
    except BaseException as error:
        raise explained(error, path) from error
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(folder)
        if folder not in sys.path:
            sys.path.append(folder)


class _Fresh(SourceFileLoader):
    """Compiles the file itself: a cached one is taken for the file's by its time and size alone."""

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.get_data(self.path), self.path, "exec", dont_inherit=True)


def _name(full: str) -> str:
    """The file's own name where that is free, as an import would give it; else one that nobody has."""
    stem = os.path.splitext(os.path.basename(full))[0]
    other = sys.modules.get(stem)
    taken = other is not None and getattr(other, "__file__", None) != full
    if stem.isidentifier() and not taken and stem not in sys.stdlib_module_names:
        return stem
    return f"{stem}_{hashlib.sha256(full.encode('utf-8', 'surrogateescape')).hexdigest()[:12]}"
