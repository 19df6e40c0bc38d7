"""Whether the order of records matters: a check of memories, however many data sets there are. [T14]"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from faier.errors import MechanismError

from .mechanism import Mechanism
from .paths import short
from .reading import Letter, Reading
from .records import Records

_MOST_FILLERS = 200


def require_commuting(mechanism: Mechanism, records: Records) -> Reading:
    """Guarantee: any two records can be exchanged at every memory that records can lead to; otherwise an error.

    The error shows a data set for which their order matters, or, where none is found, the memory at which it might.
    """
    reading = Reading(records)
    for place in reading.early():
        memory, marked = place
        after = {x: reading.after({memory: 1}, x) for x in reading.letters if not (marked and x.mine)}
        for one, two in _pairs(list(after)):
            if reading.after(after[one], two) != reading.after(after[two], one):
                raise MechanismError(_shown(mechanism, reading, place, one, two))
    return reading


def _pairs(letters: Sequence[Letter]) -> Iterator[tuple[Letter, Letter]]:
    """Two letters that may follow each other: one record at most is mine."""
    for k, one in enumerate(letters):
        for two in letters[k + 1 :]:
            if not (one.mine and two.mine):
                yield one, two


def _completed(
    path: list[Letter], one: Letter, two: Letter, fillers: list[list[Letter]]
) -> Iterator[tuple[list[Letter], list[Letter]]]:
    """Data sets that differ in the order of the two records alone: with others read after them, or before."""
    for filler in fillers:
        yield [*path, one, two, *filler], [*path, two, one, *filler]
        yield [*filler, *path, one, two], [*filler, *path, two, one]


def _shown(mechanism: Mechanism, reading: Reading, place: tuple[int, bool], one: Letter, two: Letter) -> str:
    records = reading.records
    path = reading.path_to(place)
    missing = records.length - len(path) - 2
    head = f"{mechanism.name} is not exchangeable: "
    fillers = [[Letter(v, False)] * missing for v in range(len(records.values))]
    if records.picks and not any(x.mine for x in (*path, one, two)):
        marked = ([Letter(f[0].value, True), *f[1:]] for f in fillers if f)
        fillers = [*marked]
    for written, exchanged in _completed(path, one, two, fillers[:_MOST_FILLERS]):
        data, other = (tuple(records.values[x.value] for x in letters) for letters in (written, exchanged))
        rows = mechanism.distribution(data), mechanism.distribution(other)
        if records.picks:
            mine = [next(i for i, x in enumerate(letters, 1) if x.mine) for letters in (written, exchanged)]
            if (p := rows[0].of(mine[0])) != (q := rows[1].of(mine[1])):
                return head + (
                    f"for {short(data)} it releases {mine[0]} with probability {p}, and for {short(other)}, where "
                    f"that record stands at {mine[1]}, with {q}"
                )
            continue
        for symbol in dict.fromkeys((*rows[0], *rows[1])):
            if (p := rows[0].of(symbol)) != (q := rows[1].of(symbol)):
                return head + (
                    f"it releases {short(symbol)} with probability {p} for {short(data)} and {q} for {short(other)}"
                )
    # Nothing proves that their order matters: the mechanism may forget it. It has to be shown that it does not.
    read = reading.shown(path) or "nothing"
    return head + (
        f"after reading {read} it remembers {short(reading.memories[place[0]])}, and {reading.shown([one, two])} then "
        f"lead to other memories than {reading.shown([two, one])}"
    )
