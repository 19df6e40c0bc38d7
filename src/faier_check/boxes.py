"""The steps of a proof by boxes as a forest: what box, prefix or polynomial each stands for. [T9]"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from .bernstein import Box, not_negative, sign
from .box_steps import POLYNOMIAL_FIELDS, WORD_FIELDS, BoxProof, BoxStep
from .certificate import Claim
from .domain import Domain, on_domain
from .errors import CertificateError
from .exponential import exp_above, exp_below
from .exponentials import sign_of_polynomial
from .family import Family, Weights
from .model import Distribution
from .poly_rows import Entries, Row, Words, common_denominator
from .polynomial import Poly, Ring, minus, occurring, scaled
from .quotient import Number, parts, variables
from .rows import equal_rows
from .scope import Finer, Scope

LEFT, RIGHT = 0, 1

_MOST_BITS = 1 << 16
_PARENTS = {
    "after": ("expand",),
    "half": ("split",),
    "reading": ("expand", "end"),
    "part": ("squares", "face", "sector", "product", "parabola", "given"),
}
_PARTS = {"squares": 1, "face": 2, "product": 2, "parabola": 3, "given": 2}
_UNUSED = (Fraction(0), Fraction(1))


class Boxes:
    """Links steps to boxes and prefixes, and computes their polynomials.

    Guarantee, once made: every direction of the model has exactly one root, which stands for the empty prefix on
    the whole hull; every other step has an earlier parent, of a rule that has such children, and no two steps have
    the same place.
    """

    def __init__(self, family: Family, domain: Domain, claim: Claim, proof: BoxProof, ratio: Number):
        self.family, self.domain, self.claim, self.steps = family, domain, claim, proof.steps
        self.ring: Ring = domain.ring
        self.meter = self.ring.meter
        self.axes, self.hull, names = _hull(domain, proof)
        self.scope = Scope(self.ring, (), domain.unknowns.scope.fineness)
        self.scope.index.update(names)
        """What expressions in the variables mean."""
        self._signs: dict[tuple[tuple[int, int], ...], int] = {}
        self._use(proof.steps)
        self.ratio = domain.on(ratio)
        self.words = Words(
            self.ring,
            len(family.symbols),
            [entries_of(row, domain) for row in family.emit],
            [None if row is None else entries_of(row, domain) for row in family.step],
            [entries_of(row, domain) for row in family.beliefs],
            self.sign,
        )
        if domain.unknowns.scope.x not in self.axes and self._uses_exp():
            name = exp_name(domain.unknowns.scope.fineness)
            raise CertificateError(f"the last variable must be {name}", rule="boxes")
        self._common: dict[tuple[int, int], tuple[Poly, ...]] = {}
        self._likes: dict[int, int] = {}
        top, bottom = parts(self.ratio)
        known = self.sign(bottom)
        factor = {0: known} if known else bottom
        self._ratio_parts = self.ring.times(top, factor), self.ring.times(bottom, factor)
        # By step: its direction, prefix and box, and whether it speaks of a polynomial and of local variables.
        self.direction: list[tuple[int, bool]] = []
        self.prefix: list[int] = []
        self.box: list[Box] = []
        self.is_polynomial: list[bool] = []
        self.is_local: list[bool] = []
        self.children: list[dict[tuple[str, int | str], int]] = []
        self.roots: dict[tuple[int, bool], int] = {}
        for step in self.steps:
            self._link(step)
        for pair, forward in family.directions:
            if (pair, forward) not in self.roots:
                raise CertificateError(
                    f"the direction [{pair}, {str(forward).lower()}] has no root", rule="root"
                )

    def _uses_exp(self) -> bool:
        family, x = self.family, self.domain.unknowns.scope.x
        rows = [row for row in (*family.emit, *family.step, *family.beliefs) if isinstance(row, tuple)]
        numbers = [self.ratio, *(value for row in rows for _, value in row)]
        numbers += [constraint.gap for constraint in self.domain.unknowns.constraints]
        return any(x in variables(value) for value in numbers)

    def _use(self, steps: tuple[BoxStep, ...]) -> None:
        for step in steps:
            if step.variable >= len(self.axes):
                raise CertificateError("there is no such variable", rule=step.rule, step=step.number)
            if step.rule == "sector" and len(step.corner) != len(self.axes):
                raise CertificateError(
                    "the corner has an entry for each variable", rule="sector", step=step.number
                )
            if step.cut >= len(self.domain.cuts):
                raise CertificateError("there is no such cut", rule=step.rule, step=step.number)

    def _link(self, step: BoxStep) -> None:
        if step.place == "root":
            assert isinstance(step.key, tuple)
            if step.key not in self.family.directions:
                raise CertificateError("the model has no such direction", rule="root", step=step.number)
            if step.key in self.roots:
                raise CertificateError("the direction has a root already", rule="root", step=step.number)
            self.roots[step.key] = step.number
            self._place(step, step.key, 0, self.hull, False, False)
            return
        assert not isinstance(step.key, tuple)
        if step.parent >= step.number or self.steps[step.parent].rule not in _PARENTS[step.place]:
            wanted = " or ".join(_PARENTS[step.place])
            raise CertificateError(
                f"the parent is not an earlier {wanted} step", rule=step.place, step=step.number
            )
        if (step.place, step.key) in self.children[step.parent]:
            raise CertificateError("there is such a step already", rule=step.place, step=step.number)
        self.children[step.parent][step.place, step.key] = step.number
        parent = self.steps[step.parent]
        n = parent.number
        prefix, box, is_polynomial, local = (
            self.prefix[n],
            self.box[n],
            self.is_polynomial[n],
            self.is_local[n],
        )
        if step.place == "after":
            assert isinstance(step.key, int)
            if step.key >= len(self.family.symbols):
                raise CertificateError("there is no such symbol", rule="after", step=step.number)
            prefix = self.words.after(prefix, step.key)
        elif step.place == "half":
            box = self._half(box, parent, step)
        elif step.place == "reading":
            is_polynomial = True
        elif parent.rule == "sector":
            if step.key not in range(len(self.axes)):
                raise CertificateError("there is no such variable", rule="part", step=step.number)
            box, local = tuple(_UNUSED for _ in box), True
        elif step.key not in range(_PARTS[parent.rule]):
            raise CertificateError("there is no such part", rule="part", step=step.number)
        self._place(step, self.direction[n], prefix, box, is_polynomial, local)

    def _half(self, box: Box, parent: BoxStep, step: BoxStep) -> Box:
        i = self.axes[parent.variable]
        low, high = box[i]
        if step.key not in (0, 1):
            raise CertificateError("there are the halves 0 and 1", rule="half", step=step.number)
        if not low < parent.at < high:
            raise CertificateError("it does not lie inside the box", rule="split", step=parent.number)
        half = (low, parent.at) if step.key == 0 else (parent.at, high)
        return (*box[:i], half, *box[i + 1 :])

    def _place(
        self,
        step: BoxStep,
        direction: tuple[int, bool],
        prefix: int,
        box: Box,
        is_polynomial: bool,
        local: bool,
    ) -> None:
        if step.rule not in (POLYNOMIAL_FIELDS if is_polynomial else WORD_FIELDS):
            what = "a polynomial" if is_polynomial else "a prefix"
            raise CertificateError(f"this rule does not close {what}", rule=step.rule, step=step.number)
        self.direction.append(direction)
        self.prefix.append(prefix)
        self.box.append(box)
        self.is_polynomial.append(is_polynomial)
        self.is_local.append(local)
        self.children.append({})

    def in_depth(self) -> Iterator[BoxStep]:
        """The steps of prefixes, each subtree in one stretch."""
        waiting = list(reversed(self.roots.values()))
        while waiting:
            number = waiting.pop()
            yield self.steps[number]
            children = self.children[number].items()
            waiting.extend(reversed([child for (place, _), child in children if place in ("after", "half")]))

    def length(self, step: int) -> int:
        return self.words.length[self.prefix[step]]

    def beliefs(self, step: int) -> frozenset[int]:
        """The beliefs of its direction that depend on parameters; equal ones have the same number."""
        sides, beliefs = self.family.sides(self.direction[step]), self.family.beliefs
        return frozenset(self._first_like(b) for b in sides if not isinstance(beliefs[b], Distribution))

    def _first_like(self, belief: int) -> int:
        if belief not in self._likes:
            beliefs = self.family.beliefs
            self._likes[belief] = next(b for b in range(belief + 1) if equal_rows(beliefs[b], beliefs[belief]))
        return self._likes[belief]

    def row(self, step: int, side: int) -> Row:
        """One side's row of a step's prefix, up to a positive factor that `difference` knows."""
        return self.words.row(self.family.sides(self.direction[step])[side], self.prefix[step])

    def not_negative(self, p: Poly, step: int) -> bool:
        """p >= 0 at the admissible values in the step's box, as its coefficients show; or as its value does."""
        if self._is_number(p) and not self.is_local[step]:
            return sign_of_polynomial(p, self.domain.unknowns.scope) >= 0
        return not_negative(p, self.box[step], self.meter)

    def _is_number(self, p: Poly) -> bool:
        """Whether p depends on x = e^(1/q) at most, which has one value. [T7]"""
        return occurring(p) == [self.domain.unknowns.scope.x]

    def sign(self, p: Poly) -> int:
        """1 or -1 where p has no other sign on the whole hull, as far as coefficients tell; else 0."""
        key = tuple(sorted(p.items()))
        if key not in self._signs:
            scope = self.domain.unknowns.scope
            known = sign_of_polynomial(p, scope) if self._is_number(p) else 0
            self._signs[key] = known or sign(p, self.hull, self.axes, self.meter)
        return self._signs[key]

    def _cofactors(self, step: int) -> tuple[Poly, Poly]:
        """What the rows of left and right are multiplied by, so that both stand over one positive denominator."""
        sides = self.family.sides(self.direction[step])
        if sides not in self._common:
            own = [self.words.denominators[belief] for belief in sides]
            self._common[sides] = common_denominator(self.ring, own, self.sign).cofactors
        left, right = self._common[sides]
        return left, right

    def excess(self, step: int, left: tuple[Poly, Fraction], right: tuple[Poly, Fraction]) -> Poly:
        """ratio * right - left times a positive function, for values of the two rows with their scales."""
        cofactors, times = self._cofactors(step), self.ring.times
        top, bottom = self._ratio_parts
        return _difference(
            times(top, times(cofactors[1], right[0])),
            right[1],
            times(bottom, times(cofactors[0], left[0])),
            left[1],
        )

    def gap(self, one: int, other: int, side: int, state: int, scale: Fraction) -> Poly:
        """scale * (the other step's entry) - (this one's), times a positive function.

        Each is multiplied by the common denominator of its direction: what is compared may differ from the
        probabilities by a positive function, the same one for left and right.
        """
        times, power = self.ring.times, self.ring.power
        longest = max(self.length(one), self.length(other))
        values = []
        for step in (one, other):
            row, cofactor = self.row(step, side), self._cofactors(step)[side]
            missing = power(self.words.common, longest - self.length(step))
            values.append((times(times(row.entries.get(state, {}), cofactor), missing), row.scale))
        (here, here_scale), (there, there_scale) = values
        return _difference(there, there_scale * scale, here, here_scale)


