"""Writes the generated model files below examples/: `python scripts/make_examples.py [--check]`.

Every file is a plain model that faier reads like any other; only large tables are worth a program. The
answers in the headers are confirmed with exact rationals by tests/reference.py.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

from example_file import File
from noise import (
    HALF,
    QUARTER,
    Row,
    first_of_ties,
    multiplied,
    noisy_distribution,
    spelt,
    the_value,
    uniform_ties,
)
from unknown_examples import makers as with_unknowns

ROOT = Path(__file__).resolve().parent.parent / "examples"


def files() -> dict[str, str]:
    """Path below examples/ -> text, for every generated file."""
    makers: dict[str, Callable[[], File]] = {
        **_noisy_max_files(),
        **_above_threshold_files(),
        **_rappor_files(),
        **_selection_files(),
        **_other_files(),
        **with_unknowns(),
    }
    return {path: make().text() for path, make in makers.items()}


def neighbours(size: int, count: int, moves: str, low: int = 0) -> list[tuple[str, str]]:
    """Unordered pairs of different answers to `count` queries, each in [low, low + size)."""
    values = list(product(range(low, low + size), repeat=count))
    steps = [
        d for d in product((-1, 0, 1), repeat=count) if any(d) and (moves == "all" or sum(map(abs, d)) == 1)
    ]
    known = set(values)
    pairs = []
    for v in values:
        others = (tuple(a + b for a, b in zip(v, d, strict=True)) for d in steps)
        pairs += [(spelt(v), spelt(w)) for w in sorted(others) if w in known and w > v]
    return pairs


def _noisy_max(count: int, moves: str, tie: Row, ratio: str, header: Sequence[str], title: str) -> File:
    """One shot: a state for each tuple of answers, which emits the output."""
    emit = {spelt(v): noisy_distribution(v, tie, [HALF] * count) for v in product(range(3), repeat=count)}
    return File(header, title, emit, {"ratio": ratio, "horizon": 1}, neighbours(3, count, moves))


def _noisy_max_3(
    moves: str, tie: Row, ratio: str, header: Sequence[str], title: str, noiseless: int | None = None
) -> File:
    """The paper's figure: 27 states that emit nothing ("_"), then 27 noisy ones that emit the result."""
    answers = list(product(range(3), repeat=3))
    identity = [[Fraction(int(a == b)) for b in range(3)] for a in range(3)]
    noise = [identity if i == noiseless else HALF for i in range(3)]
    emit: dict[str, Mapping[str, Fraction]] = {spelt(v): {"_": Fraction(1)} for v in answers}
    emit |= {_noisy(w): tie(w) for w in answers}
    step = {
        spelt(v): {
            _noisy(w): p
            for w in answers
            if (p := multiplied(noise[i][a][b] for i, (a, b) in enumerate(zip(v, w, strict=True))))
        }
        for v in answers
    }
    return File(header, title, emit, {"ratio": ratio, "horizon": 2}, neighbours(3, 3, moves), step)


def noisy_max_family(header: Sequence[str], p2: Fraction, ratio: str) -> File:
    """Example 6: disease 1 strikes both of two people or none; disease k strikes each with its own rate."""
    model = _noisy_max(5, "all", uniform_ties, ratio, header, "Noisy max of 5 diseases in a family of two")
    rates = [p2, Fraction(3, 10), Fraction(4, 10), Fraction(5, 10)]
    counts = [[(1 - p) ** 2, 2 * p * (1 - p), p**2] for p in rates]
    model.beliefs = {
        name: {
            spelt((first, *rest)): weight
            for rest in product(range(3), repeat=4)
            if (weight := multiplied(counts[i][c] for i, c in enumerate(rest)))
        }
        for name, first in (("John is ill", 2), ("John is well", 0))
    }
    model.compare = [("John is ill", "John is well")]
    return model


