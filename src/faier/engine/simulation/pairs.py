"""Which entries of a simulation can be other than 0, for given leaves; one row of supports for each leaf."""

from __future__ import annotations

import numpy as np

from faier.comparison import Bools, Comparison, Floats


def reached(moves: Bools, support: Bools) -> Bools:
    """The states that some word leads to from a support; moves[letter, i, j] says where letters lead."""
    step = moves.any(axis=0)
    while True:
        more = support | np.asarray((support.astype(np.float32) @ step.astype(np.float32)) > 0)
        if (more == support).all():
            return support
        support = more


def moves_of(comparison: Comparison) -> Bools:
    """moves[letter, i, j]: whether the letter leads from i to j, exactly."""
    automaton = comparison.automaton
    dense = automaton.dense_step
    assert dense is not None
    moves = np.zeros((automaton.letters, automaton.size + 1, automaton.size + 1), dtype=bool)
    moves[:, : automaton.size] = (automaton.emit.T[:, :, None] > 0) & (dense[None] > 0)
    return moves


def allowed_pairs(moves: Bools, left: Bools, right: Bools) -> Bools | None:
    """allowed[i, j]: whether K[i, j] may be positive; None where no K exists for these leaves.

    left K <= c right needs K[i, j] = 0 for i in a leaf's left support and j outside its right one. L[s] K <= K L[s]
    needs, where s leads from i to i', K[i', k] = 0 for every k to which s leads from no j with K[i, j] > 0. The rest
    may be positive.
    """
    size = moves.shape[1]
    rows, columns = (reached(moves, np.asarray(side.any(axis=0))) for side in (left, right))
    allowed = np.outer(rows, columns)
    done = size - 1
    allowed[done, :done] = False
    for one, two in zip(left, right, strict=True):
        allowed &= ~np.outer(one, ~two)
    kept = (moves & rows[None, :, None]).astype(np.float32)
    ahead = moves.astype(np.float32)
    while True:
        before = allowed.sum()
        for move, own in zip(ahead, kept, strict=True):
            carried = (allowed.astype(np.float32) @ move) > 0
            # What some i that leads to i' does not carry, K[i'] must not have.
            refused = (own.T @ (~carried).astype(np.float32)) > 0
            allowed &= ~refused
        if allowed.sum() == before:
            break
    if not allowed[rows].any(axis=1).all() or (rows[done] and not allowed[done, done]):
        return None
    return allowed


def allowed_pairs_of_prefixes(moves: Bools, left: Bools, right: Bools) -> Bools | None:
    """The same of the twin, from states of the right side to states of the left.

    K L[s] <= L[s] K needs K[i, j] = 0 where s leads from j to some k, and from i to no i' with K[i', k] > 0.
    """
    rows, columns = (reached(moves, np.asarray(side.any(axis=0))) for side in (right, left))
    allowed = np.outer(rows, columns)
    done = len(rows) - 1
    allowed[:done, done] = False
    allowed[done, :done] = False
    ahead = moves.astype(np.float32)
    while True:
        before = allowed.sum()
        for move in ahead:
            available = (move @ allowed.astype(np.float32)) > 0
            refused = ((~available).astype(np.float32) @ move.T) > 0
            allowed &= ~refused
        if allowed.sum() == before:
            break
    met = (right.astype(np.float32) @ allowed.astype(np.float32)) > 0
    return None if (left & ~met).any() else allowed


def fewer_pairs(allowed: Bools, alike: Floats, most: int) -> Bools:
    """At most so many of the allowed pairs: in each row and each column as many as in any other, the most alike.

    Guarantee: every row and column that had a pair keeps one, unless all are left without any.
    """
    likeness = np.where(allowed, alike, -np.inf)
    in_row, in_column = (
        np.argsort(np.argsort(-likeness, axis=axis, kind="stable"), axis=axis) for axis in (1, 0)
    )
    rank = np.where(allowed, np.minimum(in_row, in_column), len(allowed))
    counts = np.cumsum(np.bincount(rank[allowed], minlength=1))
    return np.asarray(rank < np.searchsorted(counts, most, side="right"))
