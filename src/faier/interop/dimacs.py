"""Formulas in DIMACS CNF, and the paper's reduction (its appendix 1) that makes a privacy question of one."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from fractions import Fraction

from faier.errors import ModelError, Problem
from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.model.toml_read import read_text
from faier.number.budget import Budget
from faier.scenario.scenario import Claim, Pair, Scenario

SIZE_LIMIT = 1 << 24
MOST_STATES = 1_000_000
_MOST_PROBLEMS = 50
_HEADER = re.compile(r"p\s+cnf\s+(\d{1,9})\s+(\d{1,9})", re.ASCII)
_LITERAL = re.compile(r"-?\d{1,9}", re.ASCII)

_EXPECTED = "a formula starts with `p cnf VARIABLES CLAUSES`"
_HALF, _FIFTH = Fraction(1, 2), Fraction(1, 5)


@dataclass(frozen=True)
class CNF:
    """Clauses over the variables 1..variables; a literal is a variable or its negative. Valid once made."""

    variables: int
    clauses: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        if self.variables < 0:
            raise ModelError(f"a formula cannot have {self.variables} variables", "header")
        for number, clause in enumerate(self.clauses, 1):
            for literal in clause:
                if literal == 0 or abs(literal) > self.variables:
                    raise ModelError(_out_of_range(literal, self.variables), f"clause {number}")


def load(path: str | os.PathLike[str]) -> Scenario:
    """Read a DIMACS file as the privacy question of its formula: violated exactly when it is satisfiable."""
    return reduction(parse(read_text(path, SIZE_LIMIT)), title=f"Appendix 1's reduction of {_base(path)}")


def parse(text: str) -> CNF:
    """Read DIMACS CNF strictly; all problems are in the one `ModelError` raised, each with its line.

    Comments (lines that start with c) may stand anywhere, a clause may span lines, and a line with a single %
    ends the formula, as in the files of SATLIB.
    """
    reading = _Reading()
    for line, content in enumerate(text.splitlines(), 1):
        if content.strip() == "%":
            break
        reading.line(line, content)
        if len(reading.problems) >= _MOST_PROBLEMS:
            break
    return reading.formula()


def reduction(cnf: CNF, title: str = "Appendix 1's reduction of a formula") -> Scenario:
    """Return the paper's model of a formula of m clauses, over words of 2n + 1 symbols.

    The word X1 a1 X2 a2 ... top, each ai one of Ti and Fi, has the ratio (4s/5 + u/2) / (s/5 + u/2) from A'
    to B', where the assignment satisfies s clauses and leaves u = m - s: it is 4 exactly when all are
    satisfied, and otherwise at most (8m - 3) / (2m + 3), which is the ratio claimed. So the claim is violated
    exactly when the formula is satisfiable. Only states that can be reached have a row.
    """
    clauses = len(cnf.clauses)
    if clauses == 0:
        raise ModelError("a formula without clauses has no reduction; it is satisfiable", "header")
    if (most := clauses * (12 * cnf.variables + 4)) > MOST_STATES:
        raise ModelError(f"the reduction could have {most} states, more than {MOST_STATES}", "header")
    emit: dict[object, dict[object, Fraction]] = {}
    step: dict[object, dict[object, Fraction]] = {}
    for group, top in (("A", 4 * _FIFTH), ("B", _FIFTH)):
        for number, clause in enumerate(cnf.clauses, 1):
            _add_clause(group, number, frozenset(clause), cnf.variables, top, emit, step)
    model = HMM(emit, step)
    left, right = (_uniform(group, clauses, model) for group in "AB")
    ratio = Fraction(8 * clauses - 3, 2 * clauses + 3)
    claim = Claim(budget=Budget.of_ratio(ratio), horizon=2 * cnf.variables + 1)
    beliefs = {belief.name: belief for belief in (left, right)}
    return Scenario(model, (Pair(left, right, one_way=True),), claim, beliefs, title)


def _uniform(group: str, clauses: int, model: HMM) -> Belief:
    starts = [f"{group}'{number},1" for number in range(1, clauses + 1)]
    return Belief.of(f"{group}'", dict.fromkeys(starts, Fraction(1, clauses)), model)


def _add_clause(
    group: str,
    number: int,
    clause: frozenset[int],
    variables: int,
    top: Fraction,
    emit: dict[object, dict[object, Fraction]],
    step: dict[object, dict[object, Fraction]],
) -> None:
    """Add one clause's states: marked ' until a variable satisfies the clause, unmarked from there on."""
    marks = {"'"}
    for j in range(1, variables + 1):
        following: set[str] = set()
        for mark in sorted(marks, reverse=True):
            place = f"{number},{j}"
            here = f"{group}{mark}{place}"
            emit[here] = {f"X{j}": Fraction(1)}
            step[here] = {f"{value}{mark}{group}{place}": _HALF for value in "TF"}
            for value, literal in (("T", j), ("F", -j)):
                then = "" if literal in clause else mark
                following.add(then)
                emit[f"{value}{mark}{group}{place}"] = {f"{value}{j}": Fraction(1)}
                step[f"{value}{mark}{group}{place}"] = {f"{group}{then}{number},{j + 1}": Fraction(1)}
        marks = following
    for mark in sorted(marks, reverse=True):
        chance = _HALF if mark else top
        emit[f"{group}{mark}{number},{variables + 1}"] = {"top": chance, "bot": 1 - chance}


class _Reading:
    """One pass over the lines of a file, gathering everything that is wrong with it."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.header: tuple[int, int] | None = None
        self.header_line = 0
        self.clauses: list[tuple[int, ...]] = []
        self.clause: list[int] = []
        self.clause_line = 0
        self.missed_header = False

    def line(self, line: int, content: str) -> None:
        words = content.split()
        if not words or content.lstrip().startswith("c"):
            return
        if words[0].startswith("p"):
            self._header(line, content.strip())
        elif self.header is None:
            if not self.missed_header:
                self._wrong("header", f"clauses stand before it; {_EXPECTED}", line)
            self.missed_header = True
        else:
            for word in words:
                self._word(line, word)

    def formula(self) -> CNF:
        if self.clause:
            self._wrong(self._place, "the clause is not ended by 0", self.clause_line)
        if self.header is None:
            if not self.problems:
                self._wrong("header", f"there is none; {_EXPECTED}", None)
        elif not self.problems and len(self.clauses) != self.header[1]:
            message = f"{self.header[1]} clauses are announced, but there are {len(self.clauses)}"
            self._wrong("header", message, self.header_line)
        if self.problems or self.header is None:
            raise ModelError(self.problems)
        return CNF(self.header[0], tuple(self.clauses))

    @property
    def _place(self) -> str:
        return f"clause {len(self.clauses) + 1}"

    def _header(self, line: int, content: str) -> None:
        if self.header is not None:
            self._wrong("header", f"a second header; the first is on line {self.header_line}", line)
        elif (match := _HEADER.fullmatch(content)) is None:
            self._wrong("header", f"{_EXPECTED}, got {_short(content)}", line)
            self.missed_header = True
        else:
            self.header, self.header_line = (int(match[1]), int(match[2])), line

    def _word(self, line: int, word: str) -> None:
        assert self.header is not None
        if not _LITERAL.fullmatch(word):
            self._wrong(self._place, f"a literal is a whole number, got {_short(word)}", line)
            return
        literal = int(word)
        if word.startswith("-") and literal == 0:
            self._wrong(self._place, f"0 ends a clause and has no sign, got {word}", line)
        elif literal == 0:
            self.clauses.append(tuple(self.clause))
            self.clause = []
        else:
            if abs(literal) > self.header[0]:
                self._wrong(self._place, _out_of_range(literal, self.header[0]), line)
            if not self.clause:
                self.clause_line = line
            self.clause.append(literal)

    def _wrong(self, place: str, message: str, line: int | None) -> None:
        self.problems.append(Problem(place, message, line))


def _out_of_range(literal: int, variables: int) -> str:
    return f"the literal {literal} is out of range; the variables are 1..{variables}"


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


def _base(path: str | os.PathLike[str]) -> str:
    return os.path.basename(os.fsdecode(path))