def _noisy_max_files() -> dict[str, Callable[[], File]]:
    def small(
        count: int, moves: str, ratio: str, broken: str, folder: str = ""
    ) -> dict[str, Callable[[], File]]:
        one = "" if moves == "all" else "_one"
        name = f"{folder}noisy_max_{count}{one}"
        how = "every answer may move by 1" if moves == "all" else "one answer may move by 1"
        title = f"Discrete noisy max of {count} queries, {how}"
        source = f"source: paper, section 6.2, Algorithm 2 (noisy max), {count} queries in one shot"
        return {
            f"{name}.toml": lambda: _noisy_max(
                count, moves, uniform_ties, ratio, ["expect: holds", f"tight: {ratio}", source], title
            ),
            f"{name}_first.toml": lambda: _noisy_max(
                count,
                moves,
                first_of_ties,
                ratio,
                [
                    "expect: violated, shortest witness 1",
                    f"tight: {broken}",
                    source,
                    f"twin of: noisy_max_{count}{one}.toml; fault: ties go to the first index",
                ],
                title,
            ),
        }

    source = "source: paper, section 6.2, figure of the HMM for noisy max (3 queries)"
    value = "source: paper, the wrong version of noisy max that reports the value (3 queries)"
    all_move = "Discrete noisy max of 3 queries, every answer may move by 1"
    one_moves = "Discrete noisy max of 3 queries, one answer may move by 1"
    value_all = "The value of the noisy max of 3 queries, every answer may move by 1"
    value_one = "The value of the noisy max of 3 queries, one answer may move by 1"

    def twin(tight: str, name: str, fault: str, where: str = source) -> list[str]:
        return [
            "expect: violated, shortest witness 2",
            f"tight: {tight}",
            where,
            f"twin of: {name}.toml; fault: {fault}",
        ]

    family = "372332141/108657806"
    nm2 = "source: paper, section 6.2, second example (nm2), at p2 = 1/2, with its binomial factors"
    spread = "twin of: noisy_max_family.toml; fault: the budget is meant for independent infections"

    return {
        "noisy_max_family.toml": lambda: noisy_max_family(
            ["expect: holds", f"tight: {family}", nm2], Fraction(1, 2), family
        ),
        "noisy_max_family_faulty.toml": lambda: noisy_max_family(
            ["expect: violated, shortest witness 1", f"tight: {family}", nm2, spread], Fraction(1, 2), "2"
        ),
        **small(2, "all", "12/5", "4"),
        **small(4, "all", "432/113", "16"),
        **small(5, "all", "288/73", "32", "large/"),
        **small(5, "one", "1312/657", "2", "large/"),
        "noisy_max_3.toml": lambda: _noisy_max_3(
            "all", uniform_ties, "24/7", ["expect: holds", "tight: 24/7", source], all_move
        ),
        "noisy_max_3_first.toml": lambda: _noisy_max_3(
            "all", first_of_ties, "24/7", twin("8", "noisy_max_3", "ties go to the first index"), all_move
        ),
        "noisy_max_3_one.toml": lambda: _noisy_max_3(
            "one", uniform_ties, "40/21", ["expect: holds", "tight: 40/21", source], one_moves
        ),
        "noisy_max_3_one_first.toml": lambda: _noisy_max_3(
            "one",
            first_of_ties,
            "40/21",
            twin("2", "noisy_max_3_one", "ties go to the first index"),
            one_moves,
        ),
        "noisy_max_3_value.toml": lambda: _noisy_max_3(
            "all", the_value, "8", ["expect: holds", "tight: 8", value], value_all
        ),
        "noisy_max_3_value_faulty.toml": lambda: _noisy_max_3(
            "all",
            the_value,
            "8",
            twin("infinity", "noisy_max_3_value", "the third answer gets no noise", value),
            value_all,
            2,
        ),
        "noisy_max_3_value_one.toml": lambda: _noisy_max_3(
            "one", the_value, "2", ["expect: holds", "tight: 2", value], value_one
        ),
        "noisy_max_3_value_one_faulty.toml": lambda: _noisy_max_3(
            "one",
            the_value,
            "2",
            twin("infinity", "noisy_max_3_value_one", "the third answer gets no noise", value),
            value_one,
            2,
        ),
    }


