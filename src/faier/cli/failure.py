"""From exceptions to messages and exit codes; with --json the message is a JSON object on stdout as well."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence

import click

from faier.errors import FaierError, ModelError, OutOfTime, Problem

from .output import emit_json, silence_stdout

HOLDS, VIOLATED, USAGE, UNKNOWN, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 70, 130
_SEARCHES = ("verify", "epsilon", "calibrate", "region")


def report(error: BaseException, arguments: Sequence[str]) -> int:
    """Say what went wrong and return the exit status."""
    searching = next((a for a in arguments if not a.startswith("-")), "") in _SEARCHES
    stopped = UNKNOWN if searching else INTERRUPTED
    match error:
        case KeyboardInterrupt() | click.Abort():
            status, problems = stopped, [Problem("", "interrupted")]
        case ModelError():
            status, problems = USAGE, list(error.problems)
        case OutOfTime():
            status, problems = UNKNOWN, [Problem("", str(error))]
        case FaierError():
            status, problems = USAGE, [Problem("", str(error))]
        case click.UsageError():
            status, problems = USAGE, [Problem("", _usage(error))]
        case click.ClickException():
            status, problems = USAGE, [Problem("", error.format_message())]
        case OSError() if error.errno == errno.EPIPE:
            silence_stdout()
            return USAGE
        case OSError() if error.filename is not None:
            status, problems = USAGE, [Problem("", f"{error.filename}: {error.strerror}")]
        case MemoryError():
            status, problems = UNKNOWN if searching else INTERNAL, [Problem("", "out of memory")]
        case _:
            status, problems = INTERNAL, [Problem("", _internal(error))]
    for problem in problems:
        click.echo(str(problem) if problem.place else f"error: {problem.message}", err=True)
    if wants_json(arguments):
        record: dict[str, object] = {
            "faier": 1,
            "kind": "error",
            "errors": [{"place": p.place, "line": p.line, "message": p.message} for p in problems],
        }
        if (evidence := getattr(error, "partial", None)) is not None:
            # What a sampler gave before it failed is not lost.
            record["evidence"] = evidence.to_dict()
        emit_json(record)
    return status


def wants_json(arguments: Sequence[str]) -> bool:
    """True where --json was given, also on a command line that cannot be understood otherwise."""
    options = list(arguments)
    return "--json" in (options[: options.index("--")] if "--" in options else options)


def _usage(error: click.UsageError) -> str:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return f"a command is missing\n\n{error.format_message()}"
    where = error.ctx.command_path if error.ctx is not None else "faier"
    message = " ".join(error.format_message().split())
    return f"{message} (see {where} --help)"


def _internal(error: BaseException) -> str:
    if os.environ.get("FAIER_DEBUG") == "1":
        import traceback

        traceback.print_exception(error, file=sys.stderr)
        return f"internal error: {type(error).__name__}: {error}; please report it"
    text = " ".join(str(error).split())
    return f"internal error: {type(error).__name__}: {text}; please report it (FAIER_DEBUG=1 shows where)"
