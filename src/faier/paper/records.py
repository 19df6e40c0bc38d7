"""The answers as JSON: what `faier paper --json` prints."""

from __future__ import annotations

from collections.abc import Sequence

from faier.report.records import (
    Record,
    bounds_record,
    claim_record,
    limit_record,
    tight_record,
    witness_record,
)
from faier.verdict import ValuesLimit

from .row import Answer


def paper_record(answers: Sequence[Answer]) -> Record:
    """All rows, and whether each is what it is known to be."""
    return {
        "faier": 1,
        "kind": "paper",
        "rows": [_row(answer) for answer in answers],
        "as_expected": all(answer.as_expected for answer in answers),
        "agreeing": sum(answer.agrees for answer in answers),
        "seconds": sum(answer.seconds for answer in answers),
    }


def _row(answer: Answer) -> Record:
    row, tight, scenario, witness = answer.row, answer.tight, answer.verdict.scenario, answer.witness
    return {
        "name": row.name,
        "part": row.part,
        "mechanism": row.mechanism,
        "asked": row.asked,
        "claim": claim_record(answer.verdict.claim),
        "verdict": answer.decision,
        "witness": None if witness is None else witness_record(witness, scenario),
        "ratio": bounds_record(tight.ratio),
        "epsilon": tight_record(tight)["epsilon"],
        "attained": tight.attained,
        "limit": limit_record(tight.limit, scenario) if isinstance(tight.limit, ValuesLimit) else None,
        "seconds": answer.seconds,
        "paper": {
            "by": row.published.by,
            "verdict": row.published.verdict,
            "witness": row.published.witness or None,
            "time": row.published.time,
        },
        "agrees": answer.agrees,
        "as_expected": answer.as_expected,
        "remarks": [{"text": remark.text, "true": remark.true} for remark in answer.remarks],
    }
