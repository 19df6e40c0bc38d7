"""Above Threshold as the paper models it (its figure 5 and appendix 2): queries are chosen by symbols of the model.

Two copies of the mechanism, one for each side. Before each answer a copy emits a symbol that says what it was asked.
Both copies can emit one and the same symbol only where the results of their queries differ by at most 1.
"""

from __future__ import annotations

from itertools import product

from faier.model.hmm import HMM
from faier.noise import truncated_geometric
from faier.scenario.scenario import Scenario

_COUNTS = range(3)
# What a copy may emit for each result of its query: "01" is left asked 0, right asked 1; suits are emitted by one copy.
_ASKED = {
    "left": (("00", "01", "heart"), ("10", "11", "12"), ("spade", "21", "22")),
    "right": (("00", "10", "club"), ("01", "11", "21"), ("diamond", "12", "22")),
}


def above_threshold(symbols: int, ratio: str = "16") -> Scenario:
    """Words of so many symbols: one at first, and two for each query. What follows top is not said; the run ends."""
    emit: dict[str, dict[str, object]] = {}
    step: dict[str, dict[str, object]] = {}
    for copy, asked in _ASKED.items():
        for t, r in product(_COUNTS, repeat=2):
            emit[f"{copy}: {t} {r}"] = {"_": 1}
            step[f"{copy}: {t} {r}"] = {f"{copy}: ~{z} {r}": p for z, p in truncated_geometric(t, 2, "1/4").items()}
        for t, r in product(_COUNTS, repeat=2):
            emit[f"{copy}: ~{t} {r}"] = dict.fromkeys(asked[r], "1/3")
            step[f"{copy}: ~{t} {r}"] = {f"{copy}: ~{t} ~{z}": p for z, p in truncated_geometric(r, 2, "1/2").items()}
        for t, r in product(_COUNTS, repeat=2):
            emit[f"{copy}: ~{t} ~{r}"] = {"top" if r >= t else "bot": 1}
            if r < t:
                step[f"{copy}: ~{t} ~{r}"] = {f"{copy}: ~{t} {next_}": "1/3" for next_ in _COUNTS}
    pairs = [
        (f"left: {t} {one}", f"right: {t} {two}")
        for t, one, two in product(_COUNTS, repeat=3)
        if abs(one - two) <= 1
    ]
    model = HMM(emit=emit, step=step)  # type: ignore[arg-type]
    return Scenario.of(
        model, pairs, ratio=ratio, horizon=symbols, possible="both", title=f"Above Threshold, {symbols} symbols"
    )
