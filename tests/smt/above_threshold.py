"""The paper's Above Threshold model (figure 5 and its appendix 2), whose answers are known exactly."""

from __future__ import annotations

from fractions import Fraction

from faier.model.hmm import HMM
from faier.scenario.scenario import Horizon, Scenario


def _rows(*rows: tuple[int, ...]) -> list[list[Fraction]]:
    return [[Fraction(value, sum(row)) for value in row] for row in rows]


THRESHOLD = _rows((16, 3, 1), (1, 3, 1), (1, 3, 16))
ANSWER = _rows((4, 1, 1), (1, 1, 1), (1, 1, 4))

# A symbol "jl" says that the query's answer is j in the top copy and l in the other. The symbols in words
# fill the rows up and are private to one copy.
QUERY = {
    "": (("00", "01", "heart"), ("10", "11", "12"), ("spade", "21", "22")),
    "_": (("00", "10", "club"), ("01", "11", "21"), ("diamond", "12", "22")),
}
THIRD = Fraction(1, 3)


def model() -> HMM:
    """Two copies; a state is its copy's mark, threshold and answer, with a ~ before what is noisy."""
    emit: dict[str, dict[str, object]] = {}
    step: dict[str, dict[str, object]] = {}
    for copy, queries in QUERY.items():
        for t in range(3):
            for r in range(3):
                start, asked, answered = (f"{copy}t{t}r{r}", f"{copy}~t{t}r{r}", f"{copy}~t{t}~r{r}")
                emit[start] = {"blank": 1}
                step[start] = {f"{copy}~t{noisy}r{r}": THRESHOLD[t][noisy] for noisy in range(3)}
                emit[asked] = dict.fromkeys(queries[r], THIRD)
                step[asked] = {f"{copy}~t{t}~r{noisy}": ANSWER[r][noisy] for noisy in range(3)}
                emit[answered] = {"bot" if t > r else "top": 1}
                if t > r:
                    step[answered] = {f"{copy}~t{t}r{following}": THIRD for following in range(3)}
    return HMM(emit, step)  # type: ignore[arg-type]


def scenario(horizon: Horizon, ratio: int = 16) -> Scenario:
    """t = 2, first answers 1 and 2: holds at 9 symbols, violated at 11 (four and five queries)."""
    return Scenario.of(model(), [("t2r1", "_t2r2")], ratio=ratio, horizon=horizon, possible="both")
