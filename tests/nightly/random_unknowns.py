"""Random models with one to four unknown parameters, the same every time: one for each seed.

Most of them claim a ratio that is met with equality at a planted place: ratio * right - left is a polynomial that
touches 0 there. Twins, moved by a tiny amount, are violated near that place or hold strictly. What is to be found is
known from how the model was made.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Literal, TypeAlias

import reference
from faier.engine.boxes.values import at
from faier.errors import FaierError
from faier.model.hmm import HMM
from faier.number.expression import parse
from faier.number.rational_function import RationalFunction
from faier.scenario.scenario import Scenario

Expected: TypeAlias = Literal["holds", "violated"]
Values: TypeAlias = dict[str, Fraction]

NAMES = "pqrs"
ENDS = ("0 < _ < 1", "0 <= _ <= 1", "0 < _ <= 1", "1/4 <= _ <= 3/4", "0 <= _ < 1/2", "1/3 < _ < 1")
# By range: a polynomial with an irrational root inside it, and rational points inside it.
_IRRATIONAL = {"0 <= _ < 1/2": "5*_^2-1", "1/4 <= _ <= 3/4": "3*_^2-1"}
_RATIONAL = {"0 <= _ < 1/2": ("1/3", "1/4", "2/7"), "1/3 < _ < 1": ("1/2", "2/3", "5/7")}
MOVES = tuple(Fraction(1, 10**k) for k in (3, 4, 5, 6, 7, 9))


@dataclass(frozen=True)
class Planted:
    """A question; `place` says where its claim is tight, `expected` what is true of it, where that is known."""

    scenario: Scenario
    place: str
    moved: Fraction
    expected: Expected | None


@dataclass(frozen=True)
class Touching:
    """A polynomial that is nowhere negative in the ranges, under the constraints, and 0 at a place of theirs."""

    place: str
    text: str
    parameters: Mapping[str, str]
    constraints: tuple[str, ...] = ()


def question(seed: int) -> Planted:
    """Every seventh is a chain of random polynomials at horizon 2 to 4; the others have a planted place."""
    dice = Random(seed)
    return chain(dice) if seed % 7 == 0 else planted(dice)


def planted(dice: Random) -> Planted:
    """left <= ratio * right means that a touching polynomial, or its twin, is at least 0."""
    found = dice.choice(PLACES)(dice)
    moved = dice.choice((Fraction(0), Fraction(0), dice.choice(MOVES), -dice.choice(MOVES)))
    gap = parse(f"{found.text} + ({moved})", frozenset(found.parameters))
    assert isinstance(gap, RationalFunction)
    top, (bottom,) = gap.numerator(), gap.denominator().values()
    # All values are between 0 and 1, and so is every monomial.
    most = sum(map(abs, top.values())) // bottom + 1
    small = f"({found.text} + ({moved}))/{4 * most}"
    ratio, right = _sides(dice, list(found.parameters))
    left = f"({ratio})*({right}) - {small}"
    shape = dice.choice(SHAPES)
    scenario = shape(dice, found, ratio, left, right)
    return Planted(scenario, found.place, moved, "violated" if moved < 0 else "holds")


def _sides(dice: Random, names: Sequence[str]) -> tuple[str, str]:
    """A ratio between 5/4 and 3/2, and a right side between 1/4 and 1/2."""
    x = dice.choice(names)
    ratio = dice.choice(("3/2", "3/2", "5/4", f"5/4 + {x}/4"))
    right = dice.choice(("1/2", "1/3", f"(1+{x})/4", f"1/(2+2*{x})", f"1/2 - {x}^2/8"))
    return ratio, right


def _corner(dice: Random) -> Touching:
    parameters = _ranges(dice, dice.choice((1, 2, 2, 3, 4)))
    away = [_from_end(dice, name, text) for name, text in parameters.items()]
    a, b, c = (away * 3)[:3]
    texts = [" + ".join(f"({t})^{dice.choice((1, 2))}" for t in away), f"({a})^2*(1+{b})"]
    if len(away) > 1:
        texts += [f"({a})^2 + ({b})^2 - ({a})*({b})", f"(({a})-({b}))^2 + ({a})*({b})^2"]
        texts += [f"({a})*(({b})-({a}))^2 + ({b})^4", f"(({a})-({b})^2)^2 + ({b})^4"]
    if len(away) > 2:
        texts += [f"({a})^2 + ({b})^2 + ({c})^2 - ({a})*({b}) - ({b})*({c})", f"(({a})-({b})-({c}))^2 + ({a})*({c})"]
        texts += [f"({a})^2 - ({a})*({b}) + ({b})^2 + ({c})^3"]
    return Touching("corner", dice.choice(texts), parameters)


def _face(dice: Random) -> Touching:
    parameters = _ranges(dice, dice.choice((2, 2, 3, 4)))
    (first, text), *others = parameters.items()
    away = _from_end(dice, first, text)
    second = others[0][0]
    irrational = _irrational(*others[0])
    rest = " + ".join(f"({x}-{_rational(dice, t)})^2" for x, t in others[1:]) or "0"
    texts = [
        f"({away})*(1+{second}) + ({irrational})^2 + {rest}",
        f"({away})^2 + ({irrational})^2 + {rest}",
        f"(({away}) - ({irrational}))^2 + ({away})*{second} + {rest}",
        f"(({away}) + ({irrational}))^2*(1+{first}) + ({away})^2 + {rest}",
    ]
    return Touching("face, irrational", dice.choice(texts), parameters)


def _whole_face(dice: Random) -> Touching:
    parameters = _ranges(dice, dice.choice((2, 3, 4)))
    (first, text), *others = parameters.items()
    inner = " + ".join(f"({_inner(dice, x, t)})^2" for x, t in others[:2])
    away = _from_end(dice, first, text)
    return Touching("face and inside", f"({away})*({inner})", parameters)


def _inside(dice: Random) -> Touching:
    parameters = _ranges(dice, dice.choice((1, 2, 2, 3, 4)))
    off = [f"({x}-{_rational(dice, t)})" for x, t in parameters.items()]
    text = " + ".join(f"{t}^2" for t in off)
    if len(off) > 1 and dice.random() < 0.7:
        text += f" - {dice.choice(('1/2', '1', '3/2'))}*{off[0]}*{off[1]}"
    if dice.random() < 0.3:
        text += f" + {off[0]}^4"
    return Touching("inside, rational", text, parameters)


def _inside_irrational(dice: Random) -> Touching:
    parameters = _ranges(dice, dice.choice((1, 2, 2, 3)))
    (first, text), *others = parameters.items()
    irrational = _irrational(first, text)
    off = [f"{x}-{_rational(dice, t)}" for x, t in others]
    squares = [f"({irrational})^2", *(f"({t})^2" for t in off)]
    if off and dice.random() < 0.6:
        squares[1] = f"({off[0]} + ({irrational})/2)^2"
    if len(off) > 1 and dice.random() < 0.5:
        squares[2] = f"({off[1]})^2*(1+{first})"
    return Touching("inside, irrational", " + ".join(squares), parameters)


def _curve(dice: Random) -> Touching:
    count = dice.choice((2, 2, 3))
    parameters = {name: dice.choice(("0 < _ < 1", "0 <= _ <= 1", "0 < _ <= 1")) for name in NAMES[:count]}
    x, y, z = (list(parameters) * 2)[:3]
    curve = dice.choice((f"{x}*{y} - 1/3", f"{x} - {y}", f"{x} + {y} - 1", f"{x}^2 + {y}^2 - 1/2", f"{x}^2 - {y}/2"))
    factor = dice.choice(("1", f"(1+{z})", f"{z}", f"({z}-1/2)^2"))
    text = f"({curve})^2*{factor}"
    if count == 3 and dice.random() < 0.5:
        text = f"({curve})^2 + {z}^2*(1+{x})"
    return Touching("along a curve", text, _named(parameters))


def _means(dice: Random) -> Touching:
    """The inequality of the means, scaled, and products that agree on a curve."""
    parameters = {name: dice.choice(("0 < _ < 1", "0 <= _ <= 1")) for name in NAMES[: dice.choice((2, 3, 3))]}
    two = ("p^2 + q^2 - 2*p*q", "p^4 + q^2 - 2*p^2*q", "(p^2-1/4)^2 + (p-2*q)^2*p", "p^3 + 2*q^3 - 3*p*q^2")
    three = ("p^3 + q^3 + r^3 - 3*p*q*r", "p^4 + q^2*r^2 - 2*p^2*q*r", "(p*q-r/2)^2 + (r-1/2)^2*q^2")
    return Touching("means", dice.choice(two if len(parameters) == 2 else three), _named(parameters))


def _simplex(dice: Random) -> Touching:
    parameters = {name: dice.choice(("0 <= _ <= 1", "0 < _ < 1")) for name in "pqr"}
    place, text = dice.choice(
        (
            ("corner", "p*q + q*r + p*r"),
            ("inside, rational", "(p-q)^2 + (q-r)^2"),
            ("inside, rational", "1/27 - p*q*r"),
            ("inside, rational", "p^2 + q^2 + r^2 - 1/3"),
            ("face, irrational", "(2*p^2-1)^2 + q^2"),
            ("face, irrational", "(2*p^2-1)^2 + q"),
            ("face, rational", "1/4 - p*q"),
            ("inside, irrational", "(3*p^2-1)^2 + (q-r)^2"),
            ("along a curve", "(p-q)^2"),
        )
    )
    return Touching(f"simplex: {place}", text, _named(parameters), ("p + q + r == 1",))


def _cut(dice: Random) -> Touching:
    parameters = {name: dice.choice(("0 <= _ <= 1", "0 < _ < 1")) for name in "pq"}
    relation = dice.choice(("<=", "<"))
    place, text, constraint = dice.choice(
        (
            ("along it", "1/4 - p*q", f"p*q {relation} 1/4"),
            ("along it", "(1-p-q)*(1+p)", f"p + q {relation} 1"),
            ("at a point of it", "1/4 - p*q", f"p + q {relation} 1"),
            ("at an irrational point of it", "1/2 - p*q", f"p^2 + q^2 {relation} 1"),
            ("at an irrational point of it", "2 - (p+q)^2", f"p^2 + q^2 {relation} 1"),
            ("at its corner", "q^2 + p*q", f"q^2 {relation} p"),
            ("inside it", "(p-1/4)^2 + (q-1/3)^2", f"p + q {relation} 1"),
            ("on an equation", "p + q - 1", "p*q == 1/4"),
        )
    )
    return Touching(f"cut: {place}", text, _named(parameters), (constraint,))


PLACES: tuple[Callable[[Random], Touching], ...] = (
    _corner, _face, _face, _whole_face, _inside, _inside_irrational, _inside_irrational, _curve, _means, _simplex, _cut,
)  # fmt: skip


def _one_shot(dice: Random, found: Touching, ratio: str, left: str, right: str) -> Scenario:
    model = HMM(
        {"0": {"a": left, "b": f"1-({left})"}, "1": {"a": right, "b": f"1-({right})"}},
        parameters=found.parameters,
        constraints=found.constraints,
    )
    return _one_way(Scenario.of(model, [("0", "1")], ratio=ratio, horizon=1))


def _by_beliefs(dice: Random, found: Touching, ratio: str, left: str, right: str) -> Scenario:
    """The same numbers as probabilities of states that differ in what they emit."""
    model = HMM(
        {"0": {"a": "2/3", "b": "1/3"}, "1": {"b": "1"}},
        parameters=found.parameters,
        constraints=found.constraints,
    )
    beliefs = {"left": {"0": left, "1": f"1-({left})"}, "right": {"0": right, "1": f"1-({right})"}}
    return _one_way(Scenario.of(model, [("left", "right")], beliefs=beliefs, ratio=ratio, horizon=1))


def _split_symbol(dice: Random, found: Touching, ratio: str, left: str, right: str) -> Scenario:
    """One symbol becomes two, with a share that is a parameter: the gaps are products with it."""
    share = dice.choice(list(found.parameters))
    rows = {
        name: {"a": f"({text})*{share}", "A": f"({text})*(1-{share})", "b": f"1-({text})"}
        for name, text in (("0", left), ("1", right))
    }
    model = HMM(rows, parameters=found.parameters, constraints=found.constraints)
    return _one_way(Scenario.of(model, [("0", "1")], ratio=ratio, horizon=1))


def _again_and_again(dice: Random, found: Touching, ratio: str, left: str, right: str) -> Scenario:
    """Each state answers two or three times: the ratio is a power, and is met by the word of equal symbols."""
    times = 2 if len(found.parameters) > 2 else dice.choice((2, 2, 3))
    model = HMM(
        {"0": {"a": left, "b": f"1-({left})"}, "1": {"a": right, "b": f"1-({right})"}},
        {"0": {"0": 1}, "1": {"1": 1}},
        found.parameters,
        found.constraints,
    )
    scenario = Scenario.of(
        model, [("0", "1")], ratio=f"({ratio})^{times}", horizon=times, possible=dice.choice(("either", "both"))
    )
    return _one_way(scenario)


SHAPES: tuple[Callable[[Random, Touching, str, str, str], Scenario], ...] = (
    _one_shot, _one_shot, _one_shot, _by_beliefs, _split_symbol, _again_and_again,
)  # fmt: skip


def chain(dice: Random) -> Planted:
    """A hidden chain of two or three states; it claims the worst ratio of a grid, or hardly more or less."""
    parameters = _ranges(dice, dice.choice((1, 2, 2, 3)))
    states = ["s0", "s1", "s2"][: dice.choice((2, 2, 3))]
    model = HMM(
        {s: _row(dice, parameters, ["a", "b"]) for s in states},
        {s: _row(dice, parameters, dice.sample(states, 2)) for s in states if dice.random() < 0.7},
        parameters,
    )
    length = dice.choice((2, 2, 3, 4)) if len(parameters) < 3 else 2
    scenario = Scenario.of(model, [(states[0], states[1])], horizon=length, possible=dice.choice(("either", "both")))
    worst = max((reference.tight(there, length) for _, there in fixed(scenario, 3)), default=Fraction(0))
    moved = dice.choice((Fraction(0), dice.choice(MOVES), -dice.choice(MOVES)))
    if worst in (0, float("inf")):
        return Planted(scenario.claiming(ratio=2), "chain", Fraction(0), "violated" if worst else None)
    ratio = Fraction(worst) * (1 + moved)
    return Planted(scenario.claiming(ratio=ratio), "chain", moved, "violated" if moved < 0 else None)


def _row(dice: Random, parameters: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    x, y, z = (dice.choice(list(parameters)) for _ in range(3))
    share = dice.choice(
        ("1/3", x, f"{x}*{y}", f"({x}+{y})/2", f"{x}*(1-{y})", f"1-{x}^2", f"{x}^2*{y}*(1-{z})", f"(1+{x})/(2+{y})",
         f"{x}*(1-{x})", f"({x}-{y})^2", f"1/2+{x}*{y}/2", "1/2")
    )  # fmt: skip
    return {names[0]: share, names[1]: f"1-({share})"}


def fixed(scenario: Scenario, steps: int = 4) -> Iterator[tuple[Values, Scenario]]:
    """The question with numbers for its parameters: on a grid, with values next to open ends."""
    unknowns = scenario.model.unknowns
    axes: list[list[tuple[str, Fraction]]] = []
    for name, r in unknowns.ranges.items():
        shares = [Fraction(k, steps) for k in range(steps + 1)] + [Fraction(1, 1000), Fraction(999, 1000)]
        axes.append([(name, x) for t in shares if (x := r.lower + (r.upper - r.lower) * t) in r])
    if len(axes) > 2:
        axes = [axis[:: len(axes) - 1] for axis in axes]
    for point in itertools.product(*axes):
        values = dict(point)
        if scenario.model.constraints == ("p + q + r == 1",):
            values["r"] = 1 - values["p"] - values["q"]
        if scenario.model.constraints == ("p*q == 1/4",) and values["p"]:
            values["q"] = 1 / (4 * values["p"])
        if allowed(scenario, values):
            try:
                yield values, at(scenario, values)
            except (FaierError, ZeroDivisionError):
                continue


def allowed(scenario: Scenario, values: Values) -> bool:
    """Exactly: the values lie in the ranges and keep the constraints."""
    if any(values[name] not in r for name, r in scenario.model.unknowns.ranges.items()):
        return False
    for text in scenario.model.constraints:
        relation = next(r for r in ("<=", "==", "<") if r in text)
        gap = parse("({1}) - ({0})".format(*text.split(relation)), frozenset(values))
        found = gap if isinstance(gap, Fraction) else gap.evaluate(values)
        if not {"<=": found >= 0, "==": found == 0, "<": found > 0}[relation]:
            return False
    return True


def _one_way(scenario: Scenario) -> Scenario:
    return replace(scenario, pairs=tuple(replace(pair, one_way=True) for pair in scenario.pairs))


def _ranges(dice: Random, count: int) -> dict[str, str]:
    return _named({name: dice.choice(ENDS) for name in NAMES[:count]})


def _named(parameters: Mapping[str, str]) -> dict[str, str]:
    return {name: text.replace("_", name) for name, text in parameters.items()}


def _from_end(dice: Random, name: str, text: str) -> str:
    """The distance from one end of the range."""
    low, high = text.replace("<=", "<").split(f"< {name} <")
    return f"{name}-{low.strip()}" if dice.random() < 0.5 else f"{high.strip()}-{name}"


def _irrational(name: str, text: str) -> str:
    return _IRRATIONAL.get(text.replace(name, "_"), "2*_^2-1").replace("_", name)


def _rational(dice: Random, text: str) -> str:
    for pattern, points in _RATIONAL.items():
        low, high = pattern.split("_")
        if text.startswith(low) and text.endswith(high):
            return dice.choice(points)
    return dice.choice(("1/2", "1/3", "2/3", "3/7"))


def _inner(dice: Random, name: str, text: str) -> str:
    return _irrational(name, text) if dice.random() < 0.5 else f"{name}-{_rational(dice, text)}"

