"""The classic mechanisms, one file each: `faier.library.noisy_max(queries=5)`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .noisy_max import noisy_max as noisy_max
    from .truncated_geometric import truncated_geometric as truncated_geometric

__all__ = ["noisy_max", "truncated_geometric"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"the library has no {name!r}; there are {', '.join(__all__)}")
    value: object = getattr(import_module(f"faier.library.{name}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
