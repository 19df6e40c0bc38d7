"""The exact distribution of a function's output: it is run again along every path of its draws."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Hashable
from fractions import Fraction
from os.path import basename
from typing import Any

from faier.errors import FaierError, MechanismError
from faier.number.digits import short_text
from faier.number.exact import Prob

from .current import answered_by
from .distribution import Distribution
from .elsewhere import Elsewhere
from .outcome import confused, other_than, symbol
from .path import MOST_DRAWS, Endless, Path, Unsteady
from .watch import TimeIsUp, TookTooLong, Watch, watched
from .width import about_so_many

MOST_PATHS = 1_000_000
_SECONDS_A_RUN = 10.0
_RUN_TWICE = 1_000
_THEN_EVERY = 50
_LOOK_AHEAD_AT = 2_000
_TIMES_TO_BE_SURE = 6
_OWN_THREADS = 2
"""The one that runs the function, and its watch."""


def enumerate_paths(function: Callable[..., Any], arguments: tuple[Any, ...], name: str) -> Distribution:
    """Guarantee: the exact distribution of what the function returns for these arguments.

    Everything random in it has to be a draw. Other randomness is looked for: the first thousand paths and every
    fiftieth of the others are run twice, and the shared generators of Python and numpy must not have moved. What goes
    wrong on a path is a `MechanismError` that shows the path.
    """
    walk = _Walk(function, arguments, name)
    try:
        with watched(_SECONDS_A_RUN) as watch:
            return walk.all(watch)
    except TookTooLong:
        raise walk.too_long() from None


class _Walk:
    """A function, what it is given, and the path that it is run along."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...], name: str):
        self.function, self.arguments, self.name = function, arguments, name
        self.path = Path()

    def all(self, watch: Watch) -> Distribution:
        outcomes: dict[Hashable, Prob] = {}
        firsts: dict[Hashable, Hashable] = {}
        elsewhere = Elsewhere()
        paths = 0
        while True:
            outcome = self.run(watch)
            if paths < _RUN_TWICE or paths % _THEN_EVERY == 0:
                self.run_again(watch, outcome)
            if confused(first := firsts.setdefault(outcome, outcome), outcome):
                raise MechanismError(
                    f"{self} returns {first!r} on one path and {outcome!r} on another, which Python takes for equal; "
                    "return things of one kind"
                )
            outcomes[outcome] = outcomes.get(outcome, Fraction(0)) + self.path.weight()
            paths += 1
            if paths > MOST_PATHS:
                raise self.too_many(f"more than {MOST_PATHS:,}")
            if not self.path.advance():
                break
            if paths == _LOOK_AHEAD_AT:
                watch.restart()
                if (about := about_so_many(self.function, self.arguments, watch.restart)) > 100 * MOST_PATHS:
                    raise self.too_many(f"about 10^{len(str(about)) - 1}")
        if (used := elsewhere.used()) is not None and self.is_to_blame(elsewhere, watch):
            raise self.unsteady(f"{used} was used, or seeded, while it ran")
        return Distribution(outcomes)

    def is_to_blame(self, elsewhere: Elsewhere, watch: Watch) -> bool:
        """Whether the function moved a shared generator, and not another thread meanwhile."""
        if threading.active_count() <= _OWN_THREADS:
            return True
        self.path = Path()
        for _ in range(_RUN_TWICE):
            if all(self.moves(elsewhere, watch) for _ in range(_TIMES_TO_BE_SURE)):
                return True
            if not self.path.advance():
                return False
        return True

    def moves(self, since: Elsewhere, watch: Watch) -> bool:
        since.stir()
        elsewhere = Elsewhere()
        self.run(watch)
        return elsewhere.used() is not None

    def run_again(self, watch: Watch, outcome: Hashable) -> None:
        known = len(self.path.draws)
        again = self.run(watch)
        if len(self.path.draws) > known:
            raise self.unsteady(f"it makes {len(self.path.draws)} draws, and made {known}")
        if again != outcome:
            raise self.unsteady(other_than(outcome, again))

    def run(self, watch: Watch) -> Hashable:
        """What the function returns along the path, which is made longer where it draws more."""
        path, known = self.path, len(self.path.draws)
        path.start()
        watch.restart()
        try:
            with answered_by(path):
                outcome = self.function(*self.arguments)
        except (KeyboardInterrupt, TookTooLong, TimeIsUp):
            raise
        except BaseException as error:
            self.look(path, watch)
            what = str(error) if isinstance(error, FaierError) else f"it raised {_raised(error, self.function)}"
            raise MechanismError(f"{self.here()}: {what}") from error
        self.look(path, watch)
        if path.position < known:
            raise self.unsteady(f"it makes {path.position} draws, and made more")
        try:
            return symbol(outcome)
        except MechanismError as error:
            raise MechanismError(f"{self.here()}: {error}") from error

    def look(self, path: Path, watch: Watch) -> None:
        """Whether the run was stopped, even if the function caught that."""
        watch.look()
        if watch.fired:
            raise self.too_long()
        if isinstance(path.stopped, Endless):
            raise MechanismError(
                f"{self} makes more than {MOST_DRAWS:,} draws on one path: a loop without an end? {path.text()}"
            ) from None
        if isinstance(path.stopped, Unsteady):
            raise self.unsteady(str(path.stopped)) from None
        if path.trouble is not None:
            raise MechanismError(f"{self.here()}: {path.trouble}") from path.trouble

    def here(self) -> str:
        return f"{self}, {self.path.text()}"

    def __str__(self) -> str:
        return f"{self.name}({', '.join(short(a) for a in self.arguments)})"

    def too_long(self) -> MechanismError:
        return MechanismError(
            f"{self} does not end within {_SECONDS_A_RUN:g} s: a loop without an end? {self.path.text()}"
        )

    def too_many(self, how_many: str) -> MechanismError:
        return MechanismError(
            f"{self} has {how_many} paths, and up to {MOST_PATHS:,} are walked; draw less, or draw sums and counts "
            "from their own distributions"
        )

    def unsteady(self, what: str) -> MechanismError:
        return MechanismError(
            f"{self.name} is not the same when it is run again along the same draws: {what}. Something in it is "
            f"random, or remembered, besides faier.draw and faier.flip ({self.path.text()})"
        )


def _raised(error: BaseException, function: Callable[..., Any]) -> str:
    """The error, and the line of the function's file that it came from."""
    text = " ".join(str(error).split())
    # A stream's step is called by a method of ours, and it is the step's own line that is wanted.
    function = getattr(getattr(function, "__self__", None), "function", function)
    code = getattr(function, "__code__", None)
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if code is not None and f.filename == code.co_filename]
    where = f" (line {own[-1].lineno} of {basename(own[-1].filename)})" if own else ""
    return type(error).__name__ + (f": {text}" if text else "") + where


def short(value: object) -> str:
    """A value in a message."""
    if isinstance(value, Fraction):
        return short_text(value)
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:56]}..."
