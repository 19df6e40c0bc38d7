"""Scenarios: a model, the pairs that must stay indistinguishable, and the claim about them."""
