"""Claims as SMT queries after the paper's Algorithm 1, and the solvers that decide them.

`faier.engine.smt.verify.verify` decides. Nothing is imported here: a solver starts in a process of its own,
which should not wait for more than it needs.
"""
