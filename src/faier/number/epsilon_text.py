"""Budgets as text: an epsilon such as "1/2 + ln(3)/2", a ratio such as "3/2" or "exp(7/10)"."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from faier.errors import NumberError

from .budget import LARGEST_EPSILON, Budget
from .digits import short_text
from .exact import Prob
from .expression import check_size, decimal, exponent_of, parse, power_of
from .syntax import Token, fail, postfix

LARGEST_ROOT = 1000
_MOST_BITS = 100_000
_MOST_CHARACTERS = 2000


def epsilon(text: str) -> Budget:
    """Read an epsilon exactly: sums of rational numbers and rational multiples of ln(rational)."""
    _check_length(text)
    total = _evaluate_sum(text)
    top = abs(total.rational) + sum(abs(k) * _log2(b) for b, k in total.logs.items())
    if top > 4 * LARGEST_EPSILON or abs(total.rational) > LARGEST_EPSILON:
        raise NumberError(
            f'epsilon "{short_text(text)}" is absurdly large; the largest accepted is {LARGEST_EPSILON}'
        )
    root = math.lcm(*(k.denominator for k in total.logs.values()))
    bits = sum(abs(k) * root * (_log2(b) + 1) for b, k in total.logs.items())
    if root > LARGEST_ROOT or bits > _MOST_BITS:
        raise NumberError(
            f'epsilon "{short_text(text)}" takes roots beyond reason; multiples of ln have denominators '
            f"up to {LARGEST_ROOT}"
        )
    base = math.prod((b ** int(k * root) for b, k in total.logs.items()), start=Fraction(1))
    return Budget(power=total.rational, base=base, root=root)


def ratio(text: str, parameters: Collection[str] | None = None) -> Budget | Prob:
    """Read a ratio exactly: an expression, in parameters too; or products of rationals and exp(rational)."""
    if any(t.kind == "call" or t.text == "e" for t in postfix(text)):
        _check_length(text)
        try:
            return _evaluate_product(text, parameters)
        except _NoProduct:
            pass
    return parse(text, parameters)


class _NoProduct(Exception):
    """Powers of e stand in sums or beside parameters: a function, and no budget."""


def _check_length(text: str) -> None:
    if len(text) > _MOST_CHARACTERS:
        raise NumberError(f"the budget has {len(text)} characters; the most accepted is {_MOST_CHARACTERS}")


@dataclass(frozen=True)
class _Sum:
    """rational + sum of logs[b] * ln(b)."""

    rational: Fraction
    logs: dict[Fraction, Fraction]

    def plus(self, other: _Sum, sign: int) -> _Sum:
        logs = dict(self.logs)
        for base, factor in other.logs.items():
            logs[base] = logs.get(base, Fraction(0)) + sign * factor
        return _Sum(self.rational + sign * other.rational, {b: k for b, k in logs.items() if k})

    def times(self, factor: Fraction) -> _Sum:
        return _Sum(self.rational * factor, {b: k * factor for b, k in self.logs.items() if factor})


def _evaluate_sum(text: str) -> _Sum:
    stack: list[_Sum] = []
    for token in postfix(text):
        at = token.at
        match token.kind:
            case "number":
                stack.append(_Sum(check_size(text, at, decimal(text, at, token.text)), {}))
            case "name":
                _refuse_name(text, token, "an epsilon")
            case "call":
                stack.append(_logarithm(text, token, stack.pop()))
            case "negate":
                stack.append(stack.pop().times(Fraction(-1)))
            case "plus":
                pass
            case _:
                right, left = stack.pop(), stack.pop()
                stack.append(_combine(text, token, left, right))
                for value in (stack[-1].rational, *stack[-1].logs.values()):
                    check_size(text, at, value)
    return stack.pop()


def _logarithm(text: str, token: Token, argument: _Sum) -> _Sum:
    if token.text != "ln":
        fail(
            text,
            token.at,
            'epsilon is the logarithm of the ratio; write ratio = "exp(...)", or epsilon without exp',
        )
    if argument.logs:
        fail(text, token.at, "ln takes a rational number, not a logarithm")
    if argument.rational <= 0:
        fail(
            text, token.at, f"ln({short_text(argument.rational)}) does not exist; ln needs a positive number"
        )
    if argument.rational == 1:
        return _Sum(Fraction(0), {})
    return _Sum(Fraction(0), {argument.rational: Fraction(1)})


def _combine(text: str, token: Token, left: _Sum, right: _Sum) -> _Sum:
    match token.kind:
        case "+":
            return left.plus(right, 1)
        case "-":
            return left.plus(right, -1)
        case "*":
            if left.logs and right.logs:
                fail(text, token.at, "a product of logarithms is no epsilon that can be compared exactly")
            return right.times(left.rational) if right.logs else left.times(right.rational)
        case "/":
            if right.logs:
                fail(text, token.at, "division by a logarithm is no epsilon that can be compared exactly")
            if right.rational == 0:
                fail(text, token.at, "division by zero")
            return left.times(1 / right.rational)
        case _:
            if left.logs or right.logs:
                fail(text, token.at, "a power of a logarithm is no epsilon that can be compared exactly")
            exponent = exponent_of(text, token.at, right.rational)
            return _Sum(power_of(text, token.at, left.rational, exponent), {})


@dataclass(frozen=True)
class _Product:
    """base * e**power; `bare` is the letter e itself, which may have a fractional power."""

    base: Fraction
    power: Fraction = Fraction(0)
    bare: bool = False


def _evaluate_product(text: str, parameters: Collection[str] | None) -> Budget:
    stack: list[_Product] = []
    for token in postfix(text):
        at = token.at
        match token.kind:
            case "number":
                stack.append(_Product(check_size(text, at, decimal(text, at, token.text))))
            case "name" if token.text == "e":
                stack.append(_Product(Fraction(1), Fraction(1), bare=True))
            case "name" if parameters is None or token.text in parameters:
                raise _NoProduct
            case "name":
                _refuse_name(text, token, "a ratio with exp")
            case "call":
                argument = stack.pop()
                if token.text == "ln":
                    fail(
                        text,
                        token.at,
                        'a ratio is not a logarithm; write epsilon = "ln ...", or the ratio without ln',
                    )
                if argument.power:
                    fail(text, at, "exp takes a rational number")
                stack.append(_Product(Fraction(1), argument.base))
            case "negate":
                value = stack.pop()
                stack.append(_Product(-value.base, value.power))
            case "plus":
                pass
            case _:
                right, left = stack.pop(), stack.pop()
                result = _multiply(text, token, left, right)
                check_size(text, at, result.base)
                check_size(text, at, result.power)
                stack.append(result)
    found = stack.pop()
    if abs(found.power) > LARGEST_EPSILON:
        raise NumberError(
            f'ratio "{short_text(text)}" is absurd; the largest accepted epsilon is {LARGEST_EPSILON}'
        )
    return Budget(power=found.power, base=found.base)


def _multiply(text: str, token: Token, left: _Product, right: _Product) -> _Product:
    at = token.at
    match token.kind:
        case "+" | "-":
            if left.power != right.power:
                raise _NoProduct
            base = left.base + right.base if token.kind == "+" else left.base - right.base
            return _Product(base, left.power if base else Fraction(0))
        case "*":
            return _Product(left.base * right.base, left.power + right.power)
        case "/":
            if right.base == 0:
                fail(text, at, "division by zero")
            return _Product(left.base / right.base, left.power - right.power)
        case _:
            if right.power:
                fail(text, at, "an exponent must be a rational number")
            if left.bare:
                return _Product(Fraction(1), right.base)
            exponent = exponent_of(text, at, right.base)
            return _Product(power_of(text, at, left.base, exponent), left.power * exponent)


def _refuse_name(text: str, token: Token, where: str) -> NoReturn:
    fail(text, token.at, f"{token.text!r} has no place in {where}")


def _log2(value: Fraction) -> int:
    """At least |log2(value)|."""
    return max(value.numerator.bit_length(), value.denominator.bit_length())
