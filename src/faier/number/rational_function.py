"""Quotients of polynomials in named parameters."""


class RationalFunction:
    """Placeholder while this is being written."""
