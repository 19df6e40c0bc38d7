"""Learned attacks: a classifier tells left from right, and the outputs it is surest of are the event.

In the manner of B. Bichsel, S. Steffen, I. Bogunovic and M. Vechev (DP-Sniper, 2021), with two differences: the
share of outputs in the event is not fixed beforehand but chosen with all other events, and outputs that tie are
kept together.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from .candidates import Family, Table
from .event import Event, is_number

_MOST_OUTPUTS = 200_000
_MOST_CATEGORIES = 32
_FEW_SAMPLES_EACH = 20
_THRESHOLDS = 200

Classifier: TypeAlias = Literal["logistic", "perceptron"]
Features = Callable[[list[Any]], npt.NDArray[np.float64]]


def learned(table: Table, seed: int, classifier: Classifier = "logistic") -> Family | None:
    """Events "the score is at least t" of a classifier trained on these samples, for up to 200 values of t.

    A logistic regression, or a small perceptron, which takes longer and sees more. None where the outputs cannot be
    features, scikit-learn is missing, or outputs are seen so often that their own frequencies say more than any
    classifier.
    """
    if not table.outputs or len(table.outputs) > _MOST_OUTPUTS:
        return None
    if 2 * table.samples / len(table.outputs) > _FEW_SAMPLES_EACH * 4:
        return None
    features = features_of(table.outputs)
    if features is None:
        return None
    try:
        from sklearn.linear_model import LogisticRegression
        from sklearn.neural_network import MLPClassifier
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
    except ImportError:
        return None
    rows = features(table.outputs)
    # Each output stands for its samples, by weight; a perceptron takes no weights and gets them one by one.
    if classifier == "perceptron":
        # That training stopped before it converged is no news: the event is judged on fresh samples in any case.
        kind: Any = MLPClassifier((10, 5), max_iter=60, random_state=seed % 2**32)
        again = np.concatenate([np.repeat(np.arange(len(rows)), side) for side in (table.left, table.right)])
        label = np.repeat([1, 0], [int(table.left.sum()), int(table.right.sum())])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = make_pipeline(StandardScaler(), kind).fit(rows[again], label)
    else:
        both = np.concatenate([rows, rows])
        label = np.repeat([1, 0], len(rows))
        weight = np.concatenate([table.left, table.right]).astype(float)
        model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=300))
        model.fit(both, label, logisticregression__sample_weight=weight)

    def score(outputs: list[Any]) -> npt.NDArray[np.float64]:
        probability: npt.NDArray[np.float64] = model.predict_proba(features(outputs))[:, 1]
        # Equal outputs must have equal scores: the last digits depend on how many are scored at once.
        return np.round(probability, 9)

    scores = score(table.outputs)
    order = np.argsort(-scores, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(scores[order]) != 0), len(order) - 1)
    left, right = np.cumsum(table.left[order])[ends], np.cumsum(table.right[order])[ends]
    chosen = np.unique(np.linspace(0, len(ends) - 1, min(len(ends), _THRESHOLDS)).astype(np.int64))

    def event(k: int) -> Event:
        least = float(scores[order][ends[chosen[k]]])
        return Event(
            f"a classifier's score of the output is at least {least:.6g}",
            lambda output: bool(score([output])[0] >= least),
            hold=lambda outputs: (score(outputs) >= least).tolist(),
        )

    return Family("attack", left[chosen], right[chosen], event)


def features_of(outputs: list[Any]) -> Features | None:
    """Numbers as they are, and anything else that has few values as one indicator for each; by position in tuples."""
    if all(isinstance(o, tuple) for o in outputs):
        length = min(map(len, outputs))
        if length == 0 or max(map(len, outputs)) != length:
            return None
        parts = [_column([o[i] for o in outputs]) for i in range(length)]
        known = [p for p in parts if p is not None]
        if len(known) < len(parts):
            return None
        return lambda rows: np.column_stack([p([row[i] for row in rows]) for i, p in enumerate(known)])
    return _column(outputs)


def _column(values: list[Any]) -> Features | None:
    if all(is_number(v) for v in values) and len(set(values)) > _MOST_CATEGORIES:
        return lambda rows: np.array(rows, dtype=float).reshape(-1, 1)
    seen = list(dict.fromkeys(values))
    if len(seen) > _MOST_CATEGORIES:
        return None
    return lambda rows: np.array([[float(v == s) for s in seen] for v in rows])
