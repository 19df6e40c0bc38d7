"""Families of words u v^n z, as a certificate states them; their shape is checked here, their meaning nowhere yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from .errors import CertificateError
from .strict_json import array, boolean, fields, integer, rational, signed, string

_WORDS = ("pair", "forward", "prefix", "loop", "suffix", "ended")
MOST_SQUARINGS = 64


@dataclass(frozen=True)
class Words:
    """The words prefix loop^n suffix in one direction; `ended` says that they are meant as complete runs."""

    direction: tuple[int, bool]
    prefix: tuple[str, ...]
    loop: tuple[str, ...]
    suffix: tuple[str, ...]
    ended: bool


@dataclass(frozen=True)
class Pump:
    """Words whose ratio grows without end, with a row and a column, by entry, that show it."""

    words: Words
    row: Mapping[int, Fraction]
    row_factor: Fraction
    column: Mapping[int, Fraction]
    column_factor: Fraction
    further_rows: tuple[Mapping[int, Fraction], ...] = ()
    """Rows that the row before gives besides with every loop."""


@dataclass(frozen=True)
class WordsLimit:
    """Words whose ratio tends to a number, with the projections, by row and column, that their loop tends to."""

    words: Words
    factor: Fraction
    left: Mapping[tuple[int, int], Fraction]
    right: Mapping[tuple[int, int], Fraction]
    squarings: int


def read_pump(value: object) -> Pump:
    names = ("row", "row_factor", "column", "column_factor")
    pump = fields(value, "diverges", (*_WORDS, *names), ("further_rows",))
    return Pump(
        _words(pump, "diverges"),
        _vector(pump["row"], "diverges.row"),
        rational(pump["row_factor"], "diverges.row_factor", positive=True),
        _vector(pump["column"], "diverges.column"),
        rational(pump["column_factor"], "diverges.column_factor", positive=True),
        tuple(
            _vector(row, "a row of diverges.further_rows")
            for row in array(pump.get("further_rows", []), "diverges.further_rows")
        ),
    )


def read_words_limit(value: object) -> WordsLimit:
    limit = fields(value, "limit", (*_WORDS, "factor", "left", "right", "squarings"))
    squarings = integer(limit["squarings"], "limit.squarings", 0)
    if squarings > MOST_SQUARINGS:
        raise CertificateError(f"limit.squarings must be at most {MOST_SQUARINGS}, got {squarings}")
    return WordsLimit(
        _words(limit, "limit"),
        rational(limit["factor"], "limit.factor", positive=True),
        _matrix(limit["left"], "limit.left"),
        _matrix(limit["right"], "limit.right"),
        squarings,
    )


def _words(value: Mapping[str, object], place: str) -> Words:
    direction = integer(value["pair"], f"{place}.pair", 0), boolean(value["forward"], f"{place}.forward")
    prefix, loop, suffix = (
        tuple(string(s, f"a symbol of {place}.{name}") for s in array(value[name], f"{place}.{name}"))
        for name in ("prefix", "loop", "suffix")
    )
    if not loop:
        raise CertificateError(f"{place}.loop is empty")
    return Words(direction, prefix, loop, suffix, boolean(value["ended"], f"{place}.ended"))


def _vector(value: object, place: str) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for item in array(value, place):
        entry = array(item, f"an entry of {place}")
        if len(entry) != 2:
            raise CertificateError(f"an entry of {place} is a number of a state and a value")
        state = integer(entry[0], f"a state of {place}", 0)
        if state in found:
            raise CertificateError(f"{place} has the entry {state} twice")
        found[state] = rational(entry[1], f"a value of {place}", positive=True)
    return found


def _matrix(value: object, place: str) -> dict[tuple[int, int], Fraction]:
    found: dict[tuple[int, int], Fraction] = {}
    for item in array(value, place):
        entry = array(item, f"an entry of {place}")
        if len(entry) != 3:
            raise CertificateError(f"an entry of {place} is two numbers of states and a value")
        key = integer(entry[0], f"a row of {place}", 0), integer(entry[1], f"a column of {place}", 0)
        if key in found:
            raise CertificateError(f"{place} has the entry {list(key)} twice")
        found[key] = signed(entry[2], f"a value of {place}")
    return found
