"""A mechanism: a Python function of a data set that draws its random choices and returns what is released."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from faier.errors import MechanismError
from faier.model.hmm import HMM
from faier.number.exact import kind_of
from faier.workers import in_order, is_worker

from .distribution import Distribution, distribution
from .outcome import confused, that_travels
from .overlaps import require_apart
from .paths import enumerate_paths, short

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from .records import Records

Function = Callable[[Any], Hashable]
Inputs: TypeAlias = "Iterable[Hashable] | Callable[[], Iterable[Hashable]] | None"
"""Data sets, or a function that lists them when they are asked for."""

MOST_INPUTS = 1_000_000
MOST_ENTRIES = 20_000_000


class Mechanism:
    """A function from a data set to a symbol, with its exact distributions, its model and its sampler.

    `inputs` are the data sets that it takes, where they can be listed; `adjacent` says which of them are neighbours,
    where that is asked of it by default; `parameters` are the ranges of the unknowns in its probabilities. `exact`,
    where given, says the distribution of a data set without running the function; it has to say the same. So has
    `records`, which says how the mechanism reads a data set record by record.
    """

    def __init__(
        self,
        function: Function,
        *,
        inputs: Inputs = None,
        adjacent: Any = None,
        parameters: Mapping[str, str] | None = None,
        exact: Callable[[Any], Distribution] | None = None,
        name: str | None = None,
        records: Records | None = None,
    ):
        if not callable(function):
            raise MechanismError(f"a mechanism is a function of a data set, got {kind_of(function)}")
        if isgeneratorfunction(function) or iscoroutinefunction(function) or isasyncgenfunction(function):
            named = getattr(function, "__name__", "it")
            raise MechanismError(
                f"a mechanism is a plain function, which returns what is released; {named} is async, or has a yield"
            )
        self.function = function
        self.name: str = name or getattr(function, "__name__", "") or "mechanism"
        # A mechanism may take more data sets than anybody wants listed: a function lists them when they are asked for.
        self._list = inputs if callable(inputs) else None
        self._inputs = None if inputs is None or callable(inputs) else listed_once(inputs)
        self.adjacent = adjacent
        self.parameters: dict[str, str] = dict(parameters or {})
        self._exact = exact
        self.records = records
        self._known: dict[Hashable, Distribution] = {}
        self.__doc__ = function.__doc__

    def __call__(self, data: Any) -> Any:
        """Run inside another mechanism: its draws become draws of that one."""
        return self.function(data)

    def __repr__(self) -> str:
        return f"<mechanism {self.name}>"

    def distribution(self, data: Any) -> Distribution:
        """The exact distribution of what is released for a data set."""
        try:
            found = self._known.get(data)
        except TypeError:
            raise MechanismError(f"a data set must be hashable, such as a tuple, got {kind_of(data)}") from None
        if found is None:
            found = self._known[data] = self._worked_out(data)
        return found

    def _worked_out(self, data: Any) -> Distribution:
        if self._exact is not None:
            return distribution(self._exact(data))
        return enumerate_paths(self.function, (data,), self.name)

    def _work_out(self, inputs: Iterable[Hashable]) -> None:
        """Let the distributions of these data sets be known, each by itself: in several processes where that pays."""
        missing = [data for data in inputs if data not in self._known]

        def work(data: Hashable) -> Distribution:
            return that_travels(self._worked_out(data)) if is_worker() else self._worked_out(data)

        for data, found in zip(missing, in_order(work, missing), strict=True):
            self._known[data] = found

    def by_paths(self, data: Any) -> Distribution:
        """The same, always by running the function along every path."""
        return enumerate_paths(self.function, (data,), self.name)

    def model(self, inputs: Iterable[Hashable] | None = None) -> HMM:
        """The model of what is released: of one release, a state for each data set, which emits it and ends."""
        listed = self.all_inputs() if inputs is None else listed_once(inputs)
        if not listed:
            raise MechanismError(f"{self.name} has no inputs to build a model for")
        emit, step = self.rows(listed)
        return HMM(emit=emit, step=step, parameters=self.used_parameters(listed))

    def starts(self, data: Any) -> Distribution:
        """The state of the model that a data set starts in: for one release, the data set itself."""
        return Distribution({data: Fraction(1)})

    def rows(self, inputs: Iterable[Hashable]) -> tuple[dict[Hashable, Distribution], dict[Hashable, Distribution]]:
        """The emissions and steps of the model of these data sets; no step ends the run."""
        listed = tuple(inputs)
        self._work_out(listed)
        emit = {data: self.distribution(data) for data in listed}
        require_apart(emit.values(), self.name)
        return emit, {}

    def all_inputs(self) -> tuple[Hashable, ...]:
        """The data sets that it takes, or an error that says how to give them."""
        if self._inputs is None and self._list is not None:
            if self._more_than(MOST_INPUTS):
                raise _too_many_inputs(self.name)
            self._inputs = listed_once(self._list(), self.name)
        if self._inputs is None:
            raise MechanismError(
                f"{self.name} does not say which data sets it takes; give inputs=[...], to @faier.mechanism or to the "
                "question"
            )
        return self._inputs

    def few_inputs(self, most: int) -> tuple[Hashable, ...] | None:
        """The data sets that it takes, None where there are more than so many."""
        if self._inputs is None and self._list is not None:
            if self._more_than(most):
                return None
            begin = tuple(islice(self._list(), most + 1))
            if len(begin) > most:
                return None
        listed = self.all_inputs()
        return listed if len(listed) <= most else None

    def _more_than(self, most: int) -> bool:
        """Whether it takes more data sets, as far as that is known without listing any: even one may be long."""
        return self.records is not None and self.records.count > most

    def used_parameters(self, inputs: Iterable[Hashable]) -> dict[str, str]:
        """The ranges of the unknowns that its probabilities for these data sets depend on."""
        listed = tuple(inputs)
        emit, step = self.rows(listed)
        used = frozenset[str]().union(
            *(row.parameters for rows in (emit, step) for row in rows.values()),
            *(self.starts(data).parameters for data in listed),
        )
        if missing := sorted(used - self.parameters.keys()):
            raise MechanismError(
                f"{self.name} uses the parameter {missing[0]}, whose range is not known; give "
                f'parameters={{"{missing[0]}": "0 < {missing[0]} < 1"}}'
            )
        return {name: text for name, text in self.parameters.items() if name in used}

    def run(self, data: Any, *, seed: int | None = None) -> Hashable:
        """Release once, at random: the function itself, its draws decided exactly."""
        from .sampling import run

        return run(self, data, seed)

    def sample(self, data: Any, n: int, seed: int) -> npt.NDArray[np.object_]:
        """Release n times, at random, from the exact distribution: a million in a fraction of a second."""
        from .sampling import sample

        return sample(self, data, n, seed)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_known": {}}


@overload
def mechanism(function: Function, /) -> Mechanism: ...


@overload
def mechanism(
    *,
    inputs: Inputs = None,
    adjacent: Any = None,
    parameters: Mapping[str, str] | None = None,
    name: str | None = None,
) -> Callable[[Function], Mechanism]: ...


def mechanism(
    function: Function | None = None,
    /,
    *,
    inputs: Inputs = None,
    adjacent: Any = None,
    parameters: Mapping[str, str] | None = None,
    name: str | None = None,
) -> Mechanism | Callable[[Function], Mechanism]:
    """Make a mechanism of a function that returns what is released for a data set.

    >>> @mechanism(inputs=["yes", "no"])
    ... def response(answer):
    ...     return answer if flip("3/4") else draw({"yes": "1/2", "no": "1/2"})
    >>> response.distribution("yes")
    Distribution({'yes': 7/8, 'no': 1/8})
    """

    def made(of: Function) -> Mechanism:
        return Mechanism(of, inputs=inputs, adjacent=adjacent, parameters=parameters, name=name)

    return made if function is None else made(function)


def listed_once(inputs: Iterable[Any], name: str = "the mechanism") -> tuple[Hashable, ...]:
    """Data sets in their order, each once."""
    if isinstance(inputs, str) or not isinstance(inputs, Iterable):
        raise MechanismError(f"inputs are a list of data sets, got {kind_of(inputs)}")
    found: dict[Hashable, Hashable] = {}
    entries = 0
    for data in inputs:
        try:
            first = found.setdefault(data, data)
        except TypeError:
            raise MechanismError(f"a data set must be hashable, such as a tuple, got {kind_of(data)}") from None
        if confused(first, data):
            raise MechanismError(f"the data sets {first!r} and {data!r} are equal in Python; name them otherwise")
        if len(found) > MOST_INPUTS:
            raise _too_many_inputs(name)
        entries += len(data) if isinstance(data, tuple) else 1
        if entries > MOST_ENTRIES:
            raise MechanismError(
                f"the data sets of {name} have more than {MOST_ENTRIES:,} entries together, up to the one numbered "
                f"{len(found):,}; ask about shorter ones, or list those that count: inputs=[...]"
            )
    return tuple(found)


def _too_many_inputs(name: str) -> MechanismError:
    return MechanismError(f"{name} has more than {MOST_INPUTS:,} data sets; list those that count: inputs=[...]")


def as_mechanism(what: object) -> Mechanism:
    """A mechanism as it is, a plain function made into one."""
    if isinstance(what, Mechanism):
        return what
    if callable(what):
        return Mechanism(what)
    raise MechanismError(f"a mechanism is made with @faier.mechanism, got {short(what)}")
