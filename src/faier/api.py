"""The functions of the public surface: load a question, decide it, find what keeps it, certify, check."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Mapping, Sequence
from fractions import Fraction
from os import PathLike, fspath
from typing import TYPE_CHECKING, Literal, TypeAlias, assert_never, overload

from faier.errors import PrivacyUndecided, PrivacyViolation, UsageError
from faier.number.budget import Budget
from faier.scenario.scenario import Horizon, Possible, Scenario
from faier.verdict import Holds, Tight, Unknown, Verdict, Violated

if TYPE_CHECKING:
    from faier.approximate import Profile
    from faier.calibration import Calibration
    from faier.measures import Concentrated, Leakage, Renyi, TradeOff
    from faier.mechanisms.answering import StreamMechanism
    from faier.mechanisms.mechanism import Mechanism
    from faier.model.hmm import HMM
    from faier.partition import Region
    from faier_check import Proved

Path: TypeAlias = str | PathLike[str]
Asked: TypeAlias = "Scenario | Mechanism | StreamMechanism | Path"
Engine: TypeAlias = Literal["auto", "tree", "boxes", "z3", "cvc5"]

_EXACT = re.compile(r"\s*(?:\d{1,4000}/\d{1,4000}|\d{1,4000}(?:\.\d{0,4000})?(?:[eE][+-]?\d{1,4})?)\s*")


def load(path: Path, *, size_limit: int | None = None) -> Scenario:
    """Read a model file (TOML, or DIMACS where the name ends in .cnf or .dimacs), or run `path/to/file.py:name`.

    Everything that is wrong with it is in the one `ModelError` raised; what is merely odd warns. A Python file is run,
    with all that it does; other files are only read.
    """
    scenario, odd = load_with_warnings(path, size_limit=size_limit)
    for text in odd:
        warnings.warn(text, stacklevel=2)
    return scenario


def load_with_warnings(path: Path, *, size_limit: int | None = None) -> tuple[Scenario, tuple[str, ...]]:
    """`load`, with the warnings returned."""
    from faier.targets.address import address

    name = fspath(path)
    if (python := address(name)) is not None:
        from faier.targets.find import scenario_at

        return scenario_at(python), ()
    if is_dimacs(name):
        return _load_dimacs(name, size_limit), ()
    from faier.scenario.load import load_with_warnings as load_toml

    return load_toml(name) if size_limit is None else load_toml(name, size_limit=size_limit)


def _load_dimacs(path: str, size_limit: int | None) -> Scenario:
    from faier.interop import dimacs

    if size_limit is None:
        return dimacs.load(path)
    from faier.model.toml_read import read_text

    return dimacs.reduction(dimacs.parse(read_text(path, size_limit)))


def is_dimacs(path: Path) -> bool:
    return fspath(path).lower().endswith((".cnf", ".dimacs"))


def verify(
    scenario: Asked,
    *,
    epsilon: str | int | Fraction | Budget | None = None,
    ratio: str | int | Fraction | Budget | None = None,
    horizon: Horizon | None = None,
    possible: Possible | None = None,
    delta: str | int | Fraction | None = None,
    engine: Engine = "auto",
    timeout: float | None = None,
) -> Verdict:
    """Decide whether left(w) <= ratio * right(w) for every counted word w, every pair, both ways round.

    With a `delta`: whether left(S) <= ratio * right(S) + delta for every set S of counted words.

    `Holds` and `Violated` are exact; `Unknown` says why, with the bounds reached. The options replace what
    the scenario claims; `timeout` is in seconds.
    """
    from faier.engine import verify as decide

    built, left = _in_time(scenario, timeout)
    asked = built.claiming(epsilon=epsilon, ratio=ratio, horizon=horizon, possible=possible, delta=delta)
    return decide(asked, engine=engine, seconds=left)


def assert_private(
    scenario: Asked,
    *,
    epsilon: str | int | Fraction | Budget | None = None,
    ratio: str | int | Fraction | Budget | None = None,
    horizon: Horizon | None = None,
    possible: Possible | None = None,
    delta: str | int | Fraction | None = None,
    engine: Engine = "auto",
    timeout: float | None = None,
) -> Holds:
    """Raise `PrivacyViolation` unless the claim holds, or `PrivacyUndecided` where that was not decided.

    Both are `AssertionError`s, with the witness or the bounds in their text and the verdict in `.verdict`. For tests.
    """
    # What pytest shows is then the line of the test, not this one.
    __tracebackhide__ = True
    verdict = verify(
        scenario, epsilon=epsilon, ratio=ratio, horizon=horizon, possible=possible, delta=delta, engine=engine,
        timeout=timeout,
    )  # fmt: skip
    match verdict:
        case Holds():
            return verdict
        case Violated():
            from faier.report.failure import violation_text

            raise PrivacyViolation(violation_text(verdict), verdict)
        case Unknown():
            from faier.report.failure import undecided_text

            raise PrivacyUndecided(undecided_text(verdict), verdict)
        case _:
            assert_never(verdict)


def epsilon(
    scenario: Asked,
    *,
    horizon: Horizon | None = None,
    possible: Possible | None = None,
    tolerance: str | int | Fraction = "1e-9",
    timeout: float | None = None,
) -> Tight:
    """Find the tight ratio: exactly, or within a relative `tolerance`; its logarithm is the tight epsilon.

    `.ratio.lower` and `.ratio.upper` are fractions (or `math.inf`) and always enclose the truth.
    """
    from faier.engine import epsilon as enclose

    width = read_tolerance(tolerance)
    built, left = _in_time(scenario, timeout)
    return enclose(built.claiming(horizon=horizon, possible=possible), tolerance=width, seconds=left)


def calibrate(
    scenario: Asked,
    *,
    minimise: str | None = None,
    maximise: str | None = None,
    epsilon: str | int | Fraction | Budget | None = None,
    ratio: str | int | Fraction | Budget | None = None,
    horizon: Horizon | None = None,
    possible: Possible | None = None,
    tolerance: str | int | Fraction = "1e-9",
    timeout: float | None = None,
) -> Calibration:
    """Find the smallest, or largest, value of a parameter that keeps the claim for all values of the others.

    `.safe` is proved to keep it and `.unsafe`, no further away than `tolerance` of the parameter's range, to break it.
    """
    if (minimise is None) == (maximise is None):
        raise UsageError("calibrate takes one of minimise= and maximise=, the name of a parameter")
    from faier.engine import calibrate as search

    width = read_tolerance(tolerance)
    built, seconds = _in_time(scenario, timeout)
    asked = built.claiming(epsilon=epsilon, ratio=ratio, horizon=horizon, possible=possible)
    if minimise is not None:
        return search(asked, minimise, "minimise", tolerance=width, seconds=seconds)
    assert maximise is not None
    return search(asked, maximise, "maximise", tolerance=width, seconds=seconds)


def region(
    scenario: Asked,
    over: str | Sequence[str],
    *,
    epsilon: str | int | Fraction | Budget | None = None,
    ratio: str | int | Fraction | Budget | None = None,
    horizon: Horizon | None = None,
    possible: Possible | None = None,
    effort: int = 1_000,
    timeout: float | None = None,
) -> Region:
    """Cut the values of one or two parameters into boxes that keep the claim, break it, or are undecided.

    `over` names the parameters: "a,b" or ["a", "b"]. `effort` is how many boxes may be looked at.
    """
    from faier.engine import region as survey

    if isinstance(effort, bool) or not isinstance(effort, int):
        raise UsageError(f"an effort is a number of boxes, at least 1, got {effort!r}")
    names = read_names(over)
    built, left = _in_time(scenario, timeout)
    asked = built.claiming(epsilon=epsilon, ratio=ratio, horizon=horizon, possible=possible)
    return survey(asked, names, effort=effort, seconds=left)


@overload
def lump(what: HMM) -> HMM: ...


@overload
def lump(what: Scenario | Path) -> Scenario: ...


def lump(what: HMM | Scenario | Path) -> HMM | Scenario:
    """Make states that behave alike one, as far as that goes: same emissions, same steps into every class.

    Guarantee: every belief gives every word the same probability as before, as a prefix and as a complete run. A class
    is named like its first state.
    """
    from faier.model.hmm import HMM

    if isinstance(what, HMM):
        from faier.model.lump import alike, lumped

        return lumped(what, alike(what))
    from faier.scenario.lumping import lump as lump_scenario

    asked = _scenario(what)
    if asked.written is not None:
        raise UsageError(
            "streams, and questions with a secret inside a run, are lumped where they are decided; only a model with "
            "pairs of beliefs can be written smaller"
        )
    return lump_scenario(asked)[0]


def profile(
    scenario: Asked,
    *,
    epsilon: str | int | Fraction | Budget | None = None,
    ratio: str | int | Fraction | Budget | None = None,
    delta: str | int | Fraction | None = None,
    horizon: Horizon | None = None,
    tolerance: str | int | Fraction = "1e-6",
    timeout: float | None = None,
) -> Profile:
    """Find how much probability lies beyond a ratio: delta there, of the worst pair and direction.

    With `delta` instead: the smallest ratio at which it is no more than that. With neither: the whole curve. Exact at a
    finite horizon, within `tolerance` at "any". What the scenario claims of ratio and delta plays no part.
    """
    from faier.engine import profile_of
    from faier.scenario.budgets import read_delta, read_epsilon, read_ratio

    if sum(value is not None for value in (epsilon, ratio, delta)) > 1:
        raise UsageError("give one of epsilon, ratio and delta")
    at = None if ratio is None else read_ratio(ratio)
    at = at if epsilon is None else read_epsilon(epsilon)
    allowed, width = None if delta is None else read_delta(delta), read_tolerance(tolerance)
    built, left = _in_time(scenario, timeout)
    return profile_of(built.claiming(horizon=horizon), ratio=at, delta=allowed, tolerance=width, seconds=left)


def renyi(
    scenario: Asked,
    order: str | int | Fraction,
    *,
    horizon: Horizon | None = None,
    tolerance: str | int | Fraction = "1e-6",
    timeout: float | None = None,
) -> Renyi:
    """Enclose the Renyi divergence of an order, in nats, of the worst pair and direction.

    For a whole order at a finite horizon its moment, the sum of left^order * right^(1 - order), is exact.
    """
    from faier.engine import renyi_of

    of_order, width = _number(order, "an order"), read_tolerance(tolerance)
    built, left = _in_time(scenario, timeout)
    return renyi_of(built.claiming(horizon=horizon), of_order, tolerance=width, seconds=left)


def zcdp(
    scenario: Asked,
    *,
    horizon: Horizon | None = None,
    tolerance: str | int | Fraction = "1e-6",
    timeout: float | None = None,
) -> Concentrated:
    """Enclose the smallest rho of zero-concentrated privacy: the largest Renyi divergence over its order, above 1."""
    from faier.engine import concentrated

    width = read_tolerance(tolerance)
    built, left = _in_time(scenario, timeout)
    return concentrated(built.claiming(horizon=horizon), tolerance=width, seconds=left)


def tradeoff(scenario: Asked, *, horizon: Horizon | None = None, timeout: float | None = None) -> TradeOff:
    """Find the trade-off function of f-DP exactly: the least type II error for every type I error."""
    from faier.engine import tradeoff_of

    built, left = _in_time(scenario, timeout)
    return tradeoff_of(built.claiming(horizon=horizon), seconds=left)


def leakage(
    scenario: Asked,
    *,
    prior: Mapping[str, str | int | Fraction] | None = None,
    horizon: Horizon | None = None,
    timeout: float | None = None,
) -> Leakage:
    """Find what the output says about which of the compared beliefs (a mechanism's inputs) is the secret.

    Bayes capacity and the gain of one guess are exact; min-entropy leakage and mutual information are enclosed, in
    bits. `prior` is by name; without it all secrets are equally likely.
    """
    from faier.engine import leakage_of

    weights = None if prior is None else {name: _number(w, "a prior") for name, w in prior.items()}
    built, left = _in_time(scenario, timeout)
    return leakage_of(built.claiming(horizon=horizon), weights, seconds=left)


def compose(scenario: Asked, times: int) -> Scenario:
    """Ask the same about so many independent releases of the same data, looked at together; the horizon is `times`.

    What is released is the first symbol of a run. Exact: no composition theorem is used.
    """
    from faier.scenario.compose import composed

    return composed(_scenario(scenario), times)


def _number(value: str | int | Fraction, what: str) -> Fraction:
    from faier.number.exact import prob

    number = prob(value, ())
    if not isinstance(number, Fraction):
        raise UsageError(f"{what} is a rational number, got {value!r}")
    return number


def certify(result: Verdict | Tight | Profile) -> dict[str, object]:
    """Return the certificate of a result, as JSON; `check` re-checks it without trusting the engine.

    Raises `UsageError` where there is none, as for `Unknown`.
    """
    from faier.certificate import certify as write

    return write(result)


def check(certificate: Path, model: Path) -> Proved:
    """Re-derive what a certificate file claims from the model file, with Python's standard library alone.

    Raises `faier_check.CertificateError` where it does not follow.
    """
    from faier_check import check as recheck

    return recheck(fspath(certificate), fspath(model))


def read_names(names: str | Sequence[str]) -> list[str]:
    """Names of parameters, from "a,b" or one by one."""
    listed = names.split(",") if isinstance(names, str) else list(names)
    if not all(isinstance(name, str) for name in listed):
        raise UsageError(f'parameters are named as in "a,b", got {names!r}')
    return [name.strip() for name in listed]


def read_tolerance(value: str | int | Fraction) -> Fraction:
    """Read a relative width exactly: "1e-9", "1/1000"."""
    if isinstance(value, bool | float):
        raise UsageError(f'a tolerance is exact, got {value!r}; write it as a string: "{value!r}"')
    if isinstance(value, str):
        if not _EXACT.fullmatch(value) or re.search(r"/\s*0+\s*$", value):
            raise UsageError(f'a tolerance is a number such as "1e-9" or "1/1000", got {value!r}')
    elif not isinstance(value, int | Fraction):
        raise UsageError(f'a tolerance is a number such as "1e-9" or "1/1000", got {value!r}')
    tolerance = Fraction(value)
    if tolerance <= 0:
        raise UsageError(f"a tolerance is greater than 0, got {value}")
    return tolerance


def read_timeout(value: float | None) -> float | None:
    """Check a limit in seconds."""
    if value is None:
        return None
    a_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not a_number or not math.isfinite(value) or value <= 0:
        raise UsageError(f"a timeout is a positive number of seconds, got {value!r}")
    return value if isinstance(value, float) else float(value)


def _in_time(what: Asked, timeout: float | None) -> tuple[Scenario, float | None]:
    """The scenario, and how many seconds of the limit are left once it is built; `OutOfTime` where it never was."""
    seconds = read_timeout(timeout)
    if isinstance(what, Scenario):
        return what, seconds
    from faier.mechanisms.time_limit import built_within

    return built_within(seconds, lambda: _scenario(what))


def _scenario(what: Asked) -> Scenario:
    if isinstance(what, Scenario):
        return what
    if isinstance(what, str | PathLike):
        return load(what)
    from faier.mechanisms.answering import StreamMechanism
    from faier.mechanisms.mechanism import Mechanism

    if isinstance(what, Mechanism | StreamMechanism):
        from faier.knowledge.questions import differential_privacy

        return differential_privacy(what)
    raise UsageError(
        "a scenario is expected, a mechanism with adjacent=, or the path of a model file or of file.py:name; got "
        f"{what!r:.200}"
    )