# Figure 5 and appendix 2: which symbols tell the query result of the upper and of the lower copy.
UPPER = (("00", "01", "heart"), ("10", "11", "12"), ("spade", "21", "22"))
LOWER = (("00", "10", "club"), ("01", "11", "21"), ("diamond", "12", "22"))


def above_threshold(
    header: Sequence[str],
    *,
    title: str = "Above Threshold, as the paper models it",
    thresholds: Sequence[int] = (0, 1, 2),
    horizon: int | str = 9,
    ratio: str = "16",
    answer_noise: Sequence[Sequence[Fraction]] = HALF,
) -> File:
    """Two copies of it; the symbols "00" to "22" keep the query results within 1 of each other."""
    emit: dict[str, Mapping[str, Fraction]] = {}
    step: dict[str, Mapping[str, Fraction]] = {}
    for copy, symbols in (("", UPPER), ("u:", LOWER)):
        for t in thresholds:
            for r in range(3):
                emit[f"{copy}t{t}r{r}"] = {"_": Fraction(1)}
                step[f"{copy}t{t}r{r}"] = {f"{copy}~t{i}r{r}": QUARTER[t][i] for i in range(3)}
        for t, r in product(range(3), repeat=2):
            emit[f"{copy}~t{t}r{r}"] = {s: Fraction(1, 3) for s in symbols[r]}
            step[f"{copy}~t{t}r{r}"] = {f"{copy}~t{t}~r{j}": answer_noise[r][j] for j in range(3)}
        for t, r in product(range(3), repeat=2):
            emit[f"{copy}~t{t}~r{r}"] = {"top" if r >= t else "bot": Fraction(1)}
            if r < t:
                step[f"{copy}~t{t}~r{r}"] = {f"{copy}~t{t}r{j}": Fraction(1, 3) for j in range(3)}
    compare = [
        (f"t{t}r{j}", f"u:t{t}r{k}")
        for t in thresholds
        for j in range(3)
        for k in range(3)
        if abs(j - k) <= 1
    ]
    return File(header, title, emit, {"ratio": ratio, "horizon": horizon, "possible": "both"}, compare, step)


def _above_threshold_files() -> dict[str, Callable[[], File]]:
    source = "source: paper, figure 5 and appendix 2; the run ends after top"
    title = "Above Threshold with threshold 2, as the paper models it"

    def twin(length: int, tight: str, name: str, fault: str) -> list[str]:
        return [
            f"expect: violated, shortest witness {length}",
            f"tight: {tight}",
            source,
            f"twin of: {name}.toml; fault: {fault}",
        ]

    return {
        "above_threshold.toml": lambda: above_threshold(["expect: holds", "tight: 16", source]),
        "above_threshold_11.toml": lambda: above_threshold(
            twin(11, "32", "above_threshold", "one more query is answered than the budget covers"), horizon=11
        ),
        "above_threshold_faulty.toml": lambda: above_threshold(
            twin(7, "256", "above_threshold", "the answers get the weaker noise of the threshold"),
            answer_noise=QUARTER,
        ),
        "above_threshold_any.toml": lambda: above_threshold(
            twin(11, "unbounded", "above_threshold", "the number of queries is not limited"), horizon="any"
        ),
        "above_threshold_t2.toml": lambda: above_threshold(
            ["expect: holds", "tight: 16", source + "; only threshold 2"], thresholds=(2,), title=title
        ),
        "above_threshold_t2_faulty.toml": lambda: above_threshold(
            twin(7, "256", "above_threshold_t2", "the answers get the weaker noise of the threshold"),
            thresholds=(2,),
            answer_noise=QUARTER,
            title=title,
        ),
    }


