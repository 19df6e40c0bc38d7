"""Small models and certificates for the tests of the checker, written by hand and independent of faier."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from faier_check import CertificateError, Limits, Proved, check
from faier_check.digest import digest
from faier_check.model_file import read_model

Rows = Mapping[str, Mapping[str, object]]
Json = dict[str, Any]


def toml(
    emit: Rows,
    step: Rows | None = None,
    beliefs: Rows | None = None,
    compare: Sequence[tuple[str, str, bool]] = (),
    extra: str = "",
) -> bytes:
    """A model file; the numbers are written as strings, a pair is (left, right, one_way)."""
    lines = ["faier = 1", extra]
    for name, rows in (("model.emit", emit), ("model.step", step or {}), ("beliefs", beliefs or {})):
        lines.append(f"[{name}]")
        for key, row in rows.items():
            lines.append(
                f"{_key(key)} = {{ " + ", ".join(f'{_key(k)} = "{v}"' for k, v in row.items()) + " }"
            )
    for left, right, one_way in compare:
        lines += [
            "[[compare]]",
            f"left = {_key(left)}",
            f"right = {_key(right)}",
            f"one_way = {str(one_way).lower()}",
        ]
    return "\n".join(lines).encode()


def _key(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def one_way(emit: Rows, step: Rows, left: Mapping[str, object], right: Mapping[str, object]) -> bytes:
    """A model with a single direction, from belief "left" to belief "right"."""
    return toml(emit, step, {"left": left, "right": right}, [("left", "right", True)])


def claim(ratio: str = "2", horizon: object = "any", possible: str = "either") -> Json:
    return {
        "budget": {"power": "0", "base": ratio, "root": 1},
        "horizon": horizon,
        "possible": possible,
        "delta": "0",
    }


def holds(model: bytes, claimed: Json, proof: Json) -> Json:
    return {
        "faier_certificate": 1,
        "kind": "holds",
        "model": digest(read_model(model)),
        "claim": claimed,
        "proof": proof,
        "witness": None,
    }


def violated(model: bytes, claimed: Json, witness: Json) -> Json:
    return {**holds(model, claimed, {}), "kind": "violated", "proof": None, "witness": witness}


def tree(
    model: bytes,
    steps: Sequence[Json],
    *,
    ratio: str = "2",
    horizon: object = "any",
    possible: str = "either",
    precision: int = 64,
) -> Json:
    """A certificate that claims just the ratio that its steps prove."""
    proof = {"rule": "tree", "ratio": ratio, "precision": precision, "steps": list(steps)}
    return holds(model, claim(ratio if ratio != "0" else "1", horizon, possible), proof)


def root(rule: str, pair: int = 0, forward: bool = True, **more: object) -> Json:
    return {"rule": rule, "root": [pair, forward], **more}


def after(parent: int, symbol: int, rule: str, **more: object) -> Json:
    return {"rule": rule, "after": [parent, symbol], **more}


def accepts(certificate: Json, model: bytes, limits: Limits | None = None) -> Proved:
    return check(json.dumps(certificate).encode(), model, *(() if limits is None else (limits,)))


def rejects(certificate: Json, model: bytes, match: str) -> None:
    with pytest.raises(CertificateError, match=match):
        check(json.dumps(certificate).encode(), model)


BIT = {"0": {"a": "3/4", "b": "1/4"}, "1": {"a": "1/4", "b": "3/4"}}
"""Randomized response: two states, and each run ends after one symbol unless a step says otherwise."""

STAY = {"0": {"0": "1"}, "1": {"1": "1"}}
CONTAGIOUS = toml(
    {
        "0": {"~0": "2/3", "~1": "1/6", "~2": "1/6"},
        "1": {"~0": "1/3", "~1": "1/3", "~2": "1/3"},
        "2": {"~0": "1/6", "~1": "1/6", "~2": "2/3"},
    },
    {},
    {"well": {"0": "1"}, "sick": {"2": "1"}, "mixed": {"0": "(1-p)^2", "1": "2*p*(1-p)", "2": "p^2"}},
    [("sick", "well", False)],
)
