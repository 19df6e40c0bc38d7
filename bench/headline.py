"""What was measured, in the few lines that the README shows: each number is looked up among the rows of the table."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from . import CASES
from .lengths import MODELS, SECONDS
from .plot import Point, points, svg
from .results import Case, save
from .row import Row
from .table import line, ratio, seconds

ROOT = Path(__file__).resolve().parent.parent
MEASURED = ROOT / "docs" / "measured.json"
"""The results that the documents show."""
DOCUMENTS = ROOT / "README.md", ROOT / "docs" / "growth.md", ROOT / "docs" / "measurements.md"
PLOT = ROOT / "docs" / "growth.svg"
_BLOCK = re.compile(r"(<!-- measured: (?P<what>[^>]*?) -->\n).*?(<!-- end -->\n)", re.S)

Cases = Mapping[str, Case]


class Missing(Exception):
    """A number that is asked for was not measured."""


def main(cases: Cases, *, write: bool, quick: bool) -> int:
    """Print the lines; with `write` put them, the tables and the plot into the documents, and keep the results.

    Small sizes are not written, unless it is said that they are meant.
    """
    try:
        print("\n".join(headline(cases)))
        if write:
            done = {name for name, case in cases.items() if case.complete and (quick or case.size != "quick")}
            if lacking := [name for name in CASES if name not in done]:
                sizes = "" if quick else " at the default size"
                raise Missing(f"not measured to the end{sizes}: {', '.join(lacking)}")
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
            name, _, text = what.removeprefix("case ").partition(": ")
            lines = _listed(cases, name, text)
        else:
            raise Missing(f"nothing was measured of {what!r}")
        return match[1] + "\n" + "\n".join(lines) + "\n\n" + match[3]

    return _BLOCK.sub(block, text)


def headline(cases: Cases) -> list[str]:
    """One line for each family that the README speaks of."""
    return [f"- {told(cases)}" for told in _LINES]


def _above_threshold(cases: Cases) -> str:
    family = "Above Threshold, by queries"
    size, time = _largest(cases, family, "faier.epsilon")
    return (
        f"**Above Threshold**, 21 pairs: exactly 2^k after k queries, in {seconds(time)} for k = {size:g}. "
        f"{_peers(cases, family, 'queries')}."
    )


def _noisy_max(cases: Cases) -> str:
    row = _row(cases, "noisy_max_5", "epsilon, all pairs both ways")
    assert row.ratio is not None
    size, time = _largest(cases, "noisy max, by queries", "faier.epsilon, by symmetry")
    return (
        f"**Noisy max** of 5 queries, 16,564 neighbours: exactly 288/73 in {seconds(row.time.process)}, "
        f"{row.ratio:.2g} times a bare matrix product. Of {size:g} queries, 3^{size:g} data sets: {seconds(time)}."
    )


def _unknown_rates(cases: Cases) -> str:
    family = "noisy max of two people, by unknown rates"
    size, time = _largest(cases, family, "faier.epsilon")
    return (
        f"**Unknown rates**: noisy max with {size:g} rates that nobody knows, the exact supremum in {seconds(time)}. "
        f"{_peers(cases, family, 'rates')}."
    )


def _every_length(cases: Cases) -> str:
    shares = {}
    for row in _rows(cases, "lengths"):
        if found := re.fullmatch(MODELS.format("(.*)", "(.*)", "(.*)"), row.what):
            shares[found[1]] = found[2], found[3], row.answer.removesuffix(" decided")
    if "mixing" not in shares:
        raise Missing("the shares of random models were not measured")
    low, high, _ = shares["mixing"]
    told = ", ".join(
        f"{kind} {share}" + ("" if most == high else f" (to {most} states)")
        for kind, (_, most, share) in shares.items()
        if "(" not in kind
    )
    return (
        f"**Every length**: random models of {low} to {high} states, decided to 10^-6 within {SECONDS:g} s: {told}."
    )


def _formulas(cases: Cases) -> str:
    row = _found(cases, "cnf", lambda row: row.what.startswith("the slowest of "))
    size = row.what.partition(" formulas of ")[2]
    maxsat = max(p.seconds for p in _series(cases, "random 3-CNFs, by variables", "RC2, a MaxSAT solver"))
    return (
        f"**NP-hard** ones: random 3-CNFs of {size}, {row.answer}, the slowest in {seconds(row.time.process)}. "
        f"(For formulas themselves a MaxSAT solver needs no more than {seconds(maxsat)}.)"
    )


def _sizes(cases: Cases) -> str:
    passes = [row for row in _rows(cases, "sparse") if row.what.startswith("forward pass") and row.family]
    if not passes:
        raise Missing("the forward pass of sparse models was not measured")
    largest = max(passes, key=lambda row: row.size or 0)
    assert largest.ratio is not None
    return (
        f"**Large ones**: with {largest.size:,.0f} states, 5 successors each, a forward pass takes "
        f"{largest.ratio:.2g} times as long as bare scipy products."
    )


def _where_others_are_faster(cases: Cases) -> str:
    family = "tight epsilon of channels, by inputs"
    inputs, time = _largest(cases, family, "faier.epsilon")
    theirs = _point(cases, family, "libqif in floats", inputs)
    return (
        f"**Where others are faster**: one-shot channels of {inputs:g} inputs, {seconds(time)} exactly; "
        f"libqif, in floats, {seconds(theirs)}."
    )


_LINES: tuple[Callable[[Cases], str], ...] = (
    _above_threshold, _noisy_max, _unknown_rates, _every_length, _formulas, _sizes,
    _where_others_are_faster,
)  # fmt: skip


def _peers(cases: Cases, family: str, what: str) -> str:
    """How far each solver came, in its best form."""
    told = []
    limit = points(cases.values())[family].limit
    for solver in ("Z3", "cvc5"):
        found = [series for name, series in _family(cases, family).items() if name.split()[0] == solver]
        if not found:
            raise Missing(f"{family}: nothing was measured of {solver}")
        furthest = max(found, key=lambda series: max((p.size for p in series if not p.stopped), default=0))
        most = max((p.size for p in furthest if not p.stopped), default=0)
        further = "" if any(p.stopped for p in furthest) else " or more"
        told.append(f"{most:g}{further} on {solver}")
    return f"Algorithm 1 decides claims within {limit:g} s about so many {what}: {', '.join(told)}"


def _table(series: Mapping[str, list[Point]], limit: float) -> list[str]:
    """Sizes down, series across; the time of each, or that it was stopped."""
    sizes = sorted({p.size for found in series.values() for p in found})
    at = {name: {p.size: p for p in found} for name, found in series.items()}
    lines = [line(["", *series]), "|---" * (len(series) + 1) + "|"]
    for size in sizes:
        cells = [_cell(at[name].get(size), limit) for name in series]
        lines.append(line([f"{size:,.10g}", *cells]))
    return lines


def _cell(point: Point | None, limit: float) -> str:
    if point is None:
        return ""
    return f"stopped at {limit:g} s" if point.stopped else seconds(point.seconds)


def _listed(cases: Cases, name: str, text: str) -> list[str]:
    """The rows of a case that a pattern names, or all: what, answer, time, beside, ratio, note."""
    rows = [row for row in _rows(cases, name) if re.search(text, row.what)]
    if not rows:
        raise Missing(f"nothing was measured of {name} that is like {text!r}")
    beside, notes = any(row.beside for row in rows), any(row.note for row in rows)
    head = ["", "answer", "time", *(["beside", "ratio"] if beside else []), *([""] if notes else [])]
    lines = [line(head), "|---" * len(head) + "|"]
    for row in rows:
        cells = [row.what, row.answer, seconds(row.time.process)]
        if beside:
            time = f": {seconds(row.beside_time.process)}" if row.beside_time else ""
            cells += [row.beside + time, ratio(row)]
        lines.append(line([*cells, *([row.note] if notes else [])]))
    return lines


def _rows(cases: Cases, name: str) -> Sequence[Row]:
    return cases[name].rows if name in cases else ()


def _row(cases: Cases, case: str, what: str) -> Row:
    return _found(cases, case, lambda row: row.what == what)


def _found(cases: Cases, case: str, right: Callable[[Row], bool]) -> Row:
    for row in _rows(cases, case):
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