def rappor(
    header: Sequence[str],
    *,
    ratio: str,
    horizon: int | str,
    f: Fraction = Fraction(1, 2),
    p: Fraction = Fraction(1, 2),
    q: Fraction = Fraction(3, 4),
    again: bool = True,
) -> File:
    """State: four permanent bits. Two bits are set only on the left and two only on the right."""
    states = ["".join(bits) for bits in product("01", repeat=4)]
    emit = {
        s: {
            r: multiplied(
                (q, p)[b == "0"] if c == "1" else 1 - (q, p)[b == "0"] for b, c in zip(s, r, strict=True)
            )
            for r in states
        }
        for s in states
    }
    set_bit = {True: 1 - f / 2, False: f / 2}
    beliefs = {
        name: {
            s: multiplied(
                set_bit[t == "1"] if b == "1" else 1 - set_bit[t == "1"]
                for b, t in zip(s, truth, strict=True)
            )
            for s in states
        }
        for name, truth in (("left", "1100"), ("right", "0011"))
    }
    step = {s: {s: Fraction(1)} for s in states} if again else {}
    title = "RAPPOR: four bits, " + ("reported again and again" if again else "one report")
    return File(header, title, emit, {"ratio": ratio, "horizon": horizon}, [("left", "right")], step, beliefs)


def _rappor_files() -> dict[str, Callable[[], File]]:
    source = (
        "source: RAPPOR (2014), f = p = 1/2, q = 3/4; two bits set only on the left, two only on the right"
    )
    return {
        "rappor_once.toml": lambda: rappor(
            ["expect: holds", "tight: 5929/2025", source], ratio="5929/2025", horizon=1, again=False
        ),
        "rappor_once_faulty.toml": lambda: rappor(
            [
                "expect: violated, shortest witness 1",
                "tight: 13225/2601",
                source,
                "twin of: rappor_once.toml; fault: a permanent bit is randomised with f = 1/4",
            ],
            ratio="5929/2025",
            horizon=1,
            again=False,
            f=Fraction(1, 4),
        ),
        "rappor.toml": lambda: rappor(
            [
                "expect: holds",
                "tight: 81",
                "attained: no, approached by ever longer words",
                "tight at 1: 5929/2025",
                "tight at 2: 162409/21609",
                source,
            ],
            ratio="81",
            horizon="any",
        ),
        "rappor_faulty.toml": lambda: rappor(
            [
                "expect: violated, shortest witness 3",
                "tight: 2401",
                "attained: no, approached by ever longer words",
                "tight at 3: 14010049/172225",
                source,
                "twin of: rappor.toml; fault: a permanent bit is randomised with f = 1/4",
            ],
            ratio="81",
            horizon="any",
            f=Fraction(1, 4),
        ),
    }


def permute_and_flip(scores: Sequence[int], base: int, permuted: bool = True) -> dict[str, Fraction]:
    """Walk the candidates in random order; take the first whose coin, base**(score - best), shows heads."""
    orders = list(permutations(range(len(scores)))) if permuted else [tuple(range(len(scores)))]
    row = {str(i + 1): Fraction(0) for i in range(len(scores))}
    for order in orders:
        left = Fraction(1, len(orders))
        for i in order:
            heads = Fraction(base) ** (scores[i] - max(scores))
            row[str(i + 1)] += left * heads
            left *= 1 - heads
    return row


def exponential(scores: Sequence[int], base: int) -> dict[str, Fraction]:
    weights = [Fraction(base) ** s for s in scores]
    return {str(i + 1): w / sum(weights) for i, w in enumerate(weights)}


def _selection(
    count: int,
    row: Row,
    ratio: str,
    header: Sequence[str],
    title: str,
    leave: bool = False,
) -> File:
    """Scores 0 to 3, each of which may move by 1; with `leave` the neighbour's may be -1 or 4."""
    low, size = (-1, 6) if leave else (0, 4)
    emit = {spelt(v): row(v) for v in product(range(low, low + size), repeat=count)}
    inside = {spelt(v) for v in product(range(4), repeat=count)}
    compare = [(a, b) for a, b in neighbours(size, count, "all", low) if a in inside or b in inside]
    return File(header, title, emit, {"ratio": ratio, "horizon": 1}, compare)


