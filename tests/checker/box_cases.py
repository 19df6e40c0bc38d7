"""Small models with parameters and their certificates by boxes, written by hand and independent of faier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from checker_cases import claim, holds, one_way

Json = dict[str, Any]

UNIT = ["p", "0", "1"]

GEOMETRIC = {
    "0": {"~0": "2/3", "~1": "1/6", "~2": "1/6"},
    "1": {"~0": "1/3", "~1": "1/3", "~2": "1/3"},
    "2": {"~0": "1/6", "~1": "1/6", "~2": "2/3"},
}
SOMEONE = {"1": "2*p*(1-p)/(1-(1-p)^2)", "2": "p^2/(1-(1-p)^2)"}
ANYONE = {"0": "(1-p)^2", "1": "2*p*(1-p)", "2": "p^2"}


def with_parameters(model: bytes, parameters: Mapping[str, str], constraints: Sequence[str] = ()) -> bytes:
    lines = [f'{name} = "{text}"' for name, text in parameters.items()]
    listed = ", ".join(f'"{c}"' for c in constraints)
    head = f"constraints = [{listed}]\n[parameters]\n" + "\n".join(lines) + "\n"
    return model.replace(b"faier = 1\n", b"faier = 1\n" + head.encode(), 1)


def bits(
    left: str,
    right: str,
    parameters: Mapping[str, str] | None = None,
    constraints: Sequence[str] = (),
) -> bytes:
    """One symbol and no more: "a" with these probabilities on the left and right, else "b"."""
    emit = {"l": {"a": left, "b": f"1-({left})"}, "r": {"a": right, "b": f"1-({right})"}}
    model = one_way(emit, {}, {"l": "1"}, {"r": "1"})
    return with_parameters(model, {"p": "0 < p < 1"} if parameters is None else parameters, constraints)


def disease(parameters: Mapping[str, str] | None = None) -> bytes:
    """Whether anyone is ill, given that someone is: the truncated geometric mechanism counts the ill."""
    model = one_way(GEOMETRIC, {}, SOMEONE, ANYONE)
    return with_parameters(model, {"p": "0 < p < 1"} if parameters is None else parameters)


def boxes(
    model: bytes,
    steps: Sequence[Json],
    *,
    ratio: str = "2",
    variables: Sequence[Sequence[str]] = (UNIT,),
    horizon: object = 1,
    possible: str = "either",
    claimed: Json | None = None,
) -> Json:
    """A certificate that claims just the ratio that its steps prove."""
    stated = claim("2", horizon, possible)
    if claimed is not None:
        stated = {**stated, **claimed}
    elif ratio.isdigit() or ("/" in ratio and ratio.replace("/", "").isdigit()):
        stated["budget"]["base"] = ratio
    else:
        stated["ratio"] = ratio
        del stated["budget"]
    proof = {"rule": "boxes", "ratio": ratio, "variables": [list(v) for v in variables], "steps": list(steps)}
    return holds(model, stated, proof)


def at(place: str, parent: int, key: object, rule: str, **more: object) -> Json:
    return {"rule": rule, place: [parent, key], **more}


def half(parent: int, side: int, rule: str, **more: object) -> Json:
    return at("half", parent, side, rule, **more)


def reading(parent: int, name: str, rule: str, **more: object) -> Json:
    return at("reading", parent, name, rule, **more)


def part(parent: int, number: int, rule: str, **more: object) -> Json:
    return at("part", parent, number, rule, **more)
