"""Rows of the checker against the definition of L[s], in fractions."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from checker_models import Spec, follow, rows_after, specs
from hypothesis import given, settings
from hypothesis import strategies as st

from faier_check.limits import Meter
from faier_check.model_file import read_model
from faier_check.row import Rounding, Row
from faier_check.support import Supports
from faier_check.transition import Transition


def values(row: Row, size: int) -> list[Fraction]:
    """All entries of a row; those it holds are positive."""
    assert min(row.entries.values(), default=1) > 0
    assert row.entries.keys() <= set(range(size))
    unit = Fraction(2) ** row.exponent / row.denominator
    return [row.entries.get(i, 0) * unit for i in range(size)]


def wide(seed: int) -> Spec:
    """Enough successors that rows are packed, with denominators that differ, some of them long."""
    random = Random(seed)
    n = random.randint(12, 16)
    sizes = random.choice([[9], [10**6], [7, 10**40], [2**200]])

    def row(width: int) -> tuple[Fraction, ...]:
        weights = [random.randint(0, random.choice(sizes)) * random.randint(0, 1) for _ in range(width)]
        weights[random.randrange(width)] += 1
        return tuple(Fraction(w, sum(weights)) for w in weights)

    step = tuple(row(n) if i else None for i in range(n))
    return Spec(tuple(row(2) for _ in range(n)), step, ((row(n), row(n), True),))


@settings(deadline=None)
@given(
    st.one_of(specs(), st.integers(0, 10**6).map(wide)),
    st.lists(st.integers(0, 5), max_size=4),
    st.sampled_from([16, 64, 300]),
)
def test_rounded_rows_bracket_the_exact_ones(spec, word, precision):
    model = read_model(spec.toml())
    transition, supports = Transition(model, precision, Meter()), Supports(model, Meter())
    word = [s % spec.symbols for s in word]
    belief = model.pairs[0].left
    rows = {r: transition.start(belief, r) for r in Rounding}
    support = supports.start(belief)
    room = [Fraction(0)] * (len(spec.emit) + 1)
    for length in range(len(word) + 1):
        true = rows_after(spec, spec.pairs[0][0], word[:length])
        exact, above, below = (
            values(rows[r], len(true)) for r in (Rounding.EXACT, Rounding.ABOVE, Rounding.BELOW)
        )
        assert exact == true
        assert all(b <= t <= a for b, t, a in zip(below, true, above, strict=True))
        # Rounding costs little: about 2^-precision of the largest entry, and what earlier rounding became.
        room = [r + max(above) * 100 / 2**precision for r in room]
        assert all(a - b <= r for a, b, r in zip(above, below, room, strict=True))
        assert support == {i for i, t in enumerate(true) if t}
        if length < len(word):
            assert (word[length] in supports.emitted(support)) == any(
                rows_after(spec, spec.pairs[0][0], word[: length + 1])
            )
            rows = {r: transition.after(row, word[length], r) for r, row in rows.items()}
            support = supports.after(support, word[length])
            room = follow(spec, room, word[length])
