"""What a query answers under a prior, given a secret: record by record, without listing data sets."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from faier.errors import FaierError, MechanismError
from faier.mechanisms.distribution import Distribution
from faier.mechanisms.paths import short
from faier.number.exact import Prob

from .prior import Move, Prior
from .query import Fold, whole
from .secret import Secret
from .sums import sums

MOST_STATES = 2_000_000

Query = Callable[[Any], Hashable]


def answers(prior: Prior, query: Query, secret: Secret) -> tuple[Prob, dict[Hashable, Prob]]:
    """Guarantee: the probability of the secret, and that of the secret together with each answer; exactly.

    A query that is a `Fold`, and a secret about one record, are followed without listing data sets. For anything else
    data sets are listed, up to two million.
    """
    if secret.time is not None and secret.time > prior.length:
        raise MechanismError(f"{secret.name}: a data set has {prior.length} records")
    listed = bool(getattr(prior, "listed", False))
    if listed:
        if secret.time is not None:
            raise MechanismError(f"{secret.name}: the data sets are no tuples of records")
        return _of_data(_collect(prior, _only(), None), query, secret)
    if isinstance(query, Fold) and (secret.time is not None or secret.name == "anything"):
        return _finished(_collect(prior, query, secret if secret.time is not None else None), query)
    return _of_data(_collect(prior, whole(), secret if secret.time is not None else None), query, secret)


def conditionals(prior: Prior, query: Query, secrets: Sequence[Secret]) -> list[Distribution | None]:
    """The distribution of the answers given each of the secrets; None for one that is impossible.

    For a count, and secrets about one record each, two passes over the records serve all secrets together.
    """
    found: dict[int, tuple[Prob, dict[Hashable, Prob]]] = {}
    if isinstance(query, Fold) and query.adds is not None and query.start == 0 and not getattr(prior, "listed", False):
        places = [k for k, secret in enumerate(secrets) if 1 <= (secret.time or 0) <= prior.length]
        if len(places) > 1:
            together = sums(prior, query.adds, [secrets[k] for k in places], _holds)
            found = {k: _finished(row, query) for k, (_, row) in zip(places, together or [], strict=False)}
    rows = (found[k] if k in found else answers(prior, query, secret) for k, secret in enumerate(secrets))
    return [
        Distribution({answer: p / probability for answer, p in row.items()}) if probability != 0 else None
        for probability, row in rows
    ]


def conditional(prior: Prior, query: Query, secret: Secret) -> Distribution | None:
    """The distribution of the answers given the secret; None where the secret is impossible."""
    return conditionals(prior, query, [secret])[0]


def _collect(prior: Prior, query: Fold, secret: Secret | None) -> dict[Hashable, Prob]:
    """What the query remembers in the end -> how likely that is together with the secret."""
    row: dict[Any, Any] = {(hidden, query.start): p for hidden, p in prior.start().items()}
    scale = 1
    constant = all(isinstance(p, Fraction) for p in row.values())
    if constant:
        row, scale = _integers(row)
    steps: dict[tuple[Hashable, Hashable], Hashable] = {}
    for time in range(1, prior.length + 1):
        after: dict[Any, Any] = {}
        known = {hidden: prior.moves(time, hidden) for hidden in {hidden for hidden, _ in row}}
        whole_numbers, common = _integer_moves(known.values()) if constant else (False, 1)
        if constant and not whole_numbers:
            row, constant = {key: Fraction(p, scale) for key, p in row.items()}, False
        scale *= common
        for (hidden, so_far), p in row.items():
            for record, hidden_after, q in known[hidden]:
                if secret is not None and secret.time == time and not _holds(secret, record):
                    continue
                key = (so_far, record)
                if (reads := steps.get(key, steps)) is steps:
                    reads = steps[key] = _stepped(query, so_far, record)
                weight = p * (_over(q, common) if constant else q)
                place = (hidden_after, reads)
                after[place] = after[place] + weight if place in after else weight
        if len(after) > MOST_STATES:
            raise MechanismError(
                f"{query.name} under {prior!r} has more than {MOST_STATES:,} cases after {time} records; ask a query "
                "that remembers less (faier.count, faier.fold), and secrets about one record (faier.record)"
            )
        row = after
        if len(steps) > MOST_STATES:
            steps.clear()
    merged: dict[Hashable, Any] = {}
    for (_, so_far), p in row.items():
        merged[so_far] = merged.get(so_far, 0) + p
    return {k: Fraction(p, scale) if constant else p for k, p in merged.items() if p != 0}


def _finished(found: dict[Hashable, Prob], query: Fold) -> tuple[Prob, dict[Hashable, Prob]]:
    row: dict[Hashable, Prob] = {}
    for so_far, p in found.items():
        answer = query.finish(so_far)
        row[answer] = row.get(answer, Fraction(0)) + p
    return sum(row.values(), Fraction(0)), row


def _of_data(found: dict[Hashable, Prob], query: Query, secret: Secret) -> tuple[Prob, dict[Hashable, Prob]]:
    row: dict[Hashable, Prob] = {}
    for data, p in found.items():
        if secret.time is None and not _holds(secret, data):
            continue
        try:
            answer = query(data)
        except FaierError:
            raise
        except Exception as error:
            name = getattr(query, "__name__", "the query")
            raise MechanismError(f"{name}({short(data)}) raised {type(error).__name__}: {error}") from error
        row[answer] = row.get(answer, Fraction(0)) + p
    return sum(row.values(), Fraction(0)), row


def _only() -> Fold:
    """The query of a prior whose data sets are listed: the data set itself, which is its one record."""
    return Fold(None, lambda _, record: record, lambda data: data, "the data set")


def _holds(secret: Secret, what: Any) -> bool:
    try:
        return bool(secret.holds(what))
    except Exception as error:
        raised = f"raised {type(error).__name__}: {error}"
        raise MechanismError(f"{secret.name}, asked of {short(what)}, {raised}") from error


def _stepped(query: Fold, so_far: Any, record: Any) -> Hashable:
    try:
        return query.step(so_far, record)
    except Exception as error:
        raise MechanismError(f"{query.name}, at {short(record)}, raised {type(error).__name__}: {error}") from error


def _integers(row: dict[Any, Any]) -> tuple[dict[Any, int], int]:
    common = lcm(*(p.denominator for p in row.values()))
    return {key: p.numerator * (common // p.denominator) for key, p in row.items()}, common


def _over(value: Prob, common: int) -> int:
    assert isinstance(value, Fraction)
    return value.numerator * (common // value.denominator)


def _integer_moves(rows: Iterable[Sequence[Move]]) -> tuple[bool, int]:
    """Whether all these probabilities are numbers, and their common denominator."""
    weights = [q for row in rows for *_, q in row]
    if not all(isinstance(q, Fraction) for q in weights):
        return False, 1
    return True, lcm(*(q.denominator for q in weights if isinstance(q, Fraction)))