def _selection_files() -> dict[str, Callable[[], File]]:
    flip = "source: McKenna, Sheldon 2020 (permute-and-flip) with e^(epsilon/2) = 2, scores 0 to 3"
    choose = "source: the exponential mechanism with e^(epsilon/2) = 2, scores 0 to 3"
    leaving = choose + "; the neighbour's may be -1 or 4"
    makers: dict[str, Callable[[], File]] = {}

    def add(
        name: str,
        count: int,
        ratio: str,
        broken: str,
        good: Row,
        bad: Row,
        fault: str,
        source: str,
        title: str,
        leave: bool = False,
    ) -> None:
        makers[f"{name}.toml"] = lambda: _selection(
            count, good, ratio, ["expect: holds", f"tight: {ratio}", source], title, leave
        )
        makers[f"{name}_faulty.toml"] = lambda: _selection(
            count,
            bad,
            ratio,
            [
                "expect: violated, shortest witness 1",
                f"tight: {broken}",
                source,
                f"twin of: {name}.toml; fault: {fault}",
            ],
            title,
            leave,
        )

    for count, broken in ((2, "infinity"), (3, "infinity")):
        add(
            f"permute_and_flip_{count}",
            count,
            "4",
            broken,
            lambda v: permute_and_flip(v, 2),
            lambda v: permute_and_flip(v, 2, permuted=False),
            "the candidates are not permuted",
            flip,
            f"Permute-and-flip among {count} candidates",
        )
    for count, ratio, broken, leave in (
        (2, "3", "13", False),
        (3, "17/5", "43/3", False),
        (2, "11/3", "205/13", True),
        (3, "65/17", "683/43", True),
    ):
        add(
            f"exponential_{count}" + ("_leaving" if leave else ""),
            count,
            ratio,
            broken,
            lambda v: exponential(v, 2),
            lambda v: exponential(v, 4),
            "the exponent lacks its factor 1/2",
            leaving if leave else choose,
            f"The exponential mechanism among {count} candidates",
            leave,
        )
    return makers


def flu_clique(header: Sequence[str], noise: Fraction = Fraction(1, 2), wide: bool = False) -> File:
    """Four people who fall ill together; the count is published with geometric noise; one's state is secret.

    Beyond the counts 0 to 4 every value of a tail says the same, so the unclamped mechanism is written
    exactly with two values more on each side and the rest lumped together.
    """
    prior = [Fraction(x, 20) for x in (2, 3, 10, 3, 2)]
    low, high = (-2, 6) if wide else (0, 4)
    emit = {}
    for k in range(5):
        middle = {z: (1 - noise) / (1 + noise) * noise ** abs(z - k) for z in range(low + 1, high)}
        tails = {low: noise ** (k - low) / (1 + noise), high: noise ** (high - k) / (1 + noise)}
        row = middle | tails
        lumped = {low: f"<={low}", high: f">={high}"} if wide else {}
        emit[str(k)] = {lumped.get(z, str(z)): row[z] for z in sorted(row)}
    ill = {str(k): 2 * prior[k] * Fraction(k, 4) for k in range(5) if k}
    well = {str(k): 2 * prior[k] * Fraction(4 - k, 4) for k in range(5) if k < 4}
    title = "A clique of four with influenza, the count with 1/2-geometric noise"
    claim: dict[str, str | int] = {"ratio": "11/5", "horizon": 1}
    return File(header, title, emit, claim, [("ill", "well")], {}, {"ill": ill, "well": well})


