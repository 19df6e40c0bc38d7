"""Mechanisms that answer one input after another, as a step function from memory and input."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction
from typing import TYPE_CHECKING, Any, TypeAlias

from faier.errors import MechanismError
from faier.model.stream import Stream
from faier.number.exact import kind_of

from .distribution import Distribution, Weight, distribution
from .mechanism import listed_once
from .outcome import confused, symbol
from .paths import enumerate_paths, short

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Function: TypeAlias = "Callable[[Any, Any], Step]"

MOST_MEMORIES = 10_000


@dataclass(frozen=True)
class Step:
    """What a step function returns: the symbol that is answered, and the memory that follows unless the run stops."""

    symbol: Hashable
    memory: Hashable = None
    stops: bool = False


def emit(answer: Any, memory: Any) -> Step:
    """Answer with a symbol and go on with this memory; returned by a step function of `faier.stream`."""
    found = symbol(answer)
    if memory is None:
        raise MechanismError("the memory that follows is None; give one, or return faier.stop(symbol)")
    if isinstance(memory, float):
        raise MechanismError(f"it remembers the float {memory!r}; remember an int, a text, a Fraction or a tuple")
    try:
        hash(memory)
    except TypeError:
        raise MechanismError(f"a memory must be hashable, such as a tuple, got {kind_of(memory)}") from None
    return Step(found, memory)


def stop(answer: Any) -> Step:
    """Answer with a symbol and end the run; returned by a step function of `faier.stream`."""
    return Step(symbol(answer), stops=True)


class StreamMechanism:
    """A step function with its start memory, its exact table and its sampler.

    `inputs` are what it may be asked, `adjacent` which of them may differ between two runs, where that is asked by
    default; `parameters` are the ranges of the unknowns in its probabilities.
    """

    def __init__(
        self,
        function: Function,
        *,
        start: Any,
        inputs: Iterable[Hashable] | None = None,
        adjacent: Any = None,
        parameters: Mapping[str, str] | None = None,
        name: str | None = None,
    ):
        if not callable(function):
            raise MechanismError(f"a stream is a step function of memory and input, got {kind_of(function)}")
        if isgeneratorfunction(function) or iscoroutinefunction(function) or isasyncgenfunction(function):
            raise MechanismError("a step function is a plain function; it returns faier.emit(...) or faier.stop(...)")
        self.function = function
        self.name: str = name or getattr(function, "__name__", "") or "stream"
        self.start = _started(start, self.name)
        self._inputs = None if inputs is None else listed_once(inputs, self.name)
        self.adjacent = adjacent
        self.parameters: dict[str, str] = dict(parameters or {})
        self._known: dict[tuple[Hashable, Hashable], Distribution] = {}
        self.__doc__ = function.__doc__

    def __call__(self, memory: Any, asked: Any) -> Step:
        """One step inside another one: its draws become draws of that one."""
        return self.function(memory, asked)

    def __repr__(self) -> str:
        return f"<stream {self.name}>"

    def all_inputs(self) -> tuple[Hashable, ...]:
        """What it may be asked, or an error that says how to give that."""
        if self._inputs is None:
            raise MechanismError(
                f"{self.name} does not say what it may be asked; give inputs=[...], to @faier.stream or to the question"
            )
        return self._inputs

    def step(self, memory: Any, asked: Any) -> Distribution:
        """The exact distribution of `Step`s in a memory that is asked something."""
        try:
            found = self._known.get((memory, asked))
        except TypeError:
            raise MechanismError(f"an input must be hashable, such as a tuple, got {kind_of(asked)}") from None
        if found is None:
            found = self._known[memory, asked] = enumerate_paths(self._checked, (memory, asked), self.name)
        return found

    def table(
        self,
        adjacent: Iterable[tuple[Any, Any]] = (),
        inputs: Iterable[Hashable] | None = None,
        parameters: Mapping[str, str] | None = None,
    ) -> Stream:
        """All its memories, found from the start, and what they answer to every input."""
        listed = self.all_inputs() if inputs is None else listed_once(inputs, self.name)
        if not listed:
            raise MechanismError(f"{self.name} has no inputs")
        on: dict[Hashable, dict[Hashable, list[tuple[Any, ...]]]] = {asked: {} for asked in listed}
        waiting = list(self.start)
        seen: dict[Hashable, Hashable] = {memory: memory for memory in waiting}
        # Waiting memories are taken first in, first out, so that the table lists them in the order of a run.
        for memory in waiting:
            for asked in listed:
                row = on[asked][memory] = []
                for step, chance in self.step(memory, asked).items():
                    assert isinstance(step, Step)
                    row.append((step.symbol, chance) if step.stops else (step.symbol, step.memory, chance))
                    if step.stops:
                        continue
                    if step.memory not in seen:
                        seen[step.memory] = step.memory
                        waiting.append(step.memory)
                        self._limit(waiting)
                    elif confused(seen[step.memory], step.memory):
                        raise MechanismError(
                            f"{self.name} remembers {seen[step.memory]!r} and {step.memory!r}, which Python takes for "
                            "equal; remember things of one kind"
                        )
        ranges = {**self.parameters, **(parameters or {})}
        return Stream(on, adjacent, parameters=self._used(ranges, seen, listed))

    def run(self, inputs: Sequence[Any], *, seed: int | None = None) -> tuple[Hashable, ...]:
        """Answer these inputs once, at random: the function itself, its draws decided exactly."""
        from .answers import run

        return run(self, inputs, seed)

    def sample(self, inputs: Sequence[Any], n: int, seed: int) -> npt.NDArray[np.object_]:
        """Answer these inputs n times, at random: tuples of symbols, shorter where a run stopped."""
        from .answers import sample

        return sample(self, inputs, n, seed)

    def _checked(self, memory: Any, asked: Any) -> Step:
        found: Any = self.function(memory, asked)
        if not isinstance(found, Step):
            what = "nothing" if found is None else short(found)
            raise MechanismError(
                f"it returned {what}; a step returns faier.emit(symbol, memory), or faier.stop(symbol) to end the run"
            )
        return found

    def _limit(self, memories: Sequence[Hashable]) -> None:
        if len(memories) > MOST_MEMORIES:
            raise MechanismError(
                f"{self.name} has more than {MOST_MEMORIES:,} memories, such as {short(memories[-1])}; it has to have "
                "finitely many: count no further than matters, or remember less"
            )

    def _used(
        self, ranges: Mapping[str, str], memories: Iterable[Hashable], inputs: Sequence[Hashable]
    ) -> dict[str, str]:
        """The ranges of the unknowns that its probabilities depend on."""
        used = self.start.parameters.union(*(self.step(m, a).parameters for m in memories for a in inputs))
        if missing := sorted(used - ranges.keys()):
            name = missing[0]
            raise MechanismError(
                f'{self.name} uses the parameter {name}, whose range is not known; give parameters={{"{name}": '
                f'"0 < {name} < 1"}}'
            )
        return {name: text for name, text in ranges.items() if name in used}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_known": {}}


def stream(
    *,
    start: Hashable | Distribution | Mapping[Any, Weight],
    inputs: Iterable[Hashable] | None = None,
    adjacent: Any = None,
    parameters: Mapping[str, str] | None = None,
    name: str | None = None,
) -> Callable[[Function], StreamMechanism]:
    """Make a mechanism of a step function, which is given a memory and an input and returns what it answers.

    `start` is the memory that a run begins with, or a distribution of it.

    >>> from faier import draw, flip
    >>> @stream(start=0, inputs=["yes", "no"])
    ... def first_two(answered, truth):
    ...     said = truth if flip("3/4") else draw({"yes": "1/2", "no": "1/2"})
    ...     return emit(said, answered + 1) if answered < 1 else stop(said)
    >>> first_two.table()
    Stream(2 inputs, 2 memories)
    """

    def made(of: Function) -> StreamMechanism:
        return StreamMechanism(
            of, start=start, inputs=inputs, adjacent=adjacent, parameters=parameters, name=name
        )

    return made


def _started(start: Any, name: str) -> Distribution:
    try:
        found = distribution(start if isinstance(start, Distribution | Mapping) else {start: 1})
    except TypeError:
        raise MechanismError(f"{name}: a memory must be hashable, such as a tuple, got {kind_of(start)}") from None
    if None in found:
        raise MechanismError(f"{name} starts with the memory None; give one that is something")
    return found
