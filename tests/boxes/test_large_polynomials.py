"""Words whose polynomials grow beyond all use: a limit of the search, never an error."""

from __future__ import annotations

from fractions import Fraction as F

import faier


def asked() -> faier.Scenario:
    """Denominators of many terms, a common one for all states: that of two symbols has its square."""
    states = {"s": "q*r + p + 3", "t": "p^2 + q^2 + r^2 + p*q + 1", "u": "(p + q + 2*r + 2)^3 + q^4*r^4"}
    model = faier.HMM(
        emit={s: {"a": f"1/(2*({d}))", "b": f"1 - 1/(2*({d}))"} for s, d in states.items()},
        step={s: {"s": f"1/(3*({d}))", "t": f"1/(4*({d})^2)", "u": f"1 - 1/(3*({d})) - 1/(4*({d})^2)"}
              for s, d in states.items()},
        parameters={"p": "0 <= p <= 1", "q": "0 <= q <= 1", "r": "0 <= r <= 1"},
    )
    return faier.Scenario.of(model, [("s", "u")], horizon=4)


def test_epsilon_of_long_words_is_an_enclosure() -> None:
    found = faier.epsilon(asked(), timeout=3)
    assert found.ratio.lower > 1
    assert found.reason is not None or found.complete


def test_calibrate_and_region_go_on_without_such_words() -> None:
    found = faier.calibrate(asked(), minimise="p", ratio=F(3, 2), timeout=2)
    assert found.witness is None or found.unsafe is not None
    assert faier.region(asked(), "p", ratio=F(3, 2), effort=4, timeout=2).boxes
