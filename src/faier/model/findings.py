"""Collecting everything that is wrong with a model before anything is raised."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

import flint

from faier.errors import ModelError, NotYetError, NumberError, Problem
from faier.number.digits import short_text
from faier.number.domain import Domain
from faier.number.exact import Prob, kind_of, prob
from faier.number.feasible import can_hold, pole
from faier.number.rational_function import RationalFunction
from faier.number.unknowns import (
    Range,
    Unknowns,
    named_elsewhere,
    read_constraint,
    read_parameter,
    sides,
    with_constants,
)
from faier.number.validity import Fault, fault_of

from .names import place, suggestion

Key = TypeVar("Key")

MOST_PARAMETERS = 32

_SHORT_BITS = 20_000
_MOST_BITS = 1_000_000


class Findings:
    """Problems found so far, and what was understood but is not built yet."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.later: NotYetError | None = None
        self.used: set[str] = set()
        self.unread: frozenset[str] = frozenset()
        """Parameters that stand in the file, but not as they should."""
        self.knows_constraints = True
        self._numbers: dict[tuple[str, frozenset[str]], Prob] = {}
        self._domains: dict[tuple[int, int], Domain] = {}
        self._faults: dict[tuple[int, RationalFunction, bool], Fault | None] = {}
        self.warnings: list[str] = []

    def add(self, where: str, message: str) -> None:
        self.problems.append(Problem(where, message))

    def postpone(self, error: NotYetError) -> None:
        """Remember the first thing that is not built yet; it is raised only where nothing is wrong."""
        self.later = self.later or error

    def settle(self) -> None:
        """Raise all problems at once; where there are none, what is not built yet."""
        if self.problems:
            raise ModelError(self.problems)
        if self.later is not None:
            raise self.later

    def unknowns(self, parameters: Mapping[str, object], constraints: Sequence[object]) -> Unknowns:
        """Read parameters and constraints; those that are wrong are reported and left out."""
        ranges: dict[str, Range] = {}
        fixed: dict[str, Prob] = {}
        for name, text in parameters.items():
            try:
                value = read_parameter(name, text)
            except NumberError as error:
                self.add(place("parameters", name), str(error))
            else:
                if isinstance(value, Range):
                    ranges[name] = value
                else:
                    fixed[name] = value
        if len(ranges) > MOST_PARAMETERS:
            self.add("parameters", f"{len(ranges)} unknown parameters; at most {MOST_PARAMETERS} are handled")
            ranges = dict(list(ranges.items())[:MOST_PARAMETERS])
        known = Unknowns(ranges, fixed)
        self.unread = frozenset(name for name in parameters if name not in known.names)
        for i, text in enumerate(constraints):
            try:
                changed = read_constraint(text, known, named_elsewhere(constraints, i))
            except NumberError as error:
                if not self._is_unread(text):
                    self.add(f"constraints[{i}]", str(error))
                self.knows_constraints = False
            else:
                known = changed
                self.used |= self._named_in(text, known)
        if constraints and self.knows_constraints:
            self._check_constraints(known, constraints)
        return known

    def _check_constraints(self, known: Unknowns, constraints: Sequence[object]) -> None:
        """Report denominators that can be 0, and where no value meets all constraints."""
        for i, text in enumerate(constraints):
            for side in sides(str(text), known):
                if isinstance(side, RationalFunction) and (found := pole(Domain(known, [side]), side)) is not None:
                    message = f"the denominator of {short_text(side, 80)} can be 0 on the range{_at(found, side)}"
                    self.add(f"constraints[{i}]", f"{message}; multiply the constraint by it")
                    return
        if known.cuts:
            match can_hold(Domain(known)):
                case False:
                    where = "constraints" if len(constraints) > 1 else "constraints[0]"
                    self.add(where, "no values of the parameters are left by the constraints and the ranges")
                    self.knows_constraints = False
                case None:
                    self.warnings.append(
                        "constraints: no values that meet them were found; should there be none, any claim holds"
                    )

    def _is_unread(self, text: object) -> bool:
        """Whether a text names a parameter about which something was reported already."""
        return isinstance(text, str) and not self.unread.isdisjoint(re.findall(r"[A-Za-z_]\w*", text))

    def _named_in(self, text: object, known: Unknowns) -> set[str]:
        """The parameters that a constraint speaks about; one that is only bounded is still never used."""
        return {n for n in known.solved if isinstance(text, str) and re.search(rf"\b{re.escape(n)}\b", text)}

    def domain(self, unknowns: Unknowns, number: RationalFunction) -> Domain:
        """The range of the parameters, with the power of e that a number uses."""
        key = (id(unknowns), number.root)
        if (found := self._domains.get(key)) is None:
            found = self._domains[key] = Domain(unknowns, [number])
        return found

    def number(self, value: object, unknowns: Unknowns, root: str, *keys: Hashable) -> Prob | None:
        """Read a number exactly, or report why not and return None."""
        # A file repeats its numbers a great deal.
        known = (value, unknowns.names) if isinstance(value, str) else None
        if known is not None and (seen := self._numbers.get(known)) is not None:
            return seen
        try:
            number = prob(value, unknowns.names)  # type: ignore[arg-type]
            if isinstance(number, RationalFunction):
                self.used |= number.parameters
                if stray := number.parameters - unknowns.names:
                    raise NumberError(f"unknown parameter {min(stray)!r}; it has no range")
                number = with_constants(number, unknowns)
            if known is not None:
                self._numbers[known] = number
            return number
        except NumberError as error:
            if not self._is_unread(value):
                self.add(place(root, *keys), str(error))
        except NotYetError as error:
            self.postpone(error)
        return None

    def distribution(
        self,
        row: object,
        index: Mapping[Hashable, Key],
        unknowns: Unknowns,
        root: str,
        *keys: Hashable,
        kind: str,
        what: str = "row",
    ) -> dict[Key, Prob]:
        """Read a row of numbers that are not negative and sum to 1, zeros left out; report what is wrong."""
        found: dict[Key, Prob] = {}
        if not isinstance(row, Mapping):
            self.add(place(root, *keys), f"a table of probabilities is expected here, got {kind_of(row)}")
            return found
        if not row:
            self.add(place(root, *keys), f"the {what} is empty")
            return found
        good = True
        for name, value in row.items():
            if name not in index:
                self.add(
                    place(root, *keys, name),
                    f"unknown {kind} {kind_of(name)}{suggestion(name, index.keys())}",
                )
                good = False
                continue
            number = self.number(value, unknowns, root, *keys, name)
            if number is None:
                good = False
                continue
            good &= self.check_sign(number, unknowns, root, *keys, name)
            if number != 0:
                found[index[name]] = number
        if good:
            self.check_sum(found.values(), unknowns, what, root, *keys)
        return found

    def check_sign(self, number: Prob, unknowns: Unknowns, root: str, *keys: Hashable) -> bool:
        """Whether a number is proved to be a probability's: nowhere negative; what is wrong is reported."""
        if isinstance(number, Fraction):
            if number.numerator < 0:
                self.add(place(root, *keys), f"a probability cannot be negative, got {short_text(number)}")
            return number.numerator >= 0
        if unknowns.names.isdisjoint(number.parameters) and not number.root:
            return True
        # In a belief a denominator is the probability of what it is conditioned on; where that is 0 nothing is claimed.
        conditional = root == "beliefs"
        key = (id(unknowns), number, conditional)
        if not self.knows_constraints:
            return True
        if key not in self._faults:
            try:
                self._faults[key] = fault_of(self.domain(unknowns, number), number, may_vanish=conditional)
            except NumberError as error:
                self.add(place(root, *keys), f"cannot tell whether this is a probability: {error}")
                return False
        fault = self._faults[key]
        if fault is None:
            return True
        at = _at(fault, number)
        if fault.kind == "unclear":
            self.warnings.append(
                f"{place(root, *keys)}: cannot prove that this is nowhere negative; "
                "what is said holds for the values at which all rows are probabilities"
            )
            return True
        if fault.kind == "vanishes":
            self.add(place(root, *keys), f"the denominator of {short_text(number, 80)} can be 0 on the range{at}")
            return False
        value = "negative" if fault.found is None else short_text(fault.found)
        self.add(place(root, *keys), f"a probability cannot be negative, but this is {value}{at}")
        return False

    def check_sum(
        self, values: Iterable[Prob], unknowns: Unknowns, what: str, root: str, *keys: Hashable
    ) -> None:
        """Report numbers that do not sum to 1 identically."""
        try:
            total = unknowns.simplify(total_of(values))
        except NumberError as error:
            self.add(place(root, *keys), f"cannot add up the {what}: {error}")
            return
        if total != 1 and (isinstance(total, Fraction) or self.knows_constraints):
            self.add(place(root, *keys), f"the {what} sums to {short_text(total, 200)}, not 1")


