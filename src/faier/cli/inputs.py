"""Options that say which pairs of inputs are tried, and reading them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from faier.errors import UsageError

if TYPE_CHECKING:
    from faier.together.subject import Inputs

Function = TypeVar("Function", bound=Callable[..., Any])

_RANGE = re.compile(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})")


def pairs(function: Function) -> Function:
    """--pairs, --length, --range, --neighbours."""
    move = click.option(
        "--neighbours", "--neighbors", "move", type=click.Choice(["patterns", "each", "one"]),
        default="patterns", show_default=True,
        help="Of lists of answers: seven patterns, or all pairs that differ by 1, in each place or in one.",
    )  # fmt: skip
    span = click.option(
        "--range", "span", metavar="LOW..HIGH", default="0..2", show_default=True, help="What answers may be."
    )
    length = click.option(
        "--length", type=click.IntRange(1, 1000), metavar="N", help="Try lists of N answers."
    )
    listed = click.option(
        "--pairs", "pairs_file", metavar="FILE",
        help="Try these pairs of inputs: a JSON list such as [[[1, 1], [0, 2]]].",
    )  # fmt: skip
    return listed(length(span(move(function))))


def sampling(function: Function) -> Function:
    """--samples, --seed, --confidence, --command, --command-timeout."""
    patience = click.option(
        "--command-timeout", type=click.FloatRange(min=0, min_open=True), metavar="S",
        default=60.0, show_default=True, help="How long one call of the command may take.",
    )  # fmt: skip
    external = click.option(
        "--command", "external", metavar="CMD",
        help="Sample from this command: an input per line in, an output per line out, as JSON.",
    )  # fmt: skip
    confidence = click.option(
        "--confidence", type=float, default=0.95, show_default=True, help="Of the lower bound."
    )
    seed = click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help="The same seed, the same samples.",
    )
    samples = click.option(
        "--samples", type=int, default=200_000, show_default=True, help="Fresh samples on each side to judge."
    )
    return samples(seed(confidence(external(patience(function)))))


def read_inputs(pairs_file: str | None, length: int | None, span: str, move: str) -> Inputs:
    """The options as one value."""
    from faier.together.subject import Inputs

    if pairs_file is not None and length is not None:
        raise UsageError("give --pairs or --length, not both")
    found = _RANGE.fullmatch(span)
    if not found or int(found[1]) >= int(found[2]):
        raise UsageError(f"a range is two whole numbers, the second larger, as in 0..2; got {span!r}")
    listed = None if pairs_file is None else _read_pairs(pairs_file)
    return Inputs(listed, length, int(found[1]), int(found[2]), move)  # type: ignore[arg-type]


def _read_pairs(path: str) -> list[tuple[object, object]]:
    from faier.auditing.patterns import listed

    written = read_json(path)
    if not isinstance(written, list) or not written:
        raise UsageError(f"{path}: a list of pairs is expected, such as [[[1, 1], [0, 2]]]")
    return listed(written)


def read_json(path: str) -> object:
    """A small JSON file, or one clear line about what is wrong with it."""
    import json

    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(1 << 24)
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8 text") from None
    try:
        # Numbers stay as they are written: 1.3769 means 13769/10000.
        return json.loads(text, parse_float=str)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not JSON: {error}") from None