def _difference(x: Poly, a: Fraction, y: Poly, b: Fraction) -> Poly:
    """a x - b y times a positive number, for a, b > 0."""
    ratio = a / b
    return minus(scaled(x, ratio.numerator), scaled(y, ratio.denominator))


def entries_of(row: Distribution | Weights, domain: Domain) -> Entries:
    if isinstance(row, Distribution):
        return [(i, Fraction(n, row.denominator)) for i, n in row.entries]
    return on_domain(row, domain)


def _hull(domain: Domain, proof: BoxProof) -> tuple[tuple[int, ...], Box, dict[str, int]]:
    """The variables' numbers, their ranges, and what names mean; or CertificateError where the file says other."""
    scope = domain.unknowns.scope
    own = [(scope.names[i], r.lower, r.upper) for i, r in sorted(domain.ranges.items())]
    axes = tuple(sorted(domain.ranges))
    if proof.variables[: len(own)] != tuple(own):
        expected = ", ".join(f"{name} in [{low}, {high}]" for name, low, high in own)[:200]
        raise CertificateError(f"the variables are not those of the file: {expected}", rule="boxes")
    box = [_UNUSED] * domain.ring.count
    for i, (_, low, high) in zip(axes, own, strict=True):
        box[i] = low, high
    rest = proof.variables[len(own) :]
    if rest:
        ((name, low, high), *more) = rest
        fineness = _fineness(name)
        if more or fineness is None or fineness % scope.fineness:
            raise CertificateError(f"the last variable must be {exp_name(scope.fineness)}", rule="boxes")
        if fineness != scope.fineness:
            raise Finer(fineness)
        check_enclosure(low, high, scope.fineness)
        axes, box[scope.x] = (*axes, scope.x), (low, high)
    return axes, tuple(box), {scope.names[i]: i for i in sorted(domain.ranges)}


def exp_name(fineness: int) -> str:
    return "exp(1)" if fineness == 1 else f"exp(1/{fineness})"


def _fineness(name: str) -> int | None:
    found = re.fullmatch(r"exp\(1(?:/([1-9][0-9]{0,3}))?\)", name, re.ASCII)
    return None if found is None or found[1] == "1" else int(found[1] or "1")


def check_enclosure(low: Fraction, high: Fraction, fineness: int) -> None:
    """0 < low <= e^(1/fineness) <= high."""
    bits = 64 + 2 * max(low.denominator.bit_length(), high.denominator.bit_length())
    power = Fraction(1, fineness)
    if bits > _MOST_BITS or not 0 < low <= exp_below(power, bits) or not exp_above(power, bits) <= high:
        raise CertificateError(f"e^(1/{fineness}) is not shown to lie between the ends", rule="boxes")
