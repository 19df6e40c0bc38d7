"""The tables of the paper that faier started from, computed again.

Verifying Pufferfish Privacy in Hidden Markov Models (D. Liu et al.), whose prototype is called FAIER as well.
"""
