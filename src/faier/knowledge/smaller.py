"""Which smaller question, if any, stands for one about mechanisms to which the order of records does not matter."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from faier.errors import MechanismError, UsageError
from faier.mechanisms.mechanism import Mechanism, listed_once
from faier.mechanisms.process import Process
from faier.scenario.scenario import Possible

from .adjacency import Adjacency, pairs_of
from .exchangeable import Reduced, by_records
from .symmetry import by_listing

_FEW_INPUTS = 1_000
_MOST_LISTED = 200_000


def by_symmetry(
    mechanism: Mechanism,
    adjacent: object,
    inputs: Iterable[Hashable] | None,
    exchangeable: bool | None,
    possible: Possible,
) -> Reduced | None:
    """The smaller question, verified: where records are said to be exchangeable, or where that can be shown without
    listing data sets and there are many. None otherwise; an error where what is said is wrong."""
    if exchangeable is False:
        return None
    if exchangeable is None:
        records = mechanism.records
        many = records is not None and records.count > _FEW_INPUTS
        if inputs is not None or not many or possible == "both" or not isinstance(adjacent, Adjacency):
            return None
        try:
            return by_records(mechanism, adjacent)
        except MechanismError:
            # Where all data sets can be looked at, they are: what stands in the way is no mistake of the user's.
            if mechanism.few_inputs(_MOST_LISTED) is None:
                raise
            return None
    if isinstance(mechanism, Process):
        raise UsageError(f"{mechanism.name} releases again and again; exchangeable=True is for one release")
    if mechanism.records is not None and inputs is None and isinstance(adjacent, Adjacency):
        return by_records(mechanism, adjacent)
    listed = mechanism.few_inputs(_MOST_LISTED) if inputs is None else listed_once(inputs)
    if listed is None:
        raise UsageError(
            f"{mechanism.name} has more than {_MOST_LISTED:,} data sets, too many to verify for each that it is "
            "exchangeable; make it with faier.by_record, for which that is shown at once"
        )
    pairs = pairs_of(adjacent, listed)
    if not pairs:
        raise UsageError("no two of the inputs are neighbours, so nothing is claimed")
    return by_listing(mechanism, listed, pairs)
