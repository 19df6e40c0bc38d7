"""A question about a model: which beliefs must stay indistinguishable, and how closely."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

from faier.errors import ModelError, NotYetError, UsageError
from faier.model.belief import Belief
from faier.model.hmm import HMM, State
from faier.number.budget import Budget
from faier.number.digits import short_text
from faier.number.exact import Number
from faier.number.rational_function import RationalFunction

if TYPE_CHECKING:
    from faier.model.stream import Stream

    from .written import Gate, Written

Horizon: TypeAlias = int | Literal["any"]
Possible: TypeAlias = Literal["either", "both"]


@dataclass(frozen=True)
class Pair:
    """Two beliefs that must stay indistinguishable: both ways round unless `one_way`."""

    left: Belief
    right: Belief
    one_way: bool = False

    def __post_init__(self) -> None:
        for side in (self.left, self.right):
            if not isinstance(side, Belief):
                raise ModelError(f"a pair is of two beliefs, such as Belief.at({side!r}); got {side!r}", "compare")


@dataclass(frozen=True)
class Claim:
    """How closely: left(w) <= ratio * right(w) for every word w that counts at the horizon.

    With a delta: left(S) <= ratio * right(S) + delta for every set S of such words.

    `budget` is None where nothing is claimed yet (`faier epsilon` needs none).
    """

    budget: Budget | RationalFunction | None = None
    horizon: Horizon | None = None
    possible: Possible = "either"
    delta: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if self.horizon is not None and self.horizon != "any":
            if isinstance(self.horizon, bool) or not isinstance(self.horizon, int):
                raise UsageError(f'a horizon is a number of observations or "any", got {self.horizon!r}')
            if self.horizon < 1:
                raise UsageError(f"a horizon is at least 1, got {self.horizon}")
        if self.possible not in ("either", "both"):
            raise UsageError(f'possible is "either" or "both", got {self.possible!r}')
        if not 0 <= self.delta <= 1:
            raise UsageError(f"delta lies between 0 and 1, got {self.delta}")
        if self.delta and self.possible == "both":
            raise UsageError('a delta greater than 0 and possible = "both" do not go together: delta counts every word')


@dataclass(frozen=True)
class Scenario:
    """A model with its pairs and its claim.

    `ratios_only` is said of a model whose symbols stand for several outputs each: its largest ratio is that of the
    mechanism, but sums over outputs (delta), and what is possible on both sides, are not.

    Where `written` is there, model and pairs are compiled from it: they ask the same of an ordinary model. [T12, T13]
    """

    model: HMM
    pairs: tuple[Pair, ...]
    claim: Claim = field(default_factory=Claim)
    beliefs: Mapping[str, Belief] = field(default_factory=dict)
    title: str = ""
    ratios_only: bool = False
    written: Written | None = None

    def __post_init__(self) -> None:
        if not self.pairs:
            raise ModelError("there is nothing to compare; add a [[compare]] with a left and a right", "compare")
        known = self.model.state_index
        for belief in self.compared_beliefs():
            for stranger in belief.weights:
                if stranger not in known:
                    raise ModelError(f"unknown state {stranger!r}", f"beliefs.{belief.name}")
            if not belief.is_constant:
                total = self.model.unknowns.simplify(sum(belief.weights.values(), Fraction(0)))
                if total != 1:
                    raise ModelError(f"the belief sums to {short_text(total)}, not 1", f"beliefs.{belief.name}")

    @classmethod
    def of(
        cls,
        model: HMM | Stream,
        compare: Iterable[tuple[object, object] | Pair | Gate],
        *,
        beliefs: Mapping[str, Mapping[State, Number]] | None = None,
        epsilon: object = None,
        ratio: object = None,
        horizon: Horizon | None = None,
        possible: Possible = "either",
        delta: object = None,
        title: str = "",
    ) -> Scenario:
        """Build a scenario in Python; a pair names beliefs or states, or gives `Belief`s. Of a stream, memories.

        >>> bit = HMM(emit={"0": {"a": "3/4", "b": "1/4"}, "1": {"a": "1/4", "b": "3/4"}})
        >>> Scenario.of(bit, [("0", "1")], ratio=3, horizon=1).claim.budget.exact
        Fraction(3, 1)
        """
        starts = model.state_index if isinstance(model, HMM) else model.memory_index
        kind = "state" if isinstance(model, HMM) else "memory"
        known = {
            name: Belief.over(name, weights, starts, model.unknowns, kind) for name, weights in (beliefs or {}).items()
        }
        for name in known:
            if name in starts:
                raise ModelError(f"a belief may not be named like a {kind}", f"beliefs.{name}")

        at: dict[object, Belief] = {}

        def side(what: object) -> Belief:
            if isinstance(what, Belief):
                return what
            if isinstance(what, str) and what in known:
                return known[what]
            try:
                if what in at:
                    return at[what]
                if what in starts:
                    return at.setdefault(what, Belief.at(what))
            except TypeError:
                pass
            raise ModelError(f"unknown belief or {kind} {what!r}", "compare")

        from .written import Gate, Written, compiled

        def pair(what: object) -> Pair | Gate:
            if isinstance(what, Gate):
                return replace(what, start=side(what.start))
            if isinstance(what, Pair):
                return what
            if not isinstance(what, tuple | list) or len(what) != 2:
                raise ModelError(f"a pair has a left and a right, got {what!r:.60}", "compare")
            return Pair(side(what[0]), side(what[1]))

        pairs = tuple(map(pair, compare))
        plain = tuple(p for p in pairs if isinstance(p, Pair))
        claim = Claim(horizon=horizon, possible=possible)
        if isinstance(model, HMM) and len(plain) == len(pairs):
            scenario = cls(model, plain, claim, known, title)
        else:
            odd: list[str] = []
            scenario = compiled(Written(model, pairs, known), claim, title, odd)
            for text in odd:
                warnings.warn(text, stacklevel=2)
        return scenario.claiming(epsilon=epsilon, ratio=ratio, delta=delta)

    def claiming(
        self,
        *,
        epsilon: object = None,
        ratio: object = None,
        horizon: Horizon | None = None,
        possible: Possible | None = None,
        delta: object = None,
    ) -> Scenario:
        """The same scenario with parts of its claim replaced."""
        from .budgets import read_delta, read_epsilon, read_ratio

        if epsilon is not None and ratio is not None:
            raise UsageError("give epsilon or ratio, not both")
        claim = self.claim
        if epsilon is not None:
            claim = replace(claim, budget=read_epsilon(epsilon))
        if ratio is not None:
            claim = replace(claim, budget=read_ratio(ratio))
        if horizon is not None:
            claim = replace(claim, horizon=horizon)
        if delta is not None:
            claim = replace(claim, delta=read_delta(delta))
        if possible is not None:
            claim = replace(claim, possible=possible)
        from .every import asks_every_step

        if claim.horizon != self.claim.horizon and asks_every_step(self.written):
            from .written import compiled

            assert self.written is not None
            return replace(compiled(self.written, claim, self.title), ratios_only=self.ratios_only)
        return self if claim is self.claim else replace(self, claim=claim)

    def fixing(self, values: Mapping[str, Number]) -> Scenario:
        """The same scenario with numbers for some of its parameters: {"p": "1/3"}.

        What is then decided, and certified, is about that model; written as a file it has p = "1/3" among its
        parameters. A value outside its range, or one that breaks the constraints, is a `UsageError`.
        """
        from .fixing import fixing

        return fixing(self, values)

    @property
    def stream(self) -> Stream | None:
        """The stream that was asked about, where it was one."""
        from faier.model.stream import Stream

        asked = None if self.written is None else self.written.model
        return asked if isinstance(asked, Stream) else None

    @property
    def choices(self) -> tuple[tuple[int, ...], ...]:
        """For each pair of inputs that an adversary may choose the letters, by number, that answer it.

        A model that is no stream has one group, of all its symbols. The model's probability of a word is that of the
        word, given its inputs, divided by the number of groups once for each letter.
        """
        if self.stream is None:
            return (tuple(range(len(self.model.symbols))),)
        groups: dict[tuple[Hashable, Hashable], list[int]] = {pair: [] for pair in self.stream.input_pairs}
        for i, letter in enumerate(self.stream.letters):
            groups[letter.left, letter.right].append(i)
        return tuple(map(tuple, groups.values()))

    @property
    def uses_unknowns(self) -> bool:
        """Whether the model, a compared belief or the claimed ratio has parameters, or powers of e."""
        return (
            not self.model.is_constant
            or not all(b.is_constant for b in self.compared_beliefs())
            or isinstance(self.claim.budget, RationalFunction)
        )

    def compared_beliefs(self) -> Sequence[Belief]:
        """Every compared belief; one that many pairs share once."""
        return self.sides[0]

    @cached_property
    def sides(self) -> tuple[Sequence[Belief], Sequence[int], Sequence[int]]:
        """Every compared belief, and for each pair the places among them of its left and its right.

        Most pairs name the same objects again; the scenario keeps them alive, so their identities stay theirs.
        """
        lefts, rights = [pair.left for pair in self.pairs], [pair.right for pair in self.pairs]
        left_ids, right_ids = list(map(id, lefts)), list(map(id, rights))
        found = dict(zip(left_ids, lefts, strict=True))
        found.update(zip(right_ids, rights, strict=True))
        place = {name: k for k, name in enumerate(found)}
        return tuple(found.values()), [place[i] for i in left_ids], [place[i] for i in right_ids]

    def require_built(self) -> None:
        """Raise where the question is understood but cannot be decided yet."""
        if self.claim.delta:
            self.require_all_outputs("a delta")
            if self.uses_unknowns:
                raise NotYetError("a delta in models with unknown parameters or exp(...) is not built yet")
        if self.ratios_only and self.claim.possible == "both":
            self.require_all_outputs('possible="both"')

    def require_all_outputs(self, what: str) -> None:
        """Raise where the outputs of the mechanism were merged in a way that keeps ratios and nothing else."""
        if self.ratios_only:
            raise UsageError(
                f"{what} looks at every output, and this model tells one output from all others: it was made by "
                "symmetry, which keeps ratios; ask with exchangeable=False"
            )

    def require_no_delta(self, command: str, instead: str) -> None:
        """Raise for a question that has no answer with a delta."""
        if self.claim.delta:
            raise UsageError(f"{command} is about claims without a delta; {instead}")

    def require_horizon(self) -> Horizon:
        if self.claim.horizon is None:
            raise UsageError('no horizon: say how many observations count, a number or "any"')
        return self.claim.horizon

    def require_budget(self) -> Budget | RationalFunction:
        if self.claim.budget is None:
            raise UsageError('no budget: give an epsilon or a ratio, in the file or on the command line')
        return self.claim.budget

    def require_constant_budget(self) -> Budget:
        """The budget of a scenario without unknowns."""
        budget = self.require_budget()
        assert isinstance(budget, Budget)
        return budget
