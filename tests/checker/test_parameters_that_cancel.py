"""Where parameters cancel out of a compiled model, nothing shows that there are values at which it is one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from faier_check import CertificateError, check
from faier_check.digest import digest
from faier_check.limits import Meter
from faier_check.model_file import read_family

STREAM = b"""
faier = 1
constraints = [%s]
[parameters]
p = "0 < p < 1"
[stream.on.ask]
one = [["yes", "one", "p/2"], ["yes", "two", "(1-p)/2"], ["no", "one", "1/2"]]
two = [["yes", "two", "1/2"], ["no", "two", "1/2"]]
other = [["yes", "other", "1/4"], ["no", "other", "3/4"]]
[[compare]]
left = "one"
right = "other"
"""
IMPOSSIBLE = STREAM.replace(b"%s", b'"p * p == 1/2"')
"""No rational number is admissible, and the file does not show that another one is."""

SYMBOL = "(ask, ask, yes)"
LETTERS = {"pair": 0, "forward": True, "prefix": [], "loop": [SYMBOL], "suffix": [], "ended": False}


def certificate(model: bytes, kind: str, claim: dict[str, Any], **changes: Any) -> bytes:
    family = read_family(model, 1, Meter())
    assert family.plain is not None
    given = {"faier_certificate": 1, "kind": kind, "model": digest(family.plain), "claim": claim}
    return json.dumps({**given, "proof": None, "witness": None, **changes}).encode()


ONE = {"power": "0", "base": "1", "root": 1}
GROWS = {"lower": "infinity", "upper": "infinity", "horizon": "any", "possible": "either", "delta": "0"}
BEYOND = {"budget": ONE, "horizon": 1, "possible": "either", "delta": "1/8"}
POINT = {"budget": ONE, "horizon": 1, "possible": "either", "lower": "1/4", "upper": "1/4"}
EVENT = {"pair": 0, "forward": True, "words": [[SYMBOL]], "ended": [False], "left": "1/2", "right": "1/4"}
LAYERS = {"rule": "layers", "below": "1", "above": "1", "depth": 1}


def growing(model: bytes) -> dict[str, Any]:
    """The left side stays in the states that show the letter, entered with 1/2; the right one with 1/4."""
    family = read_family(model, 1, Meter())
    plain = family.plain
    assert plain is not None
    yes = plain.symbols.index(SYMBOL)
    shown = [i for i, row in enumerate(plain.emit) if dict(row.entries).get(yes)]
    left, right = (
        [i for i in shown if i in dict(side.entries)] for side in (plain.pairs[0].left, plain.pairs[0].right)
    )
    return {
        **LETTERS,
        "suffix": [SYMBOL],
        "row": [[i, "1"] for i in left],
        "row_factor": "1/2",
        "column": [[i, "1"] for i in right],
        "column_factor": "1/4",
    }


@pytest.mark.parametrize(
    ("kind", "claim", "shown"),
    [
        ("epsilon", GROWS, "diverges"),
        ("violated", BEYOND, "witness"),
        ("profile", POINT, "proof"),
    ],
)
def test_what_is_shown_from_below_needs_a_model(kind: str, claim: dict[str, Any], shown: str) -> None:
    plain = STREAM.replace(b"%s", b"").replace(b"p/2", b"1/4").replace(b"(1-p)/2", b"1/4")
    for model in (plain, IMPOSSIBLE):
        value = {"diverges": growing(model), "witness": EVENT, "proof": LAYERS}[shown]
        stated = certificate(model, kind, claim, **{shown: value})
        if model is plain:
            assert check(stated, model).kind == kind
        else:
            with pytest.raises(CertificateError, match="cancel out"):
                check(stated, model)
