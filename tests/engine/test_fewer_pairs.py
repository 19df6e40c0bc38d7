"""Few entries of a simulation among those allowed: whichever are chosen, its rows are closed under letters. [T2]"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from faier.engine.simulation.pairs import fewer_pairs
from faier.engine.simulation.program import program, program_at
from faier.engine.simulation.tables import Tables

HALF = Fraction(1, 2)
TABLES = Tables(({0: HALF, 1: HALF}, {0: Fraction(1)}), ({0: HALF, 1: HALF}, {1: Fraction(1)}), 2)
LEAF = ({0: Fraction(1)}, {0: Fraction(1), 1: Fraction(1)})


@pytest.mark.parametrize("least", [-1.0, -1.0 - 2**-52])
def test_a_row_keeps_its_only_pair_however_unlike_the_two_are(least: float) -> None:
    allowed = np.array([[False, False, True], [True, True, True], [True, True, True]])
    alike = np.array([[0.0, 0.0, least], [1.0, 0.9, 0.8], [0.7, 1.0, 0.9]])
    for most in range(4, 8):
        chosen = fewer_pairs(allowed, alike, most)
        assert chosen[0].tolist() == [False, False, True]
        assert not (chosen & ~allowed).any()
        assert chosen.sum() <= most


def test_no_program_where_a_letter_leads_to_a_state_without_a_row() -> None:
    """Its solutions would carry nothing of what comes after that state, and so be no simulations."""
    assert program(TABLES, {0: [0]}, [LEAF], 1000, of_prefixes=False) is None
    assert program_at(TABLES, {0: [0], 1: []}, [LEAF], Fraction(2), 1000) is None
    assert program(TABLES, {0: [0], 1: [1]}, [LEAF], 1000, of_prefixes=False) is not None
    assert program_at(TABLES, {0: [0], 1: [1]}, [LEAF], Fraction(2), 1000) is not None
    # The twin takes over from prefixes: a row of zeros says nothing.
    assert program(TABLES, {0: [0]}, [LEAF], 1000, of_prefixes=True) is not None


def test_no_program_where_no_entry_could_carry_a_state_of_an_open_prefix() -> None:
    leaf = {1: Fraction(1)}, {0: Fraction(1)}
    assert program(TABLES, {0: [0]}, [leaf], 1000, of_prefixes=True) is None
