"""Models: what produces observations, and what may be known of where it starts."""
