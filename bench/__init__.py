"""Measurements of faier against floors and peers of the same run: `python -m bench`."""

CASES = (
    "channels", "above_threshold", "noisy_max_5", "exchangeable", "random_finite", "random_any", "lengths", "forever",
    "sparse", "cnf", "long", "unknown_rates", "unknown_growth", "contagion", "audit", "accountant",
)  # fmt: skip
"""The modules beside this one that have `rows(options)`, in the order in which they run."""
