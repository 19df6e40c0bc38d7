"""Mechanisms as plain Python functions: enumerated for the verifier, drawn at random for samplers."""
