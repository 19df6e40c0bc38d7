"""One model file below examples/, as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

Value = Fraction | str
Rows = Mapping[str, Mapping[str, Value]]


@dataclass
class File:
    """One model file: what its header promises, the model, the comparisons and the claim."""

    header: Sequence[str]
    title: str
    emit: Rows
    claim: Mapping[str, str | int]
    compare: Iterable[tuple[str, str]]
    step: Rows = field(default_factory=dict)
    beliefs: Rows = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    constraints: Sequence[str] = ()

    def text(self) -> str:
        lines = [f"# {line}" for line in self.header]
        lines += ["# written by scripts/make_examples.py", "faier = 1", f'title = "{self.title}"']
        if self.constraints:
            lines.append(f"constraints = [{', '.join(map(_quoted, self.constraints))}]")
        lines.append("")
        if self.parameters:
            lines += ["[parameters]", *(f"{k} = {_quoted(v)}" for k, v in self.parameters.items()), ""]
        for name, rows in (("model.emit", self.emit), ("model.step", self.step), ("beliefs", self.beliefs)):
            if rows:
                lines += [f"[{name}]", *(f"{_quoted(key)} = {_row(row)}" for key, row in rows.items()), ""]
        for left, right in self.compare:
            lines += ["[[compare]]", f"left = {_quoted(left)}", f"right = {_quoted(right)}", ""]
        lines += [
            "[claim]",
            *(f"{k} = {_quoted(v) if isinstance(v, str) else v}" for k, v in self.claim.items()),
        ]
        return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return f'"{text}"'


def _row(row: Mapping[str, Value]) -> str:
    return "{ " + ", ".join(f'{_quoted(k)} = "{v}"' for k, v in row.items()) + " }"
