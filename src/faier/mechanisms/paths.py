"""The exact distribution of a function's output: it is run again along every path of its draws."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from faier.errors import FaierError, MechanismError
from faier.number.digits import short_text
from faier.number.exact import Prob, kind_of

from .choices import answered_by
from .distribution import Distribution, Value
from .watch import TookTooLong, watched

MOST_PATHS = 1_000_000
MOST_DRAWS = 1_000
_SECONDS_A_RUN = 10.0
_RUN_TWICE = 32


@dataclass
class _Draw:
    among: Distribution
    values: list[Value]
    taken: int = 0

    @property
    def value(self) -> Value:
        return self.values[self.taken]


@dataclass
class _Path:
    """The choices of one run; those already there are taken again, further ones start with the first value."""

    draws: list[_Draw] = field(default_factory=list)
    position: int = 0

    def choose(self, among: Distribution) -> Value:
        if self.position == len(self.draws):
            if self.position >= MOST_DRAWS:
                raise _Endless
            self.draws.append(_Draw(among, list(among)))
        draw = self.draws[self.position]
        if draw.among is not among and dict(draw.among) != dict(among):
            raise _Unsteady(f"draw {self.position + 1} is from {among!r}, and was from {draw.among!r}")
        self.position += 1
        return draw.value

    def weight(self) -> Prob:
        product: Prob = Fraction(1)
        for draw in self.draws:
            product = product * draw.among[draw.value]
        return product

    def advance(self) -> bool:
        """Go to the next path; False after the last."""
        self.position = 0
        while self.draws:
            last = self.draws[-1]
            if last.taken + 1 < len(last.values):
                last.taken += 1
                return True
            self.draws.pop()
        return False

    def text(self) -> str:
        """Which draws led here."""
        if not self.draws:
            return "before any draw"
        shown = [repr(draw.value) for draw in self.draws]
        if len(shown) > 12:
            shown = [*shown[:6], "...", *shown[-4:]]
        count = len(self.draws)
        return f"after {count} draw{'' if count == 1 else 's'}: {', '.join(shown)}"


class _Endless(Exception):
    pass


class _Unsteady(Exception):
    pass


def enumerate_paths(function: Callable[..., Any], arguments: tuple[Any, ...], name: str) -> Distribution:
    """Guarantee: the exact distribution of what the function returns for these arguments.

    Everything random in it has to be a draw. What goes wrong on a path is a `MechanismError` that shows the path.
    """
    outcomes: dict[Hashable, Prob] = {}
    path = _Path()
    paths = 0
    with watched(_SECONDS_A_RUN) as watch:
        while True:
            outcome = _run(function, arguments, path, name, watch.restart)
            if paths < _RUN_TWICE:
                again = _run(function, arguments, path, name, watch.restart)
                if again != outcome or path.position != len(path.draws):
                    raise _unsteady(name, path, f"it returned {outcome!r} and then {again!r}")
            outcomes[outcome] = outcomes.get(outcome, Fraction(0)) + path.weight()
            paths += 1
            if paths > MOST_PATHS:
                raise MechanismError(
                    f"{name}{_of(arguments)} has more than {MOST_PATHS:,} paths; draw less, or draw sums and counts "
                    "from their own distributions"
                )
            if not path.advance():
                break
    return Distribution(outcomes)


def _run(
    function: Callable[..., Any], arguments: tuple[Any, ...], path: _Path, name: str, restart: Callable[[], None]
) -> Hashable:
    path.position = 0
    known = len(path.draws)
    restart()
    try:
        with answered_by(path):
            outcome = function(*arguments)
    except _Endless:
        raise MechanismError(
            f"{name}{_of(arguments)} makes more than {MOST_DRAWS:,} draws on one path: a loop without an end? "
            f"{path.text()}"
        ) from None
    except _Unsteady as error:
        raise _unsteady(name, path, str(error)) from None
    except TookTooLong:
        raise MechanismError(
            f"{name}{_of(arguments)} does not end within {_SECONDS_A_RUN:g} s: a loop without an end? {path.text()}"
        ) from None
    except (FaierError, Exception) as error:
        what = str(error) if isinstance(error, FaierError) else f"it raised {type(error).__name__}: {error}"
        raise MechanismError(f"{name}{_of(arguments)}, {path.text()}: {what}") from error
    if path.position < known:
        raise _unsteady(name, path, f"it makes {path.position} draws, and made more")
    return _checked(outcome, name, arguments, path)


def _checked(outcome: Any, name: str, arguments: tuple[Any, ...], path: _Path) -> Hashable:
    where = f"{name}{_of(arguments)}, {path.text()}"
    if outcome is None:
        raise MechanismError(f"{where}: it returns nothing; return the symbol that is released")
    if inspect.isawaitable(outcome) or inspect.isgenerator(outcome):
        raise MechanismError(f"{where}: it returns {kind_of(outcome)}, not a symbol; a mechanism is a plain function")
    try:
        hash(outcome)
    except MechanismError as error:
        raise MechanismError(f"{where}: {error}") from error
    except TypeError:
        advice = "; return a tuple" if isinstance(outcome, list) else ""
        raise MechanismError(f"{where}: it returns {kind_of(outcome)}, which is not hashable{advice}") from None
    if isinstance(outcome, float):
        raise MechanismError(f"{where}: it returns the float {outcome!r}; release an int, a string or a Fraction")
    symbol: Hashable = outcome
    return symbol


def _unsteady(name: str, path: _Path, what: str) -> MechanismError:
    return MechanismError(
        f"{name} is not the same when it is run again along the same draws: {what}. Something in it is random, or "
        f"remembered, besides faier.draw and faier.flip ({path.text()})"
    )


def _of(arguments: tuple[Any, ...]) -> str:
    return f"({', '.join(short(a) for a in arguments)})"


def short(value: object) -> str:
    """A value in a message."""
    if isinstance(value, Fraction):
        return short_text(value)
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:56]}..."
