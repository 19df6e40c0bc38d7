"""What is to be tested: something that can be sampled, the pairs to try, and a model where there is one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from faier.auditing.models import TableSampler, WordSampler, word_sampler
from faier.auditing.patterns import neighbours, patterns
from faier.auditing.sampler import Sampler, as_sampler
from faier.auditing.search import Keep
from faier.errors import UsageError
from faier.knowledge.adjacency import as_adjacency, pairs_of
from faier.knowledge.questions import differential_privacy
from faier.mechanisms.answering import StreamMechanism
from faier.mechanisms.mechanism import Mechanism
from faier.model.belief import Belief
from faier.scenario.scenario import Scenario

from .words import is_possible

_MOST_PAIRS = 20_000
_LENGTH = 8
_QUERIES = 5

DataPairs = Sequence[tuple[Any, Any]]


@dataclass(frozen=True)
class Subject:
    """`keep` says which outputs count for a pair, where not all do; `first` are pairs to look at in any case.

    Of those in `one_way` only what the left shows more often counts. `places` are the pairs of the scenario that the
    pairs are, where these have been made of them.
    """

    sampler: Sampler
    pairs: DataPairs
    scenario: Scenario | None = None
    keep: Keep | None = None
    first: tuple[int, ...] = ()
    one_way: frozenset[int] = frozenset()
    places: tuple[int, ...] = ()


@dataclass(frozen=True)
class Inputs:
    """Which pairs of inputs to try: the user's own, or patterns or all neighbours of lists of answers in a range."""

    pairs: DataPairs | None = None
    length: int | None = None
    low: int = 0
    high: int = 2
    move: Literal["each", "one", "patterns"] = "patterns"

    @property
    def listed(self) -> DataPairs | None:
        if self.pairs is not None:
            return self.pairs
        if self.length is None:
            return None
        if self.move == "patterns":
            return list(patterns(self.length, self.low, self.high).values())
        return neighbours(self.length, self.low, self.high, self.move)


def subject(
    what: Scenario | Mechanism | StreamMechanism | Sampler | Callable[..., Any], inputs: Inputs | None = None
) -> Subject:
    """Make a subject of a scenario, a mechanism, a sampler or a function."""
    inputs = inputs or Inputs()
    if isinstance(what, Scenario):
        if inputs.listed is not None:
            raise UsageError("a scenario has its own pairs; leave out the pairs of inputs")
        return of_scenario(what)
    if isinstance(what, Mechanism):
        return _of_mechanism(what, inputs)
    if isinstance(what, StreamMechanism):
        return _of_stream(what, inputs)
    pairs = inputs.listed
    if pairs is None:
        raise UsageError(
            "say which inputs to compare: pairs=[...], or length=N for lists of answers (low=, high=); of a command "
            "--pairs FILE, or --length N (--range LOW..HIGH)"
        )
    return Subject(as_sampler(what), pairs)


def of_scenario(scenario: Scenario) -> Subject:
    """A scenario by its words: a data set is a belief."""
    sampler = _Named(word_sampler(_sampled(scenario)), scenario)
    keep = sampler.both_can if scenario.claim.possible == "both" else None
    one_way = frozenset(k for k, place in enumerate(sampler.places) if scenario.pairs[place].one_way)
    return Subject(sampler, sampler.pairs, scenario, keep, one_way=one_way, places=sampler.places)


def _sampled(scenario: Scenario) -> Scenario:
    """Words of every length cannot be sampled; those of a few observations say where to look."""
    return scenario.claiming(horizon=_LENGTH) if scenario.claim.horizon == "any" else scenario


def _of_mechanism(mechanism: Mechanism, inputs: Inputs) -> Subject:
    pairs = inputs.listed
    scenario = None
    if pairs is None and mechanism.adjacent is not None:
        pairs = pairs_of(as_adjacency(mechanism.adjacent), mechanism.all_inputs())
        if len(pairs) <= _MOST_PAIRS:
            # The question that other commands ask of this mechanism, so that certificates are about the same model;
            # but about every data set and output, as those are what a tester looks at.
            scenario = differential_privacy(mechanism, exchangeable=False)
    if pairs is None:
        pairs = _guessed(mechanism)
    if len(pairs) > _MOST_PAIRS:
        raise UsageError(
            f"{mechanism.name} has {len(pairs):,} pairs of neighbours; give a length to try patterns "
            "(length=N, --length N)"
        )
    if scenario is None:
        data = list(dict.fromkeys(d for pair in pairs for d in pair))
        scenario = differential_privacy(mechanism, adjacent=pairs, inputs=data)
    return Subject(TableSampler(mechanism), pairs, scenario, first=_patterned(pairs))


