"""Linear programs by HiGHS: the one file that imports it. Floats; what they find is made exact elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from faier.comparison import Floats

from .program import Program


@dataclass(frozen=True)
class Basis:
    """An optimal basis: the variables that are not at 0, and the conditions that are met with equality."""

    value: float
    variables: list[int]
    conditions: list[int]
    solution: list[float] = field(default_factory=list, repr=False)


def is_there() -> bool:
    """Whether HiGHS is installed."""
    try:
        import highspy  # noqa: F401
    except ImportError:
        return False
    return True


def minimise(program: Program, seconds: float) -> Basis | None:
    """An optimal basis, or None where there is no solution or it was not found in time."""
    import highspy

    count = program.variables
    solver: Any = highspy.Highs()
    for name, value in (
        ("output_flag", False),
        ("threads", 1),
        ("random_seed", 0),
        ("time_limit", float(seconds)),
        ("primal_feasibility_tolerance", 1e-10),
        ("dual_feasibility_tolerance", 1e-10),
    ):
        solver.setOptionValue(name, value)
    model: Any = highspy.HighsLp()
    model.num_col_, model.num_row_ = count, len(program.rows)
    model.col_cost_ = np.where(np.arange(count) < len(program.pairs), program.weight, 1.0)
    model.col_lower_ = np.zeros(count)
    model.col_upper_ = np.full(count, highspy.kHighsInf)
    model.row_lower_ = np.full(len(program.rows), -highspy.kHighsInf)
    # Tolerances are absolute, so that every condition is scaled to coefficients of about 1.
    scales = [float(max(map(abs, row.values()), default=0)) or 1.0 for row in program.rows]
    model.row_upper_ = np.array([float(b) / s for b, s in zip(program.bounds, scales, strict=True)])
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.cumsum([0, *(len(row) for row in program.rows)])
    model.a_matrix_.index_ = np.array([n for row in program.rows for n in row], dtype=np.int32)
    values = [float(x) / s for row, s in zip(program.rows, scales, strict=True) for x in row.values()]
    model.a_matrix_.value_ = np.array(values)
    solver.passModel(model)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    basis = solver.getBasis()
    basic = highspy.HighsBasisStatus.kBasic
    solution = [float(x) for x in solver.getSolution().col_value]
    return Basis(
        sum(solution[len(program.pairs) :]),
        [n for n, status in enumerate(basis.col_status) if status == basic],
        [n for n, status in enumerate(basis.row_status) if status != basic],
        solution,
    )


class Slack:
    """The largest t <= `most` with s columns + t <= target, s >= 0: one solver for many small programs in floats."""

    def __init__(self) -> None:
        import highspy

        self._highspy: Any = highspy
        self._solver: Any = highspy.Highs()
        for name, value in (
            ("output_flag", False),
            ("threads", 1),
            ("random_seed", 0),
            ("presolve", "off"),
            # Its clock runs on from one program to the next, so that steps are limited and not seconds.
            ("simplex_iteration_limit", 5000),
            ("primal_feasibility_tolerance", 1e-10),
            ("dual_feasibility_tolerance", 1e-10),
        ):
            self._solver.setOptionValue(name, value)

    def largest(self, columns: Floats, target: Floats, most: float) -> tuple[float, Floats, Floats] | None:
        """t, s, and the prices of the entries: a column is of use where its sum at these prices is negative."""
        count, entries = columns.shape
        model: Any = self._highspy.HighsLp()
        model.num_col_, model.num_row_ = count + 1, entries
        model.col_cost_ = np.eye(1, count + 1, count)[0] * -1.0
        model.col_lower_ = np.append(np.zeros(count), -4.0)
        model.col_upper_ = np.append(np.full(count, self._highspy.kHighsInf), most)
        model.row_lower_ = np.full(entries, -self._highspy.kHighsInf)
        model.row_upper_ = np.asarray(target, dtype=np.float64)
        model.a_matrix_.format_ = self._highspy.MatrixFormat.kColwise
        model.a_matrix_.start_ = np.arange(0, (count + 1) * entries + 1, entries, dtype=np.int32)
        model.a_matrix_.index_ = np.tile(np.arange(entries, dtype=np.int32), count + 1)
        model.a_matrix_.value_ = np.append(columns.ravel(), np.ones(entries))
        self._solver.passModel(model)
        self._solver.run()
        if self._solver.getModelStatus() != self._highspy.HighsModelStatus.kOptimal:
            return None
        solution = self._solver.getSolution()
        values = np.array(solution.col_value)
        return float(values[-1]), np.maximum(values[:-1], 0.0), -np.array(solution.row_dual)
