"""Simulation: one matrix K that carries every column of a suffix from the right side to the left. [T2]"""
