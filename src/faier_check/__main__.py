"""`python -m faier_check CERTIFICATE FILE`: exit 0 valid, 1 rejected, 2 nothing to check."""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from typing import NoReturn, TextIO

from .check import Proved, check
from .errors import CertificateError, ModelFileError
from .limits import DEFAULT, Limits, processors

VALID, REJECTED, UNUSABLE, RESTS_ON_A_SOLVER = 0, 1, 2, 3
_INTERRUPTED = 130
_PYTHON = (
    "a certificate is about a model, and this is a program; write its model, and check the certificate against that: "
    "faier convert TARGET --to toml -o MODEL"
)


def main(argv: list[str] | None = None) -> int:
    """Check, print the verdict as the first line (or as one JSON object) and return the exit status."""
    argv = sys.argv[1:] if argv is None else argv
    try:
        arguments = _parser().parse_args(argv)
    except _UsageError as error:
        return _refuse("", str(error), "--json" in argv)
    if re.search(r"\.pyw?(:[^/\\]*)?$", arguments.file):
        return _refuse(arguments.file, _PYTHON, arguments.json)
    limits = Limits(arguments.operations, arguments.file_bytes, jobs=arguments.jobs or processors())
    start = time.perf_counter()
    try:
        proved = check(arguments.certificate, arguments.file, limits)
    except CertificateError as error:
        return _report(None, str(error), start, arguments.json)
    except (MemoryError, RecursionError):
        return _report(None, "checking it takes more memory than there is", start, arguments.json)
    except ModelFileError as error:
        return _refuse(error.place, error.message, arguments.json)
    except (OSError, ValueError) as error:
        return _refuse("", f"cannot read the files: {error}", arguments.json)
    except KeyboardInterrupt:
        return _INTERRUPTED
    return _report(proved, None, start, arguments.json)


class _UsageError(Exception):
    """The command line makes no sense."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Leave it to the caller how to say so: with --json it is an object on stdout."""
        raise _UsageError(f"{message}; see --help")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="faier_check",
        description="Re-check a certificate against its model file, with exact integers alone.",
    )
    parser.add_argument("certificate", metavar="CERTIFICATE", help="a JSON file written by faier")
    parser.add_argument("file", metavar="FILE", help="the model file it is about")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--operations", type=int, default=DEFAULT.operations, metavar="N", help="give up after so much work"
    )
    parser.add_argument(
        "--file-bytes",
        type=int,
        default=DEFAULT.file_bytes,
        metavar="N",
        help="the longest file that is read",
    )
    parser.add_argument(
        "--jobs", type=_jobs, metavar="N", help="check steps in up to N processes; default: as many as processors"
    )
    return parser


def _jobs(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 1024):
        raise argparse.ArgumentTypeError("a number of processes, from 1 to 1024, is expected")
    return int(text)


def _report(proved: Proved | None, reason: str | None, start: float, as_json: bool) -> int:
    if as_json:
        verdict = {
            "faier": 1,
            "kind": "check",
            "valid": proved is not None,
            "claim": None if proved is None else proved.terms,
            "proves": None if proved is None else proved.claim,
            "rests_on": [] if proved is None else list(proved.rests_on),
            "reason": reason,
            "seconds": round(time.perf_counter() - start, 6),
        }
        _print(sys.stdout, json.dumps(verdict))
    else:
        _print(sys.stdout, f"rejected: {reason}" if proved is None else f"valid: {proved.claim}")
    if proved is None:
        return REJECTED
    return RESTS_ON_A_SOLVER if proved.rests_on else VALID


def _refuse(place: str, message: str, as_json: bool) -> int:
    if as_json:
        errors = [{"place": place, "line": None, "message": message}]
        _print(sys.stdout, json.dumps({"faier": 1, "kind": "error", "errors": errors}))
    _print(sys.stderr, f"error: {place}: {message}" if place else f"error: {message}")
    return UNUSABLE


def _print(stream: TextIO, text: str) -> None:
    """Print text that may hold anything a file may hold, whatever the terminal can show."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding), file=stream)


if __name__ == "__main__":
    sys.exit(main())
