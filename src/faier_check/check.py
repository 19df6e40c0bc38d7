"""Checking a certificate against a model file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TypeAlias

from .apart import Answer, is_apart, prove_apart
from .approach import limit
from .box_rules import prove
from .box_steps import BoxProof
from .boxes import Boxes
from .budgets import as_number, budget, excess, excess_of_numbers, function_budget
from .certificate import (
    Bound,
    Budget,
    Certificate,
    Claim,
    Enumeration,
    Expression,
    Witness,
    horizon_of,
    read_certificate,
)
from .delta import prove as prove_delta
from .delta_certificate import is_about_delta, read_delta_certificate
from .delta_wording import sentence as delta_sentence
from .digest import digest
from .domain import derive
from .enumeration import enumerate as enumerate_words
from .errors import CertificateError, ModelFileError
from .exponentials import bare
from .expression import ExpressionError, expression
from .families import WordsLimit
from .family import Family
from .instance import Values, at, values_of
from .limits import Limits, Meter
from .lumping import lump
from .model import Distribution, Model
from .model_file import read_as_written, read_family
from .pump import pump
from .quotient import Number, same
from .reach import reach_of
from .rules import check_step
from .scope import Finer, Scope
from .strict_json import read_json
from .tree import Forest
from .witnesses import number, witness, witness_at
from .wording import sentence
from .words_limit import words_limit
from .workers import check_all

Source: TypeAlias = str | os.PathLike[str] | bytes


@dataclass(frozen=True)
class Proved:
    """What a certificate proves. There is no value for a certificate that proves nothing: that raises."""

    kind: str
    claim: str
    """The proved claim as one sentence."""
    steps: int
    """How many rules were checked."""
    rests_on: tuple[str, ...]
    """What the proof takes on trust: "step 17 rests on z3". Where it is not empty, the claim is true if that is."""
    terms: Mapping[str, object] = field(compare=False)
    """The claim as the certificate writes it."""


def check(certificate: Source, model: Source, limits: Limits | None = None) -> Proved:
    """Recompute what the certificate says about the model, or raise CertificateError.

    Either argument is a path, or the text itself as bytes. Guarantee: the returned claim is true, but for
    what it says it rests on.
    Raises ModelFileError for an invalid model file and OSError for an unreadable one.
    """
    limits = limits or Limits()
    model_text = _bytes(model, limits)
    if model_text is None:
        raise ModelFileError(f"the file is longer than {limits.file_bytes} bytes; see --file-bytes")
    certificate_text = _bytes(certificate, limits)

    @cache
    def value_of() -> object:
        if certificate_text is None:
            raise CertificateError(f"it is longer than {limits.file_bytes} bytes; see --file-bytes")
        return read_json(certificate_text)

    fineness = 1
    while True:
        meter = Meter(limits)
        try:
            if b"every" in model_text and is_apart(value_of()):
                return _at_every_step(value_of(), model_text, fineness, meter)
            family = read_family(model_text, fineness, meter, lambda: horizon_of(value_of()))
            value = value_of()
            if is_about_delta(value):
                return _about_delta(value, family, meter)
            return _Check(read_certificate(value), family, meter).proved()
        except Finer as finer:
            fineness = finer.fineness


def _at_every_step(value: object, model_text: bytes, fineness: int, meter: Meter) -> Proved:
    """Secrets at every step, past and future apart."""
    family, pairs = read_as_written(model_text, fineness, meter)
    kind, claim, steps, terms = prove_apart(value, family, pairs, meter, _ordinary)
    return Proved(kind, claim, steps, (), terms)


def _ordinary(value: object, family: Family, meter: Meter) -> Answer:
    """What a certificate proves of a model without parameters, as bounds of its tight ratio."""
    certificate = read_certificate(value)
    check = _Check(certificate, family, meter)
    proved, claim = check.proved(), certificate.claim
    if claim.both or proved.rests_on or claim.ratio is not None:
        raise CertificateError('a question is about possible = "either", and rests on nothing', rule="apart")
    if certificate.kind == "epsilon":
        lower, upper = (None if bound == "infinity" else bound for bound in (claim.lower, claim.upper))
        if isinstance(lower, Expression) or isinstance(upper, Expression):
            raise CertificateError("the bounds of a question are rational", rule="apart")
        return Answer((lower, upper), claim.horizon, proved.steps, reach_of(certificate))
    if certificate.kind != "holds" or claim.budget is None or claim.budget.power != 0 or claim.budget.root != 1:
        raise CertificateError("a question is about bounds, or holds at a rational ratio", rule="apart")
    return Answer((Fraction(0), claim.budget.base), claim.horizon, proved.steps, reach_of(certificate))


def _about_delta(value: object, family: Family, meter: Meter) -> Proved:
    """A claim with a delta, or a point of a profile."""
    certificate = read_delta_certificate(value)
    _same_model(certificate.model, family)
    if family.plain is None:
        raise CertificateError("a delta cannot be certified in a model with parameters", rule="proof")
    if certificate.outcomes is not None or (certificate.lower > 0 and certificate.kind == "profile"):
        _require_a_model(family, "event" if certificate.outcomes is not None else "layers")
    model = family.plain
    if certificate.classes is not None:
        if family.inputs:
            raise CertificateError("the letters of a stream are not told apart by classes", rule="lump")
        model = lump(model, certificate.classes, meter)
    steps = prove_delta(certificate, model, family.inputs, meter)
    return Proved(certificate.kind, delta_sentence(certificate, family), steps, (), certificate.terms)


def _same_model(stated: str, family: Family) -> None:
    if stated != (found := digest(family.plain or family)):
        raise CertificateError(f"it is about another model: {stated[:80]!r}, not {found!r}", rule="model")


def _require_a_model(family: Family, rule: str) -> None:
    """What is shown from below is shown of a model, and that there are values at which it is one is not shown here."""
    if family.plain is not None and not all(isinstance(row, Distribution) for row in family.written):
        raise CertificateError("the parameters of the file cancel out; write it without them", rule=rule)


def _bytes(source: Source, limits: Limits) -> bytes | None:
    """The content, or None where it is longer than allowed."""
    if isinstance(source, bytes):
        return source if len(source) <= limits.file_bytes else None
    with Path(source).open("rb") as file:
        content = file.read(limits.file_bytes + 1)
    return content if len(content) <= limits.file_bytes else None


class _Check:
    """One certificate against one model file."""

    def __init__(self, certificate: Certificate, family: Family, meter: Meter):
        self.certificate, self.family, self.meter = certificate, family, meter
        self.claim: Claim = certificate.claim
        self.scope: Scope = family.unknowns.scope
        self.rests_on: list[str] = []

    def proved(self) -> Proved:
        certificate = self.certificate
        _same_model(certificate.model, self.family)
        if certificate.classes is not None and self._lumped is None:
            raise CertificateError("classes of states are for models without parameters", rule="lump")
        steps = 0 if certificate.proof is None else self._prove()
        if certificate.kind == "violated":
            assert certificate.witness is not None
            self._violated(certificate.witness)
            steps += 1
        elif certificate.kind == "epsilon":
            steps += self._lower()
            self._in_order()
        return Proved(
            certificate.kind,
            sentence(certificate, self.family),
            steps,
            tuple(self.rests_on),
            certificate.terms,
        )

    def _prove(self) -> int:
        """left <= ratio * right for every counted word in every direction, as claimed; returns the number of steps."""
        proof, model = self.certificate.proof, self.family.plain
        assert proof is not None
        if isinstance(proof, BoxProof):
            return self._prove_boxes(proof)
        if model is None:
            raise CertificateError("a model with parameters needs a proof by boxes", rule="proof")
        if isinstance(proof, Enumeration):
            enumerate_words(model, self.claim, proof.ratio, self.meter)
            steps = 1
        else:
            forest = Forest(self._plain("proof"), self.claim, proof, self.meter)
            check_all(list(forest.in_depth()), partial(check_step, forest), self.meter)
            steps = len(proof.steps)
        self._within(proof.ratio)
        return steps

    def _prove_boxes(self, proof: BoxProof) -> int:
        ratio = self._expression(proof.ratio, "proof.ratio")
        if self.family.plain is not None and self.claim.ratio is None:
            self._leaves_nothing_out(proof)
        domain = derive(self.family.unknowns)
        try:
            boxes = Boxes(self.family, domain, self.claim, proof, ratio)
        except ZeroDivisionError:
            raise CertificateError("the ratio divides by zero", rule="boxes") from None
        self.rests_on += prove(boxes)
        self._within(ratio)
        return len(proof.steps)

    def _leaves_nothing_out(self, proof: BoxProof) -> None:
        """Constraints are about parameters: of a model without any they leave nothing out."""
        if idle := next((step.rule for step in proof.steps if step.rule in ("outside", "given")), None):
            raise CertificateError("no number depends on what the constraints are about", rule=idle)

    def _within(self, ratio: Number) -> None:
        """The proved ratio is at most the claimed one; in an epsilon certificate it is the upper bound."""
        claim = self.claim
        if claim.ratio is not None:
            domain, claimed = derive(self.family.unknowns), self._expression(claim.ratio, "claim.ratio")
            try:
                function_budget(domain.on(ratio), domain.on(claimed))
            except ZeroDivisionError:
                raise CertificateError("the ratio divides by zero", rule="budget") from None
        elif claim.budget is None:
            upper = self._bound(claim.upper)
            if upper is None or not same(upper, ratio):
                raise CertificateError("the proved ratio is not the claimed upper bound", rule="budget")
        elif isinstance(ratio, Fraction):
            budget(ratio, claim.budget)
        else:
            function_budget(ratio, as_number(claim.budget, self.scope))

    def _violated(self, word: Witness) -> None:
        """The witness exceeds the claimed ratio."""
        claim = self.claim
        left, right, values = self._witness(word)
        claimed: Budget | Number
        if claim.ratio is None:
            assert claim.budget is not None
            claimed = claim.budget
        else:
            claimed = at(self._expression(claim.ratio, "claim.ratio"), self.scope.ring, values)
        if isinstance(claimed, Budget) and isinstance(left, Fraction) and isinstance(right, Fraction):
            excess(left, right, claimed)
        else:
            excess_of_numbers(left, right, claimed, self.scope)

    def _lower(self) -> int:
        """The ratio of the witness, or the limit, is the claimed lower bound."""
        certificate, lower = self.certificate, self._bound(self.claim.lower)
        if certificate.witness is not None:
            left, right, _ = self._witness(certificate.witness)
            reached = left / right if right != 0 else None
            if left == 0 or not _equal(lower, reached):
                raise CertificateError(
                    "the ratio of the witness is not the claimed lower bound", rule="budget"
                )
        elif certificate.diverges is not None:
            pump(self._plain("pump"), self.claim, certificate.diverges, self.meter)
            if lower is not None:
                raise CertificateError("a ratio that grows without end is not the claimed lower bound", rule="budget")
        elif isinstance(certificate.limit, WordsLimit):
            tends_to = words_limit(self._plain("limit"), self.claim, certificate.limit, self.meter)
            if not _equal(lower, tends_to):
                raise CertificateError("the limit is not the claimed lower bound", rule="budget")
        elif certificate.limit is not None:
            found = limit(self.family, derive(self.family.unknowns), self.claim, certificate.limit)
            if not _equal(lower, found):
                raise CertificateError("the limit is not the claimed lower bound", rule="budget")
        else:
            return 0
        return 1

    def _plain(self, rule: str) -> Model:
        """The model of which rows are written: its states are classes where the certificate has some."""
        if self.family.plain is None:
            raise CertificateError("ever longer words are for models without parameters", rule=rule)
        if rule != "proof":
            _require_a_model(self.family, rule)
        return self._lumped or self.family.plain

    @cached_property
    def _lumped(self) -> Model | None:
        classes, plain = self.certificate.classes, self.family.plain
        return None if classes is None or plain is None else lump(plain, classes, self.meter)

    def _in_order(self) -> None:
        """No upper bound below the lower one: whatever else went wrong, this is no statement."""
        lower, upper = self._bound(self.claim.lower), self._bound(self.claim.upper)
        if isinstance(upper, Fraction) and (lower is None or (isinstance(lower, Fraction) and lower > upper)):
            raise CertificateError("the upper bound is below the lower one", rule="budget")

    def _witness(self, word: Witness) -> tuple[Number, Number, Values]:
        """The two probabilities that the witness states, which are right, and the values of the parameters."""
        plain, unknowns = self.family.plain, self.family.unknowns
        _require_a_model(self.family, "witness")
        if word.parameters is not None and not unknowns.texts and plain is not None:
            raise CertificateError("witness has the unknown field 'parameters'")
        if word.parameters is None and (plain is None or self.claim.ratio is not None) and self.scope.names:
            raise CertificateError("witness lacks the field 'parameters'")
        values: Values = {} if word.parameters is None else values_of(unknowns, word.parameters)
        if plain is None:
            return (*witness_at(self.family, values, self.claim, word, self.meter), values)
        witness(plain, self.claim, word, self.meter)
        scope = bare(self.scope.ring, self.scope)
        return number(word.left, scope, "witness"), number(word.right, scope, "witness"), values

    def _bound(self, value: Bound) -> Number | None:
        """A bound of the tight ratio, None for infinity."""
        if value == "infinity":
            return None
        assert not isinstance(value, str)
        return number(value, bare(self.scope.ring, self.scope), "claim")

    def _expression(self, text: str, place: str) -> Number:
        try:
            return expression(text, self.scope)
        except ExpressionError as error:
            raise CertificateError(f"{place}: {error}") from None


def _equal(one: Number | None, other: Number | None) -> bool:
    """Whether two bounds are the same, where None is infinite."""
    return one is other if one is None or other is None else same(one, other)
