"""From a file to TOML data: everything that can be wrong before the meaning of the file is looked at."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from typing import Any

from faier.errors import ModelError

SIZE_LIMIT = 1 << 26
_MOST_NESTED = 100
# Python converts this many at any setting of its own limit; beyond it conversion may also take quadratic time.
_MOST_DIGITS = sys.int_info.str_digits_check_threshold
_LONG_RUN = re.compile(rf"(?<![0-9A-Fa-f_])[0-9A-Fa-f_]{{{_MOST_DIGITS + 1}}}")
_TOKENS = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}|'
    r"'''(?:[^']|'{1,2}(?!'))*'{3,5}|"
    r'"(?:[^"\\\n]|\\.)*"|'
    r"'[^'\n]*'|"
    r"#[^\n]*|"
    r"(?P<bare>[\w+-]+)",
    re.DOTALL,
)
_INTEGER = re.compile(r"[+-]?(?:0[xob])?[0-9A-Fa-f_]+")


def read_text(path: str | os.PathLike[str], size_limit: int = SIZE_LIMIT) -> str:
    """The text of a file in UTF-8; what cannot be read, and how, is a `ModelError` that names the file."""
    name = os.fsdecode(path)
    try:
        with open(path, "rb") as file:
            data = file.read(size_limit + 1)
    except FileNotFoundError:
        raise ModelError("there is no such file", name) from None
    except IsADirectoryError:
        raise ModelError("this is a directory, not a model file", name) from None
    except PermissionError:
        raise ModelError("no permission to read this file", name) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ModelError(f"cannot be read: {reason}", name) from None
    if len(data) > size_limit:
        raise ModelError(
            f"the file is larger than {size_limit} bytes; --size-limit, size_limit in Python, raises the limit", name
        )
    return decode(data, name)


def decode(data: bytes, name: str) -> str:
    """UTF-8, with or without a byte order mark, and without NUL."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise ModelError("the file is UTF-16; save it as UTF-8", name, 1)
    data = data.removeprefix(b"\xef\xbb\xbf")
    if (at := data.find(b"\0")) >= 0:
        raise ModelError(f"a NUL byte at offset {at}; this is not a text file", name, _line(data, at))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = _line(data, error.start)
        raise ModelError(
            f"not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}", name, line
        ) from None


def parse(text: str, name: str) -> dict[str, Any]:
    """TOML to Python values; the first syntax error is a `ModelError` with its line."""
    if not text.strip():
        raise ModelError("the file is empty", name)
    if (at := _long_number(text)) is not None:
        message = f"a number of more than {_MOST_DIGITS} digits stands without quotes; write it as a string"
        raise ModelError(message, name, text.count("\n", 0, at) + 1)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ModelError("arrays or tables are nested too deeply", name, _deep_line(text)) from None
    except tomllib.TOMLDecodeError as error:
        message, line = _translate(text, str(error))
        raise ModelError(message, name, line) from None


def _long_number(text: str) -> int | None:
    """Where the first number stands that is too long to be handed to Python's own conversion."""
    if _LONG_RUN.search(text) is None:
        return None
    for token in _TOKENS.finditer(text):
        word = token["bare"]
        if word and len(word.replace("_", "")) > _MOST_DIGITS and _INTEGER.fullmatch(word):
            return token.start()
    return None


def _translate(text: str, said: str) -> tuple[str, int | None]:
    """Turn tomllib's sentence into ours: no position at its end, and plain where a key comes twice."""
    match = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", said)
    message = said[: match.start()] if match else said
    line = text.rstrip("\n").count("\n") + 1
    column = ""
    if match and match[1]:
        line, column = int(match[1]), f", at column {match[2]}"
    if message == "Cannot overwrite a value":
        shown = text.split("\n")[line - 1].partition("=")[0].strip()
        return f"the key {shown} is given twice" if 0 < len(shown) <= 60 else "a key is given twice", line
    if (twice := re.fullmatch(r"Duplicate inline table key (.*)", message)) is not None:
        return f"the key {twice[1]} is given twice", line
    if (twice := re.fullmatch(r"Cannot declare \((.*?),?\) twice", message)) is not None:
        header = ".".join(part.strip().strip("'\"") for part in twice[1].split(", "))
        return f"the table [{header}] is given twice", line
    return f"{message}{column}", line


def _deep_line(text: str) -> int | None:
    depth = 0
    for match in re.finditer(r"[\[{\]}]", text):
        depth += 1 if match[0] in "[{" else -1
        if depth > _MOST_NESTED:
            return text.count("\n", 0, match.start()) + 1
    return None


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1
