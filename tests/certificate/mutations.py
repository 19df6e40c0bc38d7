"""Small changes of certificates, each likely to break the proof, or to make it state something else."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

Json = dict[str, Any]
Mutation = Callable[[Json, Random], None]

PART = Fraction(1, 10**30)


def _steps(certificate: Json) -> list[Json]:
    return (certificate["proof"] or {}).get("steps") or []


def _moved(value: str, dice: Random) -> str:
    return str(Fraction(value) * (1 + dice.choice([-1, 1]) * PART)) if value != "infinity" else value


def lower_claim(certificate: Json, dice: Random) -> None:
    """A slightly stronger statement, and the proof's ratio with it."""
    claim, proof = certificate["claim"], certificate["proof"]
    factor = dice.choice([1 - PART, Fraction(9, 10), Fraction(1, 2)])
    if "budget" in claim:
        claim["budget"]["base"] = str(Fraction(claim["budget"]["base"]) * factor ** claim["budget"]["root"])
    elif claim["upper"] != "infinity":
        claim["upper"] = str(Fraction(claim["upper"]) * factor)
    if proof is not None:
        proof["ratio"] = str(Fraction(proof["ratio"]) * factor)


def lower_ratio(certificate: Json, dice: Random) -> None:
    if certificate["proof"] is not None:
        certificate["proof"]["ratio"] = str(Fraction(certificate["proof"]["ratio"]) * (1 - PART))


def lower_budget(certificate: Json, dice: Random) -> None:
    claim = certificate["claim"]
    if "budget" in claim:
        claim["budget"]["base"] = _moved(claim["budget"]["base"], dice)
    else:
        side = dice.choice(["lower", "upper"])
        claim[side] = _moved(claim[side], dice)


def drop_step(certificate: Json, dice: Random) -> None:
    if steps := _steps(certificate):
        del steps[dice.randrange(len(steps))]


def drop_last_steps(certificate: Json, dice: Random) -> None:
    if steps := _steps(certificate):
        del steps[dice.randrange(len(steps)) :]


def swap_steps(certificate: Json, dice: Random) -> None:
    if len(steps := _steps(certificate)) > 1:
        i, j = dice.sample(range(len(steps)), 2)
        steps[i], steps[j] = steps[j], steps[i]


def point_elsewhere(certificate: Json, dice: Random) -> None:
    steps = _steps(certificate)
    if pointing := [s for s in steps if s["rule"] == "subsume"]:
        dice.choice(pointing)["by"] = dice.randrange(len(steps))


def hang_elsewhere(certificate: Json, dice: Random) -> None:
    steps = _steps(certificate)
    if hanging := [s for s in steps if "after" in s]:
        dice.choice(hanging)["after"] = [dice.randrange(len(steps)), dice.randrange(3)]


def change_scale(certificate: Json, dice: Random) -> None:
    if pointing := [s for s in _steps(certificate) if s["rule"] == "subsume"]:
        step = dice.choice(pointing)
        step["scale"] = dice.choice([_moved(step["scale"], dice), "1", "1/2", "2", "1000000"])


def change_rule(certificate: Json, dice: Random) -> None:
    if steps := _steps(certificate):
        step = dice.choice(steps)
        for name in ("by", "scale"):
            step.pop(name, None)
        step["rule"] = dice.choice(["expand", "end", "dominate"])


def close_by_another(certificate: Json, dice: Random) -> None:
    if steps := _steps(certificate):
        scale = dice.choice(["1", "1/2", "2"])
        dice.choice(steps).update(rule="subsume", by=dice.randrange(len(steps)), scale=scale)


def drop_exact(certificate: Json, dice: Random) -> None:
    for step in _steps(certificate):
        step.pop("exact", None)
    if _steps(certificate):
        certificate["proof"]["precision"] = dice.choice([16, 64, certificate["proof"]["precision"]])


def change_root(certificate: Json, dice: Random) -> None:
    if roots := [s for s in _steps(certificate) if "root" in s]:
        dice.choice(roots)["root"] = [dice.randrange(3), dice.random() < 0.5]


def change_horizon(certificate: Json, dice: Random) -> None:
    certificate["claim"]["horizon"] = dice.choice([1, 2, 3, 4, 5, "any"])


def toggle_possible(certificate: Json, dice: Random) -> None:
    claim = certificate["claim"]
    claim["possible"] = "both" if claim["possible"] == "either" else "either"


