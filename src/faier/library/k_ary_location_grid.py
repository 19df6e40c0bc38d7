"""A place on a grid."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import product
from typing import Any, Literal

from faier.errors import UsageError
from faier.mechanisms.choices import draw
from faier.mechanisms.distribution import Distribution, Weight, independent
from faier.mechanisms.mechanism import Mechanism
from faier.noise import k_ary_response, truncated_geometric
from faier.noise.reading import whole


def k_ary_location_grid(
    width: int = 3,
    height: int = 3,
    truth: Weight = "1/2",
    alpha: Weight = "1/2",
    response: Literal["k-ary", "geometric"] = "k-ary",
    parameters: Mapping[str, str] | None = None,
) -> Mechanism:
    """The cell of a grid that a person is in, (column, row) from (0, 0).

    Definition: with response="k-ary" the cell itself with probability `truth`, else one of the k - 1 others, each
    alike, where k = width height. With response="geometric" each coordinate gets geometric noise with `alpha`, clamped
    to the grid.
    Source: P. Kairouz, S. Oh and P. Viswanath, Extremal Mechanisms for Local Differential Privacy, 2014; M. Andres,
    N. Bordenabe, K. Chatzikokolakis and C. Palamidessi, Geo-Indistinguishability, 2013.
    Guarantee: k-ary, with truth >= 1/k, any two cells keep the ratio truth (k - 1)/(1 - truth); geometric, cells that
    are d steps apart keep alpha^-d. Both are tight.
    """
    width, height = whole(width, "width", 1), whole(height, "height", 1)
    whole(width * height, "the number of cells", 2)
    if response not in ("k-ary", "geometric"):
        raise UsageError(f'response is "k-ary" or "geometric", got {response!r}')
    cells = tuple(product(range(width), range(height)))

    def exact(cell: Any) -> Distribution:
        if response == "k-ary":
            return k_ary_response(cell, cells, truth)
        column, row = cell
        return independent(
            (truncated_geometric(column, width - 1, alpha), truncated_geometric(row, height - 1, alpha))
        )

    def mechanism(cell: Any) -> Hashable:
        if response == "k-ary":
            found: Hashable = draw(k_ary_response(cell, cells, truth))
            return found
        column, row = cell
        return draw(truncated_geometric(column, width - 1, alpha)), draw(truncated_geometric(row, height - 1, alpha))

    return Mechanism(
        mechanism,
        inputs=cells,
        adjacent="any_two",
        parameters=parameters,
        name="k_ary_location_grid",
        exact=exact,
    )
