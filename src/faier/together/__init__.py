"""Testing and proving together: evidence proposes, the verifier certifies."""
