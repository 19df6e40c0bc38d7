"""Rows of the checker against the definition of L[s], in fractions."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from checker_models import Spec, rows_after, specs
from hypothesis import given, settings
from hypothesis import strategies as st

from faier_check.limits import Meter
from faier_check.model_file import read_model
from faier_check.row import Rounding, Row
from faier_check.support import Supports
from faier_check.transition import Transition


def values(row: Row) -> list[Fraction]:
    return [x * Fraction(2) ** row.exponent / row.denominator for x in row.entries]


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
    mask = supports.start(belief)
    for length in range(len(word) + 1):
        true = rows_after(spec, spec.pairs[0][0], word[:length])
        exact, above, below = (values(rows[r]) for r in (Rounding.EXACT, Rounding.ABOVE, Rounding.BELOW))
        assert exact == true
        assert all(b <= t <= a for b, t, a in zip(below, true, above, strict=True))
        # Rounding costs little: about 2^-precision of the largest entry, a few times over.
        room = max(true) * 100 / 2**precision
        assert all(a - b <= room for a, b in zip(above, below, strict=True))
        assert mask == sum(1 << i for i, t in enumerate(true) if t)
        if length < len(word):
            assert supports.can_emit(mask, word[length]) == any(
                rows_after(spec, spec.pairs[0][0], word[: length + 1])
            )
            rows = {r: transition.after(row, word[length], r) for r, row in rows.items()}
            mask = supports.after(mask, word[length])
