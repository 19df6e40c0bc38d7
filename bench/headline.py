"""What was measured, in the few lines that the README shows: each number is looked up among the rows of the table."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from . import CASES
from .lengths import MODELS, SECONDS, SIZES
from .plot import Point, points, svg
from .results import Case, save
from .row import Row
from .table import seconds

ROOT = Path(__file__).resolve().parent.parent
MEASURED = ROOT / "docs" / "measured.json"
"""The results that the documents show."""
DOCUMENTS = ROOT / "README.md", ROOT / "docs" / "growth.md", ROOT / "docs" / "measurements.md"
PLOT = ROOT / "docs" / "growth.svg"
_BLOCK = re.compile(r"(<!-- measured: (?P<what>[^>]*?) -->\n).*?(<!-- end -->\n)", re.S)

Cases = Mapping[str, Case]


class Missing(Exception):
    """A number that is asked for was not measured."""


def main(cases: Cases, *, write: bool) -> int:
    """Print the lines; with `write` put them, the tables and the plot into the documents, and keep the results."""
    try:
        print("\n".join(headline(cases)))
        if write:
            if lacking := [n for n in CASES if n not in cases or not cases[n].complete or cases[n].size == "quick"]:
                raise Missing(f"not measured to the end at the default size: {', '.join(lacking)}")
            publish(cases)
    except Missing as error:
        print(f"headline: {error}", file=sys.stderr)
        return 2
    return 0


def publish(cases: Cases) -> None:
    texts = {path: filled(path.read_text(encoding="utf-8"), cases) for path in DOCUMENTS}
    save(cases, MEASURED)
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    PLOT.write_text(svg(cases.values()), encoding="utf-8")


def filled(text: str, cases: Cases) -> str:
    """A document with its blocks `<!-- measured: WHAT -->` to `<!-- end -->` as they follow from the results."""
    families = points(cases.values())

    def block(match: re.Match[str]) -> str:
        what = match["what"]
        if what == "headline":
            lines = headline(cases)
        elif what in families:
            lines = _table(families[what].series, families[what].limit)
        elif what.startswith("case "):
            lines = _listed(cases, what.removeprefix("case "))
        else:
            raise Missing(f"nothing was measured of {what!r}")
        return match[1] + "\n" + "\n".join(lines) + "\n\n" + match[3]

    return _BLOCK.sub(block, text)


def headline(cases: Cases) -> list[str]:
    """One line for each family that the README speaks of."""
    return [f"- {line(cases)}" for line in _LINES]


def _above_threshold(cases: Cases) -> str:
    family = "Above Threshold, by queries"
    ours = _point(cases, family, "faier.epsilon", 60)
    return (
        f"Above Threshold, 21 pairs: exactly 2^k after k queries, k = 60 in {seconds(ours)}; "
        f"a single claim about k queries {_peers(cases, family, 'k')}"
    )


def _noisy_max(cases: Cases) -> str:
    row = _row(cases, "noisy_max_5", "epsilon, all pairs both ways")
    assert row.ratio is not None
    by_symmetry = _point(cases, "noisy max, by queries", "faier.epsilon, by symmetry", 20)
    return (
        f"Noisy max of 5 queries, 16,564 neighbours: exactly 288/73 in {seconds(row.time.process)}, "
        f"{row.ratio:.2g} times a bare matrix product; of 20 queries, 3^20 data sets, {seconds(by_symmetry)}"
    )


def _unknown_rates(cases: Cases) -> str:
    family = "noisy max of two people, by unknown rates"
    size, time = _largest(cases, family, "faier.epsilon")
    return f"Noisy max with {size:g} unknown rates: the exact supremum in {seconds(time)}; {_peers(cases, family, '')}"


def _every_length(cases: Cases) -> str:
    def share(kind: str, most: int = SIZES[-1]) -> str:
        return _row(cases, "lengths", MODELS.format(kind, SIZES[0], most)).answer.removesuffix(" decided")

    kinds = ", ".join(f"{kind} {share(kind)}" for kind in ("periodic", "absorbing", "reducible"))
    return (
        f"Words of every length, to 10^-6 within {SECONDS:g} s, random models of 2 to 200 states: "
        f"{share('mixing')} where all mix; {kinds}"
    )


def _formulas(cases: Cases) -> str:
    row = _found(cases, "cnf", lambda row: row.what.startswith("the slowest of "))
    maxsat = max(p.seconds for p in _series(cases, "random 3-CNFs, by variables", "RC2, a MaxSAT solver"))
    what = re.sub("the slowest of (\\d+) formulas of", "random 3-CNFs of", row.what)
    return (
        f"Where it is NP-hard ({what}): {row.answer}, the slowest {seconds(row.time.process)}; "
        f"a MaxSAT solver needs at most {seconds(maxsat)} for the formulas themselves"
    )


def _sizes(cases: Cases) -> str:
    forward = _found(
        cases, "sparse", lambda row: row.what.startswith("forward pass") and "1000000 states" in row.what
    )
    channel = _largest(cases, "tight epsilon of channels, by inputs", "faier.epsilon")
    theirs = _point(cases, "tight epsilon of channels, by inputs", "libqif in floats", channel[0])
    assert forward.ratio is not None
    return (
        f"A million states, sparse: a forward pass takes {forward.ratio:.2g} times bare scipy products. "
        f"One-shot channels: libqif, in floats, is {channel[1] / theirs:.2g} times as fast"
    )


_LINES: tuple[Callable[[Cases], str], ...] = (
    _above_threshold, _noisy_max, _unknown_rates, _every_length, _formulas, _sizes,
)  # fmt: skip


def _peers(cases: Cases, family: str, unit: str) -> str:
    """How far each solver came, in its best form."""
    told = []
    limit = points(cases.values())[family].limit
    for solver in ("Z3", "cvc5"):
        found = [series for name, series in _family(cases, family).items() if name.split()[0] == solver]
        if not found:
            raise Missing(f"{family}: nothing was measured of {solver}")
        furthest = max(found, key=lambda series: max((p.size for p in series if not p.stopped), default=0))
        answered = [p.size for p in furthest if not p.stopped]
        upto = f"{unit} = " if unit else ""
        reached = f"up to {upto}{max(answered):g}" if answered else "not even the smallest"
        told.append(f"{solver} {reached}" + ("" if any(p.stopped for p in furthest) else " and maybe further"))
    return f"{' and '.join(told)} in {limit:g} s"


def _table(series: Mapping[str, list[Point]], limit: float) -> list[str]:
    """Sizes down, series across; the time of each, or that it was stopped."""
    sizes = sorted({p.size for found in series.values() for p in found})
    at = {name: {p.size: p for p in found} for name, found in series.items()}
    lines = ["| | " + " | ".join(series) + " |", "|---" * (len(series) + 1) + "|"]
    for size in sizes:
        cells = [_cell(at[name].get(size), limit) for name in series]
        lines.append(f"| {size:,.10g} | " + " | ".join(cells) + " |")
    return lines


def _cell(point: Point | None, limit: float) -> str:
    if point is None:
        return ""
    return f"stopped at {limit:g} s" if point.stopped else seconds(point.seconds)


def _listed(cases: Cases, name: str) -> list[str]:
    """The rows of a case: what, answer, processor time, note."""
    if name not in cases:
        raise Missing(f"the case {name} was not measured")
    lines = ["| | answer | time | |", "|---|---|---|---|"]
    return lines + [
        f"| {row.what} | {row.answer} | {seconds(row.time.process)} | {row.note} |" for row in cases[name].rows
    ]


def _row(cases: Cases, case: str, what: str) -> Row:
    return _found(cases, case, lambda row: row.what == what)


def _found(cases: Cases, case: str, right: Callable[[Row], bool]) -> Row:
    for row in cases[case].rows if case in cases else ():
        if right(row):
            return row
    raise Missing(f"a row of the case {case} that the headline needs was not measured")


def _family(cases: Cases, family: str) -> Mapping[str, list[Point]]:
    found = points(cases.values())
    if family not in found:
        raise Missing(f"nothing was measured of {family!r}")
    return found[family].series


def _series(cases: Cases, family: str, series: str) -> list[Point]:
    found = _family(cases, family)
    if series not in found:
        raise Missing(f"{family}: nothing was measured of {series!r}")
    return found[series]


def _point(cases: Cases, family: str, series: str, size: float) -> float:
    for point in _series(cases, family, series):
        if point.size == size and not point.stopped:
            return point.seconds
    raise Missing(f"{family}: {series} was not measured at {size:g}")


def _largest(cases: Cases, family: str, series: str) -> tuple[float, float]:
    """The largest size that was not stopped, and its time."""
    done = [(p.size, p.seconds) for p in _series(cases, family, series) if not p.stopped]
    if not done:
        raise Missing(f"{family}: {series} was stopped at every size")
    return max(done)

