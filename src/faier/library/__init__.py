"""The classic mechanisms, one file each: `faier.library.noisy_max(queries=5)`.

Every entry is a function of keyword arguments (numbers as "1/2" or integers, choices as strings) that gives a
`faier.Mechanism`, a `faier.Process` where one release follows another, or a `faier.StreamMechanism` that answers
queries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faier.errors import UsageError
from faier.model.names import suggestion

# All at once: a file has the name of its function, and importing it later would put the file in the function's place.
from .above_threshold import above_threshold
from .binary_tree_count import binary_tree_count
from .crowds import crowds
from .dining_cryptographers import dining_cryptographers
from .exponential_mechanism import exponential_mechanism
from .geo_sample import geo_sample
from .geometric import geometric
from .k_ary_location_grid import k_ary_location_grid
from .markov_count import markov_count
from .markov_release import markov_release
from .noisy_histogram import noisy_histogram
from .noisy_max import noisy_max
from .permute_and_flip import permute_and_flip
from .randomized_response import randomized_response
from .rappor import rappor
from .subsampled import subsampled
from .svt_1 import svt_1
from .svt_2 import svt_2
from .svt_4 import svt_4
from .svt_5 import svt_5
from .svt_6 import svt_6
from .truncated_geometric import truncated_geometric

__all__ = [
    "above_threshold",
    "binary_tree_count",
    "crowds",
    "dining_cryptographers",
    "exponential_mechanism",
    "geo_sample",
    "geometric",
    "k_ary_location_grid",
    "markov_count",
    "markov_release",
    "noisy_histogram",
    "noisy_max",
    "permute_and_flip",
    "randomized_response",
    "rappor",
    "subsampled",
    "svt_1",
    "svt_2",
    "svt_4",
    "svt_5",
    "svt_6",
    "truncated_geometric",
]


def entry(name: str) -> Callable[..., Any]:
    """The function of this name, which may be written with hyphens: "noisy-max"."""
    found = name.replace("-", "_")
    if found not in __all__:
        hint = suggestion(found, __all__) or f"; there are {', '.join(__all__)}"
        raise UsageError(f"the library has no {name!r}{hint}")
    function: Callable[..., Any] = globals()[found]
    return function
