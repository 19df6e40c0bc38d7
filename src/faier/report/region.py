"""A region as a record, as a sentence, and as facts and a map for a terminal."""

from __future__ import annotations

from fractions import Fraction

from faier.number.digits import exact_text
from faier.partition import STANDINGS, Region, RegionBox, Standing

from .facts import Facts
from .records import Record, claim_record, witness_record
from .sentences import claim_text, horizon_text
from .text import decimal

MARKS: dict[Standing, str] = {"safe": ".", "unsafe": "#", "undecided": "?", "outside": " "}
_COLUMNS, _ROWS = 60, 20


def region_record(region: Region) -> Record:
    """The region as JSON; areas are shares of the rectangle."""
    return {
        "faier": 1,
        "kind": "region",
        "over": list(region.over),
        "ranges": dict(zip(region.over, ranges_texts(region), strict=True)),
        "claim": claim_record(region.claim),
        "boxes": [_box_record(region, box) for box in region.boxes],
        "area": {name: exact_text(share) for name, share in region.areas.items()},
        "examined": region.examined,
        "complete": not region.stopped,
        "reason": region.reason,
        "seconds": float(region.seconds),
    }


def region_sentence(region: Region) -> str:
    """The region in one line that starts with "region": how much of it is safe."""
    shares = [f"{_percent(share)} {name}" for name, share in _shown(region)]
    said = f"region: {', '.join(shares)}; the ratio {claim_text(region.claim)}, {horizon_text(region.claim)}"
    return said if region.reason is None else f"{said}; stopped as {region.reason}"


def region_facts(region: Region) -> Facts:
    """What stands below the sentence and the map."""
    facts = [("over", ", ".join(ranges_texts(region)))]
    for name, share in _shown(region):
        count = sum(box.verdict == name for box in region.boxes)
        facts.append((name, f"{_percent(share)} in {_boxes(count)}"))
    return [*facts, ("looked at", _boxes(region.examined)), ("seconds", f"{region.seconds:.3g}")]


def region_map(region: Region) -> str:
    """The rectangle in characters: `.` safe, `#` unsafe, `?` undecided; the second parameter goes up."""
    rows = _ROWS if len(region.over) == 2 else 1
    cells = [["?"] * _COLUMNS for _ in range(rows)]
    for box in region.boxes:
        across = _cells(region, box, 0, _COLUMNS)
        up = _cells(region, box, 1, rows) if rows > 1 else range(1)
        for y in up:
            for x in across:
                cells[rows - 1 - y][x] = MARKS[box.verdict]
    first = region.ranges[0]
    ends = f"{decimal(first.lower, 4)} {region.over[0]} {decimal(first.upper, 4)}".split(" ")
    below = f"{ends[0]}{ends[1]:^{max(len(ends[1]) + 2, _COLUMNS - len(ends[0]) - len(ends[2]))}}{ends[2]}"
    if rows == 1:
        return f"|{''.join(cells[0])}|\n {below}\n {_legend(region)}"
    second = region.ranges[1]
    labels = [""] * rows
    labels[0], labels[-1], labels[rows // 2] = decimal(second.upper, 4), decimal(second.lower, 4), region.over[1]
    width = max(map(len, labels))
    lines = [f"{label:>{width}} |{''.join(row)}|" for label, row in zip(labels, cells, strict=True)]
    return "\n".join([*lines, f"{'':{width}}  {below}", f"{'':{width}}  {_legend(region)}"])


def ranges_texts(region: Region) -> list[str]:
    """The ranges with the names of their parameters."""
    return [str(r).replace("_", name) for name, r in zip(region.over, region.ranges, strict=True)]


def _box_record(region: Region, box: RegionBox) -> Record:
    sides = zip(region.over, box.sides, strict=True)
    return {
        "sides": {name: [exact_text(lo), exact_text(hi)] for name, (lo, hi) in sides},
        "verdict": box.verdict,
        "witness": None if box.witness is None else witness_record(box.witness, region.scenario),
    }


def _cells(region: Region, box: RegionBox, axis: int, count: int) -> range:
    """The characters whose middles lie in the box."""
    range_ = region.ranges[axis]
    unit = (range_.upper - range_.lower) / count
    lo, hi = ((end - range_.lower) / unit for end in box.sides[axis])
    return range(max(0, int(lo * 2 + 1) // 2), min(count, int(hi * 2 + 1) // 2))


def _shown(region: Region) -> list[tuple[Standing, Fraction]]:
    areas = region.areas
    return [(name, areas[name]) for name in STANDINGS if areas[name] or name in ("safe", "unsafe")]


def _boxes(count: int) -> str:
    return f"{count:,} box{'' if count == 1 else 'es'}"


def _legend(region: Region) -> str:
    return "   ".join(f"{MARKS[name]} {name}" for name, _ in _shown(region) if name != "outside")


def _percent(share: Fraction) -> str:
    """Never 0 % or 100 % where that is not exact."""
    if share in (0, 1):
        return f"{int(share * 100)} %"
    hundredths = min(9999, max(1, round(share * 10000)))
    return f"{hundredths / 100:.2f} %" if share * 10000 >= 1 else "below 0.01 %"
