"""Options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])


class Horizon(click.ParamType[int | str]):
    name = "N|any"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        text = str(value)
        if text == "any":
            return text
        if not re.fullmatch(r"[0-9]{1,18}", text) or int(text) < 1:
            self.fail(f'a horizon is a number, at least 1 and of at most 18 digits, or "any"; got {text!r}', param, ctx)
        return int(text)


class Seconds(click.ParamType[float]):
    name = "seconds"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            seconds = float(str(value))
        except ValueError:
            seconds = 0.0
        if not 0 < seconds < float("inf"):
            self.fail(f"a timeout is a positive number of seconds; got {str(value)!r}", param, ctx)
        return seconds


class Jobs(click.ParamType[int]):
    name = "processes"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value)
        if not (re.fullmatch("[0-9]{1,4}", text) and 1 <= int(text) <= 1024):
            self.fail(f"it is a number of processes, from 1 to 1024; got {text[:40]!r}", param, ctx)
        return int(text)


class Size(click.ParamType[int]):
    name = "bytes"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        found = re.fullmatch(r"([0-9]{1,15})([kKmMgG]?)[bB]?", str(value))
        if not found or int(found[1]) == 0:
            self.fail(f"a size is a number of bytes such as 64M; got {str(value)!r}", param, ctx)
        return int(found[1]) << {"": 0, "k": 10, "m": 20, "g": 30}[found[2].lower()]


class Setting(click.ParamType[tuple[str, str]]):
    name = "name=value"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        name, equals, number = (part.strip() for part in str(value).partition("="))
        if not (name and equals and number):
            self.fail(f"a parameter is set as in p=1/3; got {str(value)!r}", param, ctx)
        return name, number


def budget(function: Function) -> Function:
    """--epsilon and --ratio; at most one of them."""
    ratio = click.option("--ratio", metavar="C", help="Claim this ratio, such as 2 or 7/2, not the file's.")
    epsilon = click.option("--epsilon", metavar="E", help='Claim this epsilon, such as "ln 2" or 0.7.')
    return epsilon(ratio(function))


def reach(function: Function) -> Function:
    """--horizon and --possible: which words count."""
    possible = click.option(
        "--possible",
        type=click.Choice(["either", "both"]),
        help="Count words that either side can produce, or only those that both can.",
    )
    return horizon(possible(function))


def horizon(function: Function) -> Function:
    """--horizon alone."""
    option = click.option(
        "--horizon", type=Horizon(), metavar="N|any", help='How many observations count; "any": every length.'
    )
    return option(function)


def delta(function: Function) -> Function:
    """--delta: how much probability a claim may leave aside."""
    help_ = "Allow an event to exceed the ratio by this much, such as 1e-6 or 1/1000."
    return click.option("--delta", metavar="D", help=help_)(function)


def fixed(function: Function) -> Function:
    """--set: numbers in the place of parameters."""
    option = click.option(
        "--set", "fixed", type=Setting(), multiple=True, metavar="NAME=VALUE",
        help="Put a number in the place of a parameter, such as p=1/3; repeatable.",
    )  # fmt: skip
    return option(function)


def limits(function: Function) -> Function:
    """--certificate and --timeout: what a search leaves behind, and how long it may take."""
    certificate = click.option("--certificate", metavar="OUT", help="Write a certificate for `faier check`.")
    return certificate(seconds(function))


def seconds(function: Function) -> Function:
    """--timeout and --jobs: what a search may use."""
    timeout = click.option("--timeout", type=Seconds(), metavar="S", help="Stop after so many seconds.")
    return timeout(jobs(function))


def jobs(function: Function) -> Function:
    """--jobs alone, which holds for all that the command does."""

    def choose(ctx: click.Context, param: click.Parameter, value: int | None) -> None:
        from faier.workers import choose

        choose(value)

    option = click.option(
        "--jobs", type=Jobs(), metavar="N", expose_value=False, callback=choose,
        help="Work in up to N processes; as many as there are processors if not given, or FAIER_JOBS.",
    )  # fmt: skip
    return option(function)


def size_limit(function: Function) -> Function:
    option = click.option("--size-limit", type=Size(), help="Accept a FILE of up to this size, such as 64M.")
    return option(function)


def explain(function: Function) -> Function:
    """--explain: what was tried, what closed what, what would help."""
    option = click.option(
        "--explain", is_flag=True, help="Say what was tried, what closed what, and what would help."
    )
    return option(function)


def as_json(function: Function) -> Function:
    option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
    return option(function)
