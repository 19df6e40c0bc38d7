"""The command line. Nothing but click is imported until a command runs, so that help answers at once."""

from .group import main

__all__ = ["main"]
