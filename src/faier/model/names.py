"""Names of states, symbols and beliefs as text: in model files, in messages, in certificates."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable
from difflib import get_close_matches
from enum import Enum
from fractions import Fraction

from faier.errors import ModelError
from faier.number.digits import digits, exact_text

_PLAIN = re.compile(r"[^\s.\"'\[\]\\]+")


def label(name: Hashable) -> str:
    """The text of a name: a string as it is, 3 as "3", (1, "a") as "(1, a)"."""
    if isinstance(name, str) and not isinstance(name, Enum):
        return name
    if isinstance(name, Enum):
        return name.name
    if isinstance(name, bool):
        return str(name)
    if isinstance(name, int):
        return digits(name)
    if isinstance(name, Fraction):
        return exact_text(name)
    if isinstance(name, tuple):
        inner = ", ".join(map(label, name))
        return f"({inner},)" if len(name) == 1 else f"({inner})"
    if isinstance(name, frozenset):
        return "{" + ", ".join(sorted(map(label, name))) + "}"
    return str(name)


def labels(names: Iterable[Hashable], what: str) -> list[str]:
    """The texts of many names, all different; two names with one text are a `ModelError`."""
    found: dict[str, Hashable] = {}
    for name in names:
        text = label(name)
        if text in found:
            raise ModelError(f"the {what} {found[text]!r} and {name!r} would both be written {text!r}")
        found[text] = name
    return list(found)


def place(root: str, *keys: Hashable) -> str:
    """Where in a file: place("model.emit", "x") is model.emit.x; a key that would be misread is quoted."""
    return ".".join((root, *map(_key, keys)))


def _key(name: Hashable) -> str:
    word = label(name)
    if _PLAIN.fullmatch(word):
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def suggestion(name: object, known: Collection[Hashable]) -> str:
    """ "; did you mean 'x'?" where a known name is near, else ""."""
    if not isinstance(name, str) or len(known) > 200 or len(name) > 100:
        return ""
    near = get_close_matches(name, [k for k in known if isinstance(k, str)], 1)
    return f"; did you mean {near[0]!r}?" if near else ""