def _of_stream(stream: StreamMechanism, inputs: Inputs) -> Subject:
    """A stream by its runs for fixed inputs: a data set is the inputs of one run, which a tester has to fix beforehand.

    The question behind it is about all that an adversary may ask, at every length.
    """
    scenario = differential_privacy(stream, adjacent=None, horizon="any")
    pairs = inputs.pairs
    if pairs is None:
        numbers = [x for x in stream.all_inputs() if isinstance(x, int)]
        if len(numbers) < 2 or len(numbers) < len(stream.all_inputs()):
            raise UsageError(
                f"{stream.name} is not asked for whole numbers; give pairs of lists of inputs (pairs=[...], "
                "--pairs FILE)"
            )
        pairs = list(patterns(inputs.length or _QUERIES, min(numbers), max(numbers)).values())
    return Subject(stream, pairs, scenario)


def _patterned(pairs: DataPairs) -> tuple[int, ...]:
    """Where the seven patterns stand among pairs of lists of whole numbers."""
    fitting = _patterns_for({x for pair in pairs for x in pair})
    wanted = {frozenset(pair) for pair in fitting}
    return tuple(k for k, pair in enumerate(pairs) if frozenset(pair) in wanted)


def _guessed(mechanism: Mechanism) -> DataPairs:
    """The patterns for a mechanism whose inputs are lists of whole numbers of one length."""
    if fitting := _patterns_for(mechanism.all_inputs()):
        return fitting
    raise UsageError(
        f"{mechanism.name} does not say which inputs are neighbours; give adjacent= to @faier.mechanism, or pairs "
        "of inputs (pairs=[...], --pairs FILE)"
    )


def _patterns_for(data: Collection[Hashable]) -> list[tuple[Any, Any]]:
    """The patterns that fit lists of whole numbers of one length; none where the inputs are anything else."""
    lengths = {len(d) if isinstance(d, tuple) else 0 for d in data}
    numbers = [x for d in data if isinstance(d, tuple) for x in d]
    if len(lengths) != 1 or 0 in lengths or not all(isinstance(x, int) for x in numbers):
        return []
    low, high = min(numbers), max(numbers)
    return list(patterns(lengths.pop(), low, high).values()) if low < high else []


class _Named:
    """A sampler of words that takes beliefs by their names.

    The two sides of a stream may be asked different inputs, so one belief is not the same on both: `pairs` has a name
    for each, and `places` says which pairs of the scenario they are.
    """

    def __init__(self, words: WordSampler, scenario: Scenario):
        self.words, self.name = words, scenario.title or "the model"
        self._scenario = scenario.claiming(horizon=words.horizon)
        self._possible: dict[Hashable, dict[tuple[Hashable, ...], bool]] = {}
        self._beliefs: dict[Hashable, Belief] = {}
        found: dict[tuple[tuple[Hashable, Hashable], bool], int] = {}
        for place, pair in enumerate(scenario.pairs):
            names = self._name_of(pair.left, "left"), self._name_of(pair.right, "right")
            found.setdefault((names, pair.one_way), place)
        self.pairs: DataPairs = [names for names, _ in found]
        self.places = tuple(found.values())

    def _name_of(self, belief: Belief, side: str) -> Hashable:
        """The belief's name, or a longer one where another belief has that already."""
        name: Hashable = belief.name
        while self._beliefs.setdefault(name, belief).weights != belief.weights:
            name = f"{name} ({side})"
        return name

    def both_can(self, left: Hashable, right: Hashable, word: Hashable) -> bool:
        """Whether both beliefs can produce the word: decided on supports, exactly."""
        assert isinstance(word, tuple)
        return self._can(left, word) and self._can(right, word)

    def _can(self, data: Hashable, word: tuple[Hashable, ...]) -> bool:
        known = self._possible.setdefault(data, {})
        if word not in known:
            known[word] = is_possible(self._scenario, self._beliefs[data], word)
        return known[word]

    def sample(self, data: Hashable, n: int, seed: int) -> Any:
        return self.words.sample(self._beliefs[data], n, seed)

    def counts(self, data: Hashable, n: int, seed: int) -> Any:
        return self.words.counts(self._beliefs[data], n, seed)


def narrowed(scenario: Scenario, places: Sequence[int]) -> Scenario:
    """The scenario with some of its pairs only."""
    return replace(scenario, pairs=tuple(scenario.pairs[k] for k in places))