def dining_cryptographers(header: Sequence[str], heads: Fraction, ratio: str) -> File:
    """Three at a round table, coin i between i and i + 1; 1 or 2 has paid.

    3 watches: sees both coins at hand and all announcements (coin left xor coin right, xor 1 for who has
    paid). A symbol is coin 2, coin 3, then the announcements of 1, 2, 3.
    """
    emit: dict[str, dict[str, Fraction]] = {}
    for payer in (1, 2):
        row: dict[str, Fraction] = {}
        for coins in product((0, 1), repeat=3):
            said = [coins[i] ^ coins[i - 1] ^ (payer == i + 1) for i in range(3)]
            symbol = f"{coins[1]}{coins[2]}:{''.join(map(str, said))}"
            row[symbol] = row.get(symbol, Fraction(0)) + multiplied(heads if c else 1 - heads for c in coins)
        emit[f"{payer} pays"] = row
    title = "Three dining cryptographers: the third wants to know which of the others has paid"
    return File(header, title, emit, {"ratio": ratio, "horizon": 1}, [("1 pays", "2 pays")])


def crowds(header: Sequence[str], forward: Fraction) -> File:
    """Five honest members; a receiver is corrupt with probability 91/1000 and then sees the sender.

    An honest one, uniformly chosen, forwards with probability `forward` and else delivers, which is not seen.
    """
    bad = Fraction(91, 1000)
    later = forward * bad / (1 - forward * (1 - bad))
    emit = {}
    for i in range(1, 6):
        row = {f"seen {j}": (1 - bad) * later / 5 + (bad if i == j else 0) for j in range(1, 6)}
        emit[f"sender {i}"] = {**row, "unseen": 1 - sum(row.values())}
    pairs = [(f"sender {i}", f"sender {j}") for i in range(1, 6) for j in range(i + 1, 6)]
    return File(
        header, "Crowds with five honest members, one run", emit, {"ratio": "2614/909", "horizon": 1}, pairs
    )


def geo_sample(header: Sequence[str], shift: int = 0) -> File:
    """Balcer and Vadhan's exact sampler: the smallest z with u <= F(z), u uniform on 1..d; counts 0..4."""
    k, n = 3, 4
    d = (2 ** (k + 1) + 1) * (2**k + 1) ** (n - 1)

    def cumulative(c: int, z: int) -> int:
        if z < 0:
            return 0
        if z == n:
            return d
        if z <= c:
            return 2 ** (k * (c - z)) * (2**k + 1) ** (n - (c - z))
        return d - 2 ** (k * (z - c + 1)) * (2**k + 1) ** (n - 1 - (z - c))

    emit = {}
    for c in range(n + 1):
        below = [0, *(min(d, cumulative(c, z) + (shift if z < n else 0)) for z in range(n + 1))]
        emit[f"count {c}"] = {str(z): Fraction(below[z + 1] - below[z], d) for z in range(n + 1)}
    pairs = [(f"count {c}", f"count {c + 1}") for c in range(n)]
    title = "Exact truncated geometric sampler with base 1/8"
    return File(header, title, emit, {"ratio": "9/8", "horizon": 1}, pairs)


def cnf(
    header: Sequence[str], title: str, clauses: Sequence[Mapping[int, bool]], variables: int, ratio: str
) -> File:
    """Appendix 1: two groups of states walk through an assignment; at the end they tell satisfied clauses."""
    half, one = Fraction(1, 2), Fraction(1)
    emit: dict[str, dict[str, Fraction]] = {}
    step: dict[str, dict[str, Fraction]] = {}
    for group, told in (("A", Fraction(4, 5)), ("B", Fraction(1, 5))):
        for i, clause in enumerate(clauses, 1):
            for j in range(1, variables + 1):
                for mark in ("", "'"):
                    emit[f"{group}{mark}{i}{j}"] = {f"X{j}": one}
                    step[f"{group}{mark}{i}{j}"] = {f"{value}{mark}{group}{i}{j}": half for value in "TF"}
                    for value in "TF":
                        met = mark == "" or clause.get(j) is (value == "T")
                        emit[f"{value}{mark}{group}{i}{j}"] = {f"{value}{j}": one}
                        step[f"{value}{mark}{group}{i}{j}"] = {f"{group}{'' if met else mark}{i}{j + 1}": one}
            emit[f"{group}{i}{variables + 1}"] = {"top": told, "bot": 1 - told}
            emit[f"{group}'{i}{variables + 1}"] = {"top": half, "bot": half}
    start = Fraction(1, len(clauses))
    beliefs = {
        name: {f"{g}'{i}1": start for i in range(1, len(clauses) + 1)}
        for name, g in (("D1", "A"), ("D2", "B"))
    }
    horizon = 2 * variables + 1
    return File(header, title, emit, {"ratio": ratio, "horizon": horizon}, [("D1", "D2")], step, beliefs)