def _at(fault: Fault, number: RationalFunction) -> str:
    """Where a fault shows, as far as the number depends on it."""
    values = [f"{name} = {short_text(v, 60)}" for name, v in fault.values.items() if name in number.names]
    return f" at {', '.join(values)}" if values else ""


def total_of(values: Iterable[Prob]) -> Prob:
    """The exact sum, over one common denominator."""
    constants: list[Fraction] = []
    others: list[RationalFunction] = []
    for value in values:
        if isinstance(value, Fraction):
            constants.append(value)
        else:
            others.append(value)
    denominators = {v.denominator for v in constants}
    if sum(d.bit_length() for d in denominators) < _SHORT_BITS:
        common = math.lcm(*denominators)
        total: Prob = Fraction(sum(v.numerator * (common // v.denominator) for v in constants), common)
    else:
        total = _long_total(constants)
    for other in others:
        total = total + other
    return total


def _long_total(values: Iterable[Fraction]) -> Fraction:
    """The sum of long numbers; the library's integers divide and reduce them far faster than Python's."""
    total = flint.fmpq(0)
    for value in values:
        total += flint.fmpq(value.numerator, value.denominator)
        if total.q.bit_length() > _MOST_BITS:
            raise NumberError(f"the common denominator has more than {_MOST_BITS} bits")
    return Fraction(1) if total == 1 else Fraction(int(total.p), int(total.q))
