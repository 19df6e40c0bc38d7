"""Reading the budget of a claim: an epsilon or a ratio, exactly."""

from __future__ import annotations

import re
from collections.abc import Collection
from fractions import Fraction

from faier.errors import NumberError, UsageError
from faier.number.budget import Budget
from faier.number.digits import exact_text, short_text
from faier.number.exact import Prob, prob
from faier.number.power import as_budget
from faier.number.rational_function import RationalFunction
from faier.number.sign import sign
from faier.number.unknowns import Unknowns


def read_ratio(value: object, parameters: Collection[str] | None = None) -> Budget | RationalFunction:
    """Read a ratio: "2", "3/2", "exp(7/10)", "1/alpha^2"; an int, a Fraction, or a Budget as it is.

    Names are parameters where `parameters` has them (None: every name). A float is refused, because "0.1" and
    the float 0.1 are different numbers; so is a ratio that is not positive (`UsageError`).
    """
    from faier.number.epsilon_text import ratio

    found: object = value
    if isinstance(value, str):
        found = ratio(value, parameters)
    if isinstance(found, RationalFunction):
        return constant_ratio(found)
    if isinstance(found, Budget):
        return found
    number = _rational(found, "ratio")
    if number <= 0:
        raise UsageError(f"a ratio must be positive, got {short_text(number)}")
    return Budget.of_ratio(number)


def read_epsilon(value: object, parameters: Collection[str] | None = None) -> Budget:
    """Read an epsilon: "ln 2", "4*ln(2)", "1/2 + ln(3)/2", "0.7"; an int, a Fraction, or a Budget as it is.

    An epsilon has no parameters; a ratio may. It may be negative. A float is refused.
    """
    from faier.number.epsilon_text import epsilon

    if isinstance(value, Budget):
        return value
    if isinstance(value, (RationalFunction, str)) and (used := _used(value, parameters)):
        raise NumberError(f"an epsilon has no parameters, but this one uses {used!r}; give a ratio instead")
    if isinstance(value, str):
        return epsilon(value)
    return epsilon(exact_text(_rational(value, "epsilon")))


def read_delta(value: object) -> Fraction:
    """Read a delta: "1/1000", "0.01", "1e-6"; an int or a Fraction. It lies between 0 and 1; a float is refused."""
    number = _rational(prob(scientific(value), ()) if isinstance(value, str) else value, "delta")
    if not 0 <= number <= 1:
        raise UsageError(f"delta lies between 0 and 1, got {short_text(number)}")
    return number


def scientific(text: str) -> str | Fraction:
    """The number that "1e-6" means; any other text as it is."""
    found = re.fullmatch(r"\s*(\d{1,40}(?:\.\d{0,40})?)[eE]-(\d{1,3})\s*", text)
    return Fraction(found[1]) / 10 ** int(found[2]) if found else text


def constant_ratio(ratio: Prob) -> Budget | RationalFunction:
    """A ratio in which parameters have got values: a budget where it is one, else a function; positive."""
    if isinstance(ratio, RationalFunction):
        if not ratio.parameters and sign(ratio) <= 0:
            raise UsageError(f"a ratio must be positive, got {short_text(ratio)}")
        return as_budget(ratio) or ratio
    if ratio <= 0:
        raise UsageError(f"a ratio must be positive, got {short_text(ratio)}")
    return Budget.of_ratio(ratio)


def _used(value: str | RationalFunction, parameters: Collection[str] | None) -> str | None:
    from faier.number.syntax import postfix

    if isinstance(value, RationalFunction):
        return value.names[0]
    known = parameters or ()
    return next((t.text for t in postfix(value) if t.kind == "name" and t.text in known), None)


def check_ratio(ratio: RationalFunction, unknowns: Unknowns) -> None:
    """Raise a `UsageError` unless the ratio is defined and positive for all values that its parameters may have."""
    from faier.number.domain import Domain
    from faier.number.validity import fault_of, sign_of, vanishing

    if stray := sorted(ratio.parameters - unknowns.names):
        known = f"the model has {', '.join(unknowns.names)}" if unknowns.names else "the model has none"
        raise UsageError(f"the ratio uses an unknown parameter {stray[0]!r}; {known}")
    domain = Domain(unknowns, [ratio])
    fault = fault_of(domain, ratio)
    if fault is None:
        top, bottom = domain.lift(ratio)
        zero = vanishing(domain, top * sign_of(domain, bottom))
        if zero is None:
            return
        fault, what = zero, "is 0"
    else:
        found = "negative" if fault.found is None else short_text(fault.found)
        what = {"negative": f"is {found}", "vanishes": "has a denominator that can be 0"}.get(fault.kind, "")
    at = ", ".join(f"{name} = {exact_text(value)}" for name, value in fault.values.items() if name in ratio.names)
    if not what:
        raise UsageError(f"cannot prove that the ratio {short_text(ratio, 80)} is positive for all values")
    raise UsageError(f"a ratio must be positive, but {short_text(ratio, 80)} {what}{f' at {at}' if at else ''}")


def _rational(value: object, what: str) -> Fraction:
    if isinstance(value, float):
        raise NumberError(
            f'{what} must be exact, got the float {float(value)!r}; write it as a string: "{float(value)!r}"'
            if value == value and abs(value) != float("inf")
            else f"{what} must be a finite number, got {value!r}"
        )
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        raise NumberError(
            f"{what} is a number written as a string, an integer or a Fraction, got {value!r:.60}"
        )
    return Fraction(value)
