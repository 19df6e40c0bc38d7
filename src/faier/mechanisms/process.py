"""Mechanisms that release one symbol after another, and keep something hidden in between."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from faier.errors import MechanismError
from faier.number.exact import Prob

from .choices import draw
from .distribution import Distribution, distribution
from .mechanism import Inputs, Mechanism
from .overlaps import require_apart
from .paths import short

MOST_HIDDEN = 100_000

Row: TypeAlias = "Distribution | Mapping[Any, Any]"


class Process(Mechanism):
    """A mechanism that draws a hidden state from the data set, then releases a symbol and moves, turn after turn.

    `start(data)`, `emit(hidden)` and `step(hidden)` are distributions; without a `step` the hidden state stays what it
    is, and one for which `step` is None ends the run. As a `Mechanism` it is its first release; a question at horizon
    N is about N of them, and one at horizon "any" about all.

    >>> permanent = Process(
    ...     start=lambda bit: {bit: "3/4", 1 - bit: "1/4"}, emit=lambda kept: {kept: 1}, inputs=[0, 1]
    ... )
    >>> permanent.distribution(0)
    Distribution({0: 3/4, 1: 1/4})
    >>> permanent.releases(2).distribution(0)
    Distribution({(0, 0): 3/4, (1, 1): 1/4})
    """

    def __init__(
        self,
        start: Callable[[Any], Row],
        emit: Callable[[Any], Row],
        step: Callable[[Any], Row | None] | None = None,
        *,
        inputs: Inputs = None,
        adjacent: Any = None,
        parameters: Mapping[str, str] | None = None,
        name: str = "process",
    ):
        self._start, self._emit, self._step = start, emit, step
        self._of_state: dict[Hashable, tuple[Distribution, Distribution | None]] = {}
        super().__init__(
            self._release_once,
            inputs=inputs,
            adjacent=adjacent,
            parameters=parameters,
            exact=lambda data: _merged(self.starts(data), self.emits),
            name=name,
        )

    def starts(self, data: Any) -> Distribution:
        return self._read(self._start(data), f"the start for {short(data)}")

    def emits(self, hidden: Any) -> Distribution:
        """What is released in a hidden state."""
        return self._at(hidden)[0]

    def steps(self, hidden: Any) -> Distribution | None:
        """The next hidden state; None where the run ends."""
        return self._at(hidden)[1]

    def rows(self, inputs: Iterable[Hashable]) -> tuple[dict[Hashable, Distribution], dict[Hashable, Distribution]]:
        emit: dict[Hashable, Distribution] = {}
        step: dict[Hashable, Distribution] = {}
        waiting = list(dict.fromkeys(state for data in inputs for state in self.starts(data)))
        # Waiting states are taken first in, first out, so that the model lists them in the order of a run.
        for state in waiting:
            if state in emit:
                continue
            if len(emit) >= MOST_HIDDEN:
                raise MechanismError(f"{self.name} has more than {MOST_HIDDEN:,} hidden states; let it remember less")
            emit[state] = self.emits(state)
            if (onward := self.steps(state)) is not None:
                step[state] = onward
                waiting += [after for after in onward if after not in emit]
        require_apart(emit.values(), self.name)
        return emit, step

    def releases(self, length: int) -> Mechanism:
        """The mechanism of the first `length` releases: a tuple of symbols, shorter where the run ends before."""
        if isinstance(length, bool) or not isinstance(length, int) or length < 1:
            raise MechanismError(f"a number of releases is at least 1, got {length!r}")

        def run(data: Any) -> tuple[Hashable, ...]:
            hidden: Any = draw(self.starts(data))
            word: tuple[Hashable, ...] = ()
            while True:
                word = (*word, draw(self.emits(hidden)))
                onward = self.steps(hidden)
                if len(word) == length or onward is None:
                    return word
                hidden = draw(onward)

        return Mechanism(
            run,
            inputs=self._inputs if self._list is None else self._list,
            adjacent=self.adjacent,
            parameters=self.parameters,
            name=self.name,
            exact=lambda data: self._words(self.starts(data), length),
        )

    def _release_once(self, data: Any) -> Any:
        return draw(self.emits(draw(self.starts(data))))

    def _words(self, start: Distribution, length: int) -> Distribution:
        """Forward: for each word the hidden state after it."""
        found: dict[Hashable, Prob] = {}
        level: dict[tuple[Hashable, ...], dict[Hashable, Prob]] = {(): dict(start)}
        for turn in range(1, length + 1):
            longer: dict[tuple[Hashable, ...], dict[Hashable, Prob]] = {}
            for word, row in level.items():
                for hidden, p in row.items():
                    onward = self.steps(hidden) if turn < length else None
                    for symbol, q in self.emits(hidden).items():
                        after = (*word, symbol)
                        if onward is None:
                            found[after] = found.get(after, Fraction(0)) + p * q
                            continue
                        states = longer.setdefault(after, {})
                        for state, r in onward.items():
                            states[state] = states.get(state, Fraction(0)) + p * q * r
            level = longer
        return Distribution(found)

    def _at(self, hidden: Any) -> tuple[Distribution, Distribution | None]:
        if hidden not in self._of_state:
            emit = self._read(self._emit(hidden), f"what is released in {short(hidden)}")
            onward: Row | None = {hidden: 1} if self._step is None else self._step(hidden)
            step = None if onward is None else self._read(onward, f"the step from {short(hidden)}")
            self._of_state[hidden] = emit, step
        return self._of_state[hidden]

    def _read(self, row: Row, what: str) -> Distribution:
        try:
            return distribution(row)
        except MechanismError as error:
            raise MechanismError(f"{self.name}, {what}: {error}") from error


def _merged(among: Distribution, rows: Callable[[Any], Distribution]) -> Distribution:
    found: dict[Hashable, Prob] = {}
    for state, p in among.items():
        for symbol, q in rows(state).items():
            found[symbol] = found.get(symbol, Fraction(0)) + p * q
    return Distribution(found)
