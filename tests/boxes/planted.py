"""Questions whose safe values are known: the claim is kept where a given polynomial is at most 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from faier.model.belief import Belief
from faier.model.hmm import HMM
from faier.scenario.scenario import Pair, Scenario


def kept_where_not_positive(gap: str, parameters: Mapping[str, str], constraints: Sequence[str] = ()) -> Scenario:
    """left says x with 1/4 + gap/8 and right with 1/8, one way, ratio 2; |gap| <= 1 on the whole range."""
    model = HMM(
        emit={
            "left": {"x": f"1/4 + ({gap})/8", "y": f"3/4 - ({gap})/8"},
            "right": {"x": "1/8", "y": "7/8"},
        },
        parameters=dict(parameters),
        constraints=tuple(constraints),
    )
    left, right = (Belief.of(name, {name: 1}, model) for name in ("left", "right"))
    return Scenario.of(model, [Pair(left, right, one_way=True)], ratio=2, horizon=1)
