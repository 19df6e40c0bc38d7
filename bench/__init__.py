"""Measurements of faier against floors and peers of the same run: `python -m bench`."""

CASES = (
    "above_threshold", "noisy_max_5", "exchangeable", "random_finite", "long", "unknown_rates", "unknown_growth", "cnf",
    "random_any", "lengths", "forever", "every_step", "sparse", "contagion", "channels", "cores", "accountant",
    "audit",
)  # fmt: skip
"""The modules beside this one that have `rows(options)`, in the order in which they run."""