def change_witness(certificate: Json, dice: Random) -> None:
    word = certificate["witness"]
    if word is None:
        return
    match dice.randrange(6):
        case 0:
            word["forward"] = not word["forward"]
        case 1:
            word["ended"] = not word["ended"]
        case 2:
            side = dice.choice(["left", "right"])
            word[side] = _moved(word[side], dice)
        case 3:
            word["left"], word["right"] = word["right"], word["left"]
        case 4:
            word["word"] = word["word"][:-1] if dice.random() < 0.5 else word["word"] + word["word"][:1]
        case 5:
            word["pair"] = 1 - word["pair"]


def change_kind(certificate: Json, dice: Random) -> None:
    certificate["kind"] = dice.choice(["holds", "violated", "epsilon"])


def enumerate_instead(certificate: Json, dice: Random) -> None:
    if certificate["proof"] is not None:
        certificate["proof"] = {"rule": "enumerate", "ratio": certificate["proof"]["ratio"]}


def change_matrix(certificate: Json, dice: Random) -> None:
    """Entries of a simulation, or which one a step uses, and of which kind."""
    matrices = (certificate["proof"] or {}).get("matrices") or []
    if not any(matrices):
        return
    entries = dice.choice([matrix for matrix in matrices if matrix])
    entry = dice.choice(entries)
    match dice.randrange(5):
        case 0:
            entry[2] = _moved(entry[2], dice)
        case 1:
            entry[2] = dice.choice(["1", "1/2", "2", "1000000"])
        case 2:
            entries.remove(entry)
        case 3:
            entry[1] = dice.randrange(4)
        case 4:
            using = [s for s in _steps(certificate) if "matrix" in s]
            dice.choice(using)["rule"] = dice.choice(["simulate", "cosimulate"])


def simulate_instead(certificate: Json, dice: Random) -> None:
    if steps := _steps(certificate):
        size = dice.randrange(1, 5)
        step = dice.choice(steps)
        for name in ("by", "scale", "parts"):
            step.pop(name, None)
        step.update(rule=dice.choice(["simulate", "cosimulate"]), matrix=0)
        certificate["proof"]["matrices"] = [[[i, dice.randrange(size), "1"] for i in range(size)]]


def combine_instead(certificate: Json, dice: Random) -> None:
    if steps := _steps(certificate):
        step = dice.choice(steps)
        for name in ("by", "scale", "matrix"):
            step.pop(name, None)
        parts = [[dice.randrange(len(steps)), dice.choice(["1", "1/2", "2"])] for _ in range(dice.randrange(1, 4))]
        step.update(rule=dice.choice(["combine", "outweigh"]), parts=parts)


def change_parts(certificate: Json, dice: Random) -> None:
    """Which steps cover one together, how much of each, or by which rule."""
    if covered := [s for s in _steps(certificate) if s.get("parts")]:
        step = dice.choice(covered)
        part = dice.choice(step["parts"])
        match dice.randrange(4):
            case 0:
                part[0] = dice.randrange(len(_steps(certificate)))
            case 1:
                part[1] = dice.choice([_moved(part[1], dice), "1", "1/2", "2", "1000000"])
            case 2:
                step["parts"].remove(part)
            case 3:
                step["rule"] = "combine" if step["rule"] == "outweigh" else "outweigh"


def change_family(certificate: Json, dice: Random) -> None:
    """What shows that ratios grow, or what they tend to."""
    found = certificate.get("diverges") or certificate.get("limit")
    if not found or "loop" not in found:
        return
    name = dice.choice(sorted(found))
    value = found[name]
    if isinstance(value, bool):
        found[name] = not value
    elif isinstance(value, int):
        found[name] = value + dice.choice([-1, 1])
    elif isinstance(value, str):
        found[name] = dice.choice([_moved(value, dice), "1", "1/2", "2"])
    elif name in ("prefix", "loop", "suffix"):
        found[name] = value[:-1] if value and dice.random() < 0.5 else [*value, *found["loop"][:1]]
    elif value:
        entry = dice.choice(value)
        entry[-1] = dice.choice([_moved(entry[-1], dice), "1", "1/2", "2"])
        if dice.random() < 0.3:
            value.remove(entry)


def move_bounds_of_family(certificate: Json, dice: Random) -> None:
    """Another statement, shown by the same family."""
    if certificate.get("limit") or certificate.get("diverges"):
        claim = certificate["claim"]
        claim["lower"] = dice.choice(["1", "2", "infinity", _moved(claim["lower"], dice)])


MUTATIONS: tuple[Mutation, ...] = (
    change_matrix, simulate_instead, combine_instead, change_parts, change_family, move_bounds_of_family,
    lower_claim, lower_ratio, lower_budget, drop_step, drop_last_steps, swap_steps, point_elsewhere,
    hang_elsewhere, change_scale, change_rule, close_by_another, drop_exact, change_root, change_horizon,
    toggle_possible, change_witness, change_kind, enumerate_instead,
)  # fmt: skip
