"""`faier`: the group of commands, and the one place where exceptions become exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from faier import __version__
from faier.errors import NotYetError

from . import failure

_COMMANDS = (
    "verify", "epsilon", "calibrate", "region", "profile", "measure", "audit", "bracket", "refute", "check",
    "convert", "paper",
)  # fmt: skip
_PLANNED = ("report",)


class Commands(click.Group):
    """Commands that are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _PLANNED:
            raise NotYetError(f"faier {cmd_name} is not built yet; there are {', '.join(_COMMANDS)}")
        if cmd_name not in _COMMANDS:
            return None
        command = import_module(f"faier.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            # Left to itself, click puts an empty line before what is said about it.
            raise click.Abort from error

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and exit with its status; an exception that was expected never shows a traceback."""
        given = list(sys.argv[1:] if args is None else args)
        prog_name = prog_name or "faier"
        if not standalone_mode:
            return super().main(given, prog_name, complete_var, standalone_mode=False, **extra)
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                # A symbol that the terminal's encoding lacks must not cost the user the verdict.
                stream.reconfigure(errors="backslashreplace")
        try:
            status = super().main(given, prog_name, complete_var, standalone_mode=False, **extra)
        except (Exception, KeyboardInterrupt) as error:
            status = failure.report(error, given)
            if args is None and isinstance(error, KeyboardInterrupt | click.Abort):
                # CPython may still die of a signal that was caught, if it came during an exec().
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(status)
        sys.exit(status if isinstance(status, int) else 0)


@click.group(cls=Commands, name="faier", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="faier")
def main() -> None:
    """Prove or refute, exactly, how much a privacy mechanism leaks.

    \b
    Example:
      faier verify contagious.toml
      faier epsilon contagious.toml --horizon any

    Exit status: 0 yes, 1 no, 2 wrong usage or an invalid file, 3 not decided within the limits.
    """
