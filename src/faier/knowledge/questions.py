"""From a mechanism and what is known to a scenario: Pufferfish privacy, and differential privacy as a special case."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

from faier.errors import MechanismError, NotYetError, UsageError
from faier.mechanisms.answering import StreamMechanism
from faier.mechanisms.distribution import Distribution, mixture
from faier.mechanisms.mechanism import Mechanism, as_mechanism, listed_once
from faier.mechanisms.paths import short
from faier.mechanisms.process import Process
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.names import label
from faier.number.budget import Budget
from faier.number.exact import Number
from faier.scenario.scenario import Horizon, Pair, Possible, Scenario

from .adjacency import as_adjacency, pairs_of
from .following import Query, conditionals
from .prior import Prior, as_prior
from .query import whole
from .secret import Secret, as_secret
from .smaller import by_symmetry
from .streams import stream_question

Budgets: TypeAlias = "str | int | Budget | Number"


def pufferfish(
    mechanism: Mechanism,
    *,
    prior: Prior | Mapping[Any, Any] | Sequence[Prior | Mapping[Any, Any]],
    secrets: Sequence[Any] | Mapping[str, Any],
    query: Query | None = None,
    epsilon: Budgets | None = None,
    ratio: Budgets | None = None,
    horizon: Horizon | None = None,
    possible: Possible = "either",
    delta: str | int | Fraction | None = None,
    parameters: Mapping[str, str] | None = None,
    title: str = "",
) -> Scenario:
    """Ask whether what a mechanism releases tells secrets apart, whichever of the priors the attacker has.

    The mechanism is given what `query` answers for a data set (the data set itself where there is none). `secrets`
    are two or more, of which every two must stay indistinguishable, or pairs of them. A pair of which one is impossible
    under a prior is skipped, as the definition says.

    >>> import faier
    >>> noisy = faier.library.truncated_geometric(counts=2)
    >>> ill = faier.record(1)
    >>> scenario = pufferfish(noisy, prior=faier.all_or_none("1/10", 2), query=faier.count(), secrets=[ill, ~ill])
    >>> faier.epsilon(scenario).ratio.upper
    Fraction(4, 1)
    """
    if isinstance(mechanism, StreamMechanism):
        raise NotYetError(
            "priors on the inputs of a stream are not built yet; faier.differential_privacy asks about adjacent inputs "
            "and faier.Scenario.of(stream.table(...), pairs, beliefs=...) about beliefs over memories"
        )
    asked = as_mechanism(mechanism)
    priors = [as_prior(prior)] if isinstance(prior, Prior | Mapping) else [as_prior(p) for p in prior]
    if not priors:
        raise UsageError("a question has one prior at least")
    pairs = _secret_pairs(secrets)
    looks_at: Query = query or whole()
    asked_about = list({id(secret): secret for pair in pairs for secret in pair}.values())
    sides: list[tuple[str, Distribution, str, Distribution]] = []
    for k in range(len(priors)):
        suffix = f", prior {k + 1}" if len(priors) > 1 else ""
        rows = conditionals(priors[k], looks_at, asked_about)
        given = {id(secret): row for secret, row in zip(asked_about, rows, strict=True)}
        for one, two in pairs:
            left, right = given[id(one)], given[id(two)]
            if left is not None and right is not None:
                sides.append((one.name + suffix, left, two.name + suffix, right))
    if not sides:
        raise UsageError("of every pair of secrets one is impossible under the prior, so nothing is claimed")
    inputs = list(dict.fromkeys(data for _, left, _, right in sides for data in (*left, *right)))
    model = _model(asked, inputs, parameters, [d for _, left, _, right in sides for d in (left, right)])
    beliefs: dict[str, Belief] = {}
    taken = {label(state) for state in model.states}

    made: dict[int, Belief] = {}

    def belief(name: str, weights: Distribution) -> Belief:
        if id(weights) not in made:
            free = name if name not in taken else f"given {name}"
            while free in taken:
                free += "'"
            taken.add(free)
            made[id(weights)] = beliefs[free] = Belief.of(free, dict(_started(asked, weights)), model)
        return made[id(weights)]

    compared = [Pair(belief(a, left), belief(b, right)) for a, left, b, right in sides]
    scenario = Scenario.of(model, compared, horizon=horizon or 1, possible=possible, title=title or asked.name)
    return _claiming(scenario, beliefs, epsilon, ratio, delta)


def differential_privacy(
    mechanism: Mechanism | StreamMechanism,
    *,
    adjacent: Any = None,
    inputs: Iterable[Hashable] | None = None,
    epsilon: Budgets | None = None,
    ratio: Budgets | None = None,
    horizon: Horizon | None = None,
    possible: Possible = "either",
    delta: str | int | Fraction | None = None,
    parameters: Mapping[str, str] | None = None,
    title: str = "",
    exchangeable: bool | None = None,
) -> Scenario:
    """Ask whether neighbouring data sets stay indistinguishable.

    Of a `faier.stream`: whether two runs do that begin alike and are asked, one query after another, inputs that are
    equal or neighbours, whoever chooses them.

    `adjacent` is faier.one_record, faier.each_within(1), faier.one_within(1), faier.any_two, any function of two data
    sets, or a list of pairs; `inputs` are all data sets. Both are the mechanism's own where they are not given.

    `exchangeable=True` says that the order of records does not matter, but for the place that is released. It is
    verified, and then one data set of each kind is compared; where outputs are places, all but the first are one
    symbol. By default that is done where it can be shown for all data sets at once and there are more than 1,000 (as
    for noisy max of seven queries, or five candidates of permute-and-flip and the exponential mechanism).

    >>> import faier
    >>> noisy = faier.library.truncated_geometric(counts=2)
    >>> faier.epsilon(differential_privacy(noisy, adjacent=faier.each_within(1))).ratio.upper
    Fraction(2, 1)
    """
    if isinstance(mechanism, StreamMechanism):
        if exchangeable:
            raise UsageError("exchangeable is said of records of a data set; a stream has none")
        scenario = stream_question(mechanism, adjacent, inputs, horizon, possible, parameters, title)
        return scenario.claiming(epsilon=epsilon, ratio=ratio, delta=delta)
    asked = as_mechanism(mechanism)
    neighbours = as_adjacency(asked.adjacent if adjacent is None else adjacent)
    if neighbours is None:
        raise UsageError(
            f"{asked.name} does not say which data sets are neighbours; give adjacent=, such as faier.one_record or "
            "faier.any_two"
        )
    if exchangeable is None and delta is not None:
        exchangeable = False  # A delta looks at every output.
    smaller = by_symmetry(asked, neighbours, inputs, exchangeable, possible)
    if smaller is not None:
        model = _model_of(asked, smaller.emit, {}, parameters, [])
        scenario = Scenario.of(model, smaller.pairs, horizon=1, possible=possible, title=title or asked.name)
        scenario = replace(scenario, ratios_only=smaller.merged)
        scenario.require_built()
        # A release ends the run, so that longer horizons are about the same words.
        return _claiming(scenario.claiming(horizon=horizon), {}, epsilon, ratio, delta)
    listed = asked.all_inputs() if inputs is None else listed_once(inputs)
    pairs = pairs_of(neighbours, listed)
    if not pairs:
        raise UsageError("no two of the inputs are neighbours, so nothing is claimed")
    used = dict.fromkeys(data for pair in pairs for data in pair)
    model = _model(asked, [data for data in listed if data in used], parameters, [])
    at = _beliefs_at(asked, used, model)
    compared = [Pair(at[a], at[b]) for a, b in pairs]
    scenario = Scenario.of(model, compared, horizon=horizon or 1, possible=possible, title=title or asked.name)
    named = {belief.name: belief for data, belief in at.items() if set(belief.weights) != {data}}
    return _claiming(scenario, named, epsilon, ratio, delta)


def _beliefs_at(mechanism: Mechanism, inputs: Iterable[Hashable], model: HMM) -> dict[Hashable, Belief]:
    """For each data set the belief that the run is about it: a state of the model, or a distribution of such."""
    states = {label(state) for state in model.states}
    found: dict[Hashable, Belief] = {}
    for data in inputs:
        start = mechanism.starts(data)
        if set(start) == {data}:
            found[data] = Belief.at(data)
        else:
            name = label(data) if label(data) not in states else f"given {label(data)}"
            found[data] = Belief.of(name, dict(start), model)
    return found


def _started(mechanism: Mechanism, inputs: Distribution) -> Distribution:
    """Where the run stands at first, for a data set drawn from these."""
    if not isinstance(mechanism, Process):
        return inputs
    return mixture((p, mechanism.starts(data)) for data, p in inputs.items())


def _model(
    mechanism: Mechanism,
    inputs: Sequence[Hashable],
    parameters: Mapping[str, str] | None,
    beliefs: Iterable[Distribution],
) -> HMM:
    emit, step = mechanism.rows(inputs)
    return _model_of(mechanism, emit, step, parameters, [*beliefs, *map(mechanism.starts, inputs)])


def _model_of(
    mechanism: Mechanism,
    emit: Mapping[Hashable, Distribution],
    step: Mapping[Hashable, Distribution],
    parameters: Mapping[str, str] | None,
    beliefs: Iterable[Distribution],
) -> HMM:
    ranges = {**mechanism.parameters, **(parameters or {})}
    rows = [*emit.values(), *step.values(), *beliefs]
    used = frozenset[str]().union(*(row.parameters for row in rows))
    if missing := sorted(used - ranges.keys()):
        name = missing[0]
        raise MechanismError(
            f'the range of the parameter {name} is not known; give parameters={{"{name}": "0 < {name} < 1"}}'
        )
    return HMM(emit=emit, step=step, parameters={name: text for name, text in ranges.items() if name in used})


def _secret_pairs(secrets: Sequence[Any] | Mapping[str, Any]) -> list[tuple[Secret, Secret]]:
    if isinstance(secrets, Mapping):
        named = [as_secret(what, name) for name, what in secrets.items()]
    else:
        listed = list(secrets)
        if listed and all(isinstance(pair, tuple | list) and len(pair) == 2 for pair in listed):
            made: dict[int, Secret] = {}
            return [(_made(a, made), _made(b, made)) for a, b in listed]
        named = [as_secret(what) for what in listed]
    if len(named) < 2:
        raise UsageError(f"two secrets at least are needed, or pairs of them; got {short(secrets)}")
    return [(a, b) for i, a in enumerate(named) for b in named[i + 1 :]]


def _made(what: Any, made: dict[int, Secret]) -> Secret:
    if id(what) not in made:
        made[id(what)] = as_secret(what)
    return made[id(what)]


def _claiming(
    scenario: Scenario, beliefs: Mapping[str, Belief], epsilon: Budgets | None, ratio: Budgets | None, delta: object
) -> Scenario:
    return replace(scenario, beliefs=dict(beliefs)).claiming(epsilon=epsilon, ratio=ratio, delta=delta)
