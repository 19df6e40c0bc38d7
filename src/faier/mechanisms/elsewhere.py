"""Randomness that is no draw: what Python's and numpy's shared generators tell about whether they were used."""

from __future__ import annotations

import random
import sys
from typing import Any


class Elsewhere:
    """Remembers where the shared generators stand."""

    def __init__(self) -> None:
        self._python = random.getstate()
        self._numpy = _numpy_state()

    def used(self) -> str | None:
        """Which of them has been drawn from since, or seeded; generators of a function's own are not seen."""
        if random.getstate() != self._python:
            return "Python's random module"
        if (numpy := _numpy_state()) is not None and self._numpy is not None and numpy != self._numpy:
            return "numpy.random"
        return None

    def stir(self) -> None:
        """Move on those that were used: a function that seeds one ends where it ended before."""
        if random.getstate() != self._python:
            random.random()
        if (numpy := _numpy_state()) is not None and numpy != self._numpy:
            sys.modules["numpy.random"].random()


def _numpy_state() -> Any:
    """The state as plain values; None where nobody has imported numpy.random, and so nobody can have used it."""
    module = sys.modules.get("numpy.random")
    if module is None:
        return None
    kind, key, *rest = module.get_state()
    return (kind, key.tobytes(), *rest)
