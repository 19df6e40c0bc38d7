"""From the text of an expression to postfix order: tokens, precedence, parentheses. Nothing is evaluated.

There is no recursion, so that no text can exhaust Python's stack; nesting is capped all the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NoReturn, TypeAlias

from faier.errors import NumberError

MOST_CHARACTERS = 100_000
MOST_DEPTH = 100

Kind: TypeAlias = Literal["number", "name", "call", "sum", "(", ")", "+", "-", "*", "/", "^", "negate", "plus"]


@dataclass(frozen=True, slots=True)
class Token:
    kind: Kind
    text: str
    at: int


NAME = re.compile(r"[A-Za-z_]\w*")
_TOKEN = re.compile(
    r"[ \t\r\n]*(?:(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_]\w*)|(?P<sign>[-+*/^()])|(?P<other>[^ \t\r\n]))"
)
# A sign binds more weakly than a power (-2^2 is -4), and powers group from the right (2^3^2 is 2^9).
_BINDS: dict[str, int] = {"+": 1, "-": 1, "*": 2, "/": 2, "negate": 3, "plus": 3, "^": 4, "call": 5}
_NESTS = frozenset({"(", "negate", "plus", "^", "call"})
_HINTS = {
    "=": "a single expression is expected here",
    ",": "write a decimal point, not a comma",
    "≤": "write <=",
    "≥": "write >=",
    "−": "write - for minus",
    "·": "write * for a product",
    "×": "write * for a product",
}


FUNCTIONS = frozenset({"exp", "ln"})


class PlacedError(NumberError):
    """A `NumberError` that already says where in the text it is."""


def postfix(text: str, sums: re.Pattern[str] | None = None) -> list[Token]:
    """The tokens of `text`, operators after their operands; exp and ln are calls with one argument.

    A bracket that matches `sums` is one token, an operand.
    A text that is not an expression is a `NumberError` of one line: what is wrong, and at which character.
    """
    if len(text) > MOST_CHARACTERS:
        raise NumberError(
            f"the expression has {len(text)} characters; the most accepted is {MOST_CHARACTERS}"
        )
    order = _Order(text)
    for token in _tokens(text, sums):
        order.take(token)
    return order.finish()


def fail(text: str, at: int, what: str) -> NoReturn:
    """Raise with the position, counted from 1, and with the text where it is short."""
    shown = f' in "{text}"' if len(text) <= 80 and text.isprintable() else ""
    raise PlacedError(f"{what}, at character {at + 1}{shown}")


class _Order:
    """Dijkstra's shunting yard: `output` is in postfix order, `waiting` holds what still lacks an operand."""

    def __init__(self, text: str):
        self.text = text
        self.output: list[Token] = []
        self.waiting: list[Token] = []
        self.depth = 0
        self.before: Token | None = None

    def take(self, token: Token) -> None:
        kind, before = token.kind, self.before
        if before is not None and before.kind == "call" and kind not in ("(", "number"):
            fail(self.text, token.at, f"{before.text} needs its argument in parentheses")
        if kind in ("number", "name", "call", "sum", "("):
            self._start(token)
        elif kind == ")":
            self._close(token)
        elif self._has_operand():
            self._operate(token)
        else:
            self._sign(token)
        if self.depth > MOST_DEPTH:
            fail(self.text, token.at, f"nested deeper than {MOST_DEPTH}")
        self.before = token

    def finish(self) -> list[Token]:
        if self.before is None:
            raise NumberError("the expression is empty; a number is expected")
        if not self._has_operand():
            fail(self.text, self.before.at, f"a number is missing after '{self.before.text}'")
        while self.waiting:
            if self.waiting[-1].kind == "(":
                fail(self.text, self.waiting[-1].at, "'(' is never closed")
            self._release()
        return self.output

    def _has_operand(self) -> bool:
        return self.before is not None and self.before.kind in ("number", "name", "sum", ")")

    def _start(self, token: Token) -> None:
        if self._has_operand():
            # Two operands side by side are a product only in "4 ln 2", where nothing could be misread.
            plain = not self.waiting or self.waiting[-1].kind in ("+", "-", "(", "negate", "plus")
            if token.kind == "(" and self.before is not None and self.before.kind == "name":
                hint = "; write ln for the natural logarithm" if self.before.text.startswith("log") else ""
                fail(self.text, self.before.at, f"unknown function {self.before.text!r}{hint}")
            if not (token.text == "ln" and self.before and self.before.kind == "number" and plain):
                shown = "(" if token.kind == "sum" else token.text
                fail(self.text, token.at, f"an operator is missing before '{shown}'")
            self._push(Token("*", "*", token.at))
        if token.kind in ("number", "name", "sum"):
            self.output.append(token)
        else:
            self._push(token)

    def _close(self, token: Token) -> None:
        if not self._has_operand():
            fail(self.text, token.at, "a number is missing before ')'")
        while self.waiting and self.waiting[-1].kind != "(":
            self._release()
        if not self.waiting:
            fail(self.text, token.at, "')' without '('")
        self.waiting.pop()
        self.depth -= 1

    def _operate(self, token: Token) -> None:
        if token.kind in ("*", "/", "^") and self._follows_bare_call():
            assert self.before is not None
            name = self.waiting[-1].text
            fail(
                self.text,
                token.at,
                f"write parentheses to say what {name} applies to, as in {name}({self.before.text})",
            )
        while self.waiting and _leaves_first(self.waiting[-1].kind, token.kind):
            self._release()
        self._push(token)

    def _sign(self, token: Token) -> None:
        before = self.before
        if token.kind == "*" and before is not None and before.kind == "*" and before.at == token.at - 1:
            fail(self.text, before.at, "write ^ for a power, not **")
        if token.kind not in ("+", "-"):
            fail(self.text, token.at, f"a number is missing before '{token.text}'")
        self._push(Token("negate" if token.kind == "-" else "plus", token.text, token.at))

    def _follows_bare_call(self) -> bool:
        """Whether the token before is the argument of a call without parentheses: the 2 of "ln 2"."""
        return bool(self.waiting) and self.waiting[-1].kind == "call" and self.output[-1] is self.before

    def _push(self, token: Token) -> None:
        self.waiting.append(token)
        self.depth += token.kind in _NESTS

    def _release(self) -> None:
        token = self.waiting.pop()
        self.depth -= token.kind in _NESTS
        self.output.append(token)


def _tokens(text: str, sums: re.Pattern[str] | None) -> list[Token]:
    found: list[Token] = []
    position = 0
    while (match := _TOKEN.match(text, position)) is not None:
        at, kind = match.start(match.lastgroup or 0), match.lastgroup
        word, position = match.group(kind or 0), match.end()
        if kind == "number":
            found.append(Token("number", word, at))
        elif kind == "name":
            found.append(Token("call" if word in FUNCTIONS else "name", word, at))
        elif kind == "sign":
            is_argument = bool(found) and found[-1].kind in ("name", "call")
            if word == "(" and sums and not is_argument and (bracket := sums.match(text, at)) is not None:
                found.append(Token("sum", bracket[0], at))
                position = bracket.end()
            else:
                found.append(Token(word, word, at))  # type: ignore[arg-type]
        elif kind == "other":
            hint = f" ({_HINTS[word]})" if word in _HINTS else ""
            fail(text, at, f"unknown character {word!r}{hint}")
    return found


def _leaves_first(waiting: Kind, coming: Kind) -> bool:
    """Whether a waiting operator takes its operands before the coming one does."""
    if waiting == "(":
        return False
    if coming == "^":
        return waiting == "call"
    return _BINDS[waiting] >= _BINDS[coming]