def _other_files() -> dict[str, Callable[[], File]]:
    flu = "source: a standard Pufferfish example: an exchangeable clique, prior .1 .15 .5 .15 .1 on the count"
    dining = "source: Chaum 1988, three cryptographers, one of whom watches"
    crowd = "source: Reiter, Rubin 1998, with the numbers of the PRISM case study (badC = .091, PF = .8)"
    sampler = "source: Balcer, Vadhan 2018, GeoSample with k = 3"
    formula = "source: paper, appendix 1: the reduction of a formula in conjunctive normal form"
    violated = "expect: violated, shortest witness 1"
    return {
        "flu_clique.toml": lambda: flu_clique(["expect: holds", "tight: 11/5", flu]),
        "flu_clique_faulty.toml": lambda: flu_clique(
            [violated, "tight: 135/37", flu, "twin of: flu_clique.toml; fault: 1/3-geometric noise"],
            Fraction(1, 3),
        ),
        "flu_clique_unclamped.toml": lambda: flu_clique(["expect: holds", "tight: 11/5", flu], wide=True),
        "flu_clique_unclamped_faulty.toml": lambda: flu_clique(
            [
                violated,
                "tight: 135/37",
                flu,
                "twin of: flu_clique_unclamped.toml; fault: 1/3-geometric noise",
            ],
            Fraction(1, 3),
            wide=True,
        ),
        "dining_cryptographers.toml": lambda: dining_cryptographers(
            ["expect: holds", "tight: 1", dining], Fraction(1, 2), "1"
        ),
        "dining_cryptographers_faulty.toml": lambda: dining_cryptographers(
            [
                violated,
                "tight: 2",
                dining,
                "twin of: dining_cryptographers.toml; fault: the coins are 2/3-biased",
            ],
            Fraction(2, 3),
            "1",
        ),
        "crowds.toml": lambda: crowds(["expect: holds", "tight: 2614/909", crowd], Fraction(4, 5)),
        "crowds_faulty.toml": lambda: crowds(
            [
                violated,
                "tight: 6364/909",
                crowd,
                "twin of: crowds.toml; fault: members forward with 1/2 only",
            ],
            Fraction(1, 2),
        ),
        "geo_sample.toml": lambda: geo_sample(["expect: holds", "tight: 9/8", sampler]),
        "geo_sample_faulty.toml": lambda: geo_sample(
            [
                violated,
                "tight: 4607/4095",
                sampler,
                "twin of: geo_sample.toml; fault: the uniform number starts at 0",
            ],
            1,
        ),
        "formula_unsatisfiable.toml": lambda: cnf(
            ["expect: holds", "tight: 13/7", formula + ": x1 and not x1"],
            "A formula that no assignment satisfies",
            [{1: True}, {1: False}],
            2,
            "13/7",
        ),
        "formula_satisfiable.toml": lambda: cnf(
            [
                "expect: violated, shortest witness 5",
                "tight: 4",
                formula + ": (x1 or not x2) and not x1",
                "twin of: formula_unsatisfiable.toml; fault: the first clause offers another literal",
            ],
            "A formula that an assignment satisfies",
            [{1: True, 2: False}, {1: False}],
            2,
            "13/7",
        ),
    }


def _noisy(values: Sequence[int]) -> str:
    return "~" + spelt(values)


def main(arguments: Sequence[str]) -> int:
    texts = {ROOT / path: text for path, text in files().items()}
    stale = [path for path, text in texts.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        if "--check" not in arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(texts[path], "utf-8")
        print(path.relative_to(ROOT))
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
