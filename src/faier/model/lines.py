"""On which line of a TOML file a place such as compare[0].left stands. It may not know; it never fails."""

from __future__ import annotations

import re
import tomllib

from .names import place

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_BLANK = re.compile(r"[ \t]*")
_FILLER = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_BASIC = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_LITERAL = re.compile(r"'[^'\n]*'")
_LONG_BASIC = re.compile(r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}', re.DOTALL)
_LONG_LITERAL = re.compile(r"'''(?:[^']|'{1,2}(?!'))*'{3,5}", re.DOTALL)
_DEEPEST = 20
_PLAIN = re.compile(r"[^,\]}#\n]+")


def line_of(places: dict[str, int], where: str) -> int | None:
    """The line of a place, or of the nearest table around it that stands in the file."""
    while where:
        if where in places:
            return places[where]
        cut = max(where.rfind("."), where.rfind("["))
        where = where[:cut] if cut > 0 else ""
    return None


def lines(text: str) -> dict[str, int]:
    """Place -> line, for every table and key of a file that is valid TOML. The first mention counts."""
    return _Scanner(text).scan()


class _Scanner:
    def __init__(self, text: str):
        self.text = text
        self.at = 0
        self.places: dict[str, int] = {}
        self.arrays: dict[str, int] = {}
        self._counted = (0, 1)

    def scan(self) -> dict[str, int]:
        table = ""
        while True:
            self._skip(_FILLER)
            start = self.at
            if self.at >= len(self.text):
                return self.places
            if self.text.startswith("[[", self.at):
                self.at += 2
                table = self._table(array=True)
            elif self.text.startswith("[", self.at):
                self.at += 1
                table = self._table(array=False)
            else:
                self._value(self._keys(table))
            if self.at == start:
                return self.places

    def _table(self, array: bool) -> str:
        line, where = self._line(), ""
        keys = self._dotted()[:_DEEPEST]
        for i, key in enumerate(keys):
            where = self._join(where, key)
            if array and i == len(keys) - 1:
                self.places.setdefault(where, line)
                self.arrays[where] = self.arrays.get(where, -1) + 1
            if where in self.arrays:
                where = f"{where}[{self.arrays[where]}]"
            self.places.setdefault(where, line)
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end
        return where

    def _keys(self, table: str) -> str:
        """Read `a.b =`, note the line, and return the place."""
        line, where = self._line(), table
        for key in self._dotted()[:_DEEPEST]:
            where = self._join(where, key)
            self.places.setdefault(where, line)
        self._skip(_BLANK)
        if self.text.startswith("=", self.at):
            self.at += 1
        return where

    def _value(self, where: str) -> None:
        """Skip a value, noting keys of inline tables and elements of arrays; a stack, not recursion."""
        stack: list[tuple[str, int]] = []  # the array or table we are in, and the index in it (-1: a table)
        while True:
            self._skip(_FILLER if stack else _BLANK)
            here = self.text[self.at : self.at + 1]
            if here in ("[", "{"):
                self.at += 1
                stack.append((where, 0 if here == "[" else -1))
            elif here in ("]", "}") and stack:
                self.at += 1
                stack.pop()
            elif here == "," and stack:
                self.at += 1
                parent, index = stack.pop()
                stack.append((parent, index + 1 if index >= 0 else -1))
            elif not self._atom():
                return
            if not stack:
                return
            self._skip(_FILLER)
            parent, index = stack[-1]
            following = self.text[self.at : self.at + 1]
            if following in (",", "]", "}", ""):
                where = parent
                if not following:
                    return
            elif index >= 0 and len(stack) > _DEEPEST:
                where = parent
            elif index >= 0:
                where = f"{parent}[{index}]"
                self.places.setdefault(where, self._line())
            else:
                where = self._keys(parent)

    def _atom(self) -> bool:
        for pattern in (_LONG_BASIC, _LONG_LITERAL, _BASIC, _LITERAL, _PLAIN):
            if (match := pattern.match(self.text, self.at)) is not None:
                self.at = match.end()
                return True
        return False

    def _dotted(self) -> list[str]:
        keys: list[str] = []
        while True:
            self._skip(_BLANK)
            for pattern in (_BARE, _BASIC, _LITERAL):
                if (match := pattern.match(self.text, self.at)) is not None:
                    break
            else:
                return keys
            self.at = match.end()
            keys.append(_unquoted(match[0]))
            self._skip(_BLANK)
            if not self.text.startswith(".", self.at):
                return keys
            self.at += 1

    def _join(self, where: str, key: str) -> str:
        return place(where, key) if where else place("", key)[1:]

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def _line(self) -> int:
        position, line = self._counted
        line += self.text.count("\n", position, self.at)
        self._counted = (self.at, line)
        return line


def _unquoted(key: str) -> str:
    if key[:1] not in ("'", '"'):
        return key
    if "\\" not in key:
        return key[1:-1]
    try:
        return str(tomllib.loads(f"key = {key}")["key"])
    except ValueError:
        return key[1:-1]
