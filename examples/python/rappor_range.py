"""RAPPOR as DP-Sniper's authors test it: numbers from -10 to 10, neighbours differ by 1, a Bloom filter of 20 bits.

    faier epsilon examples/python/rappor_range.py:reports          # 0.40008: 3 against 4 differ in eight bits
    faier epsilon examples/python/rappor_range.py:patterns         # 0.30006: what the patterns 1-0 and 1-2 show
    faier epsilon examples/python/rappor_range.py:one_time_reports

The hash functions are those of MurmurHash 3 (`pip install mmh3`), as in B. Bichsel, S. Steffen, I. Bogunovic and
M. Vechev, DP-Sniper, 2021. A report is read bit by bit: 20 symbols.
"""

from fractions import Fraction

import mmh3

import faier

BITS, HASHES = 20, 4


def bloom(value):
    """The bits that a value sets."""
    found = {mmh3.hash(str(value), seed=seed) % BITS for seed in range(HASHES)}
    return tuple(int(k in found) for k in range(BITS))


def process(f, p, q, name):
    """Each bit kept with probability 1 - f, else a fair coin; then told as 1 with probability q if set, else p."""
    f, p, q = Fraction(f), Fraction(p), Fraction(q)

    def told(bit):
        kept = 1 - f / 2 if bit else f / 2
        return {1: kept * q + (1 - kept) * p, 0: kept * (1 - q) + (1 - kept) * (1 - p)}

    return faier.Process(
        start=lambda value: {(0, bloom(value)): 1},
        emit=lambda place: told(place[1][place[0]]),
        step=lambda place: {(place[0] + 1, place[1]): 1} if place[0] + 1 < BITS else None,
        inputs=range(-10, 11),
        adjacent="each_within(1)",
        name=name,
    )


rappor = process("3/4", "9/20", "11/20", "RAPPOR")
one_time = process("19/20", 0, 1, "one-time RAPPOR")

reports = faier.differential_privacy(rappor, horizon=BITS)
patterns = faier.differential_privacy(rappor, adjacent=[(1, 0), (1, 2)], horizon=BITS)
one_time_reports = faier.differential_privacy(one_time, horizon=BITS)
