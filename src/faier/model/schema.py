"""The published JSON Schema of the model file, for editors and for programs that write such files."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a model file, its TOML read as JSON.

    It describes shape only: that rows sum to 1 and names exist is beyond it. What `load` accepts fits it.
    """
    text = files("faier.model").joinpath("model-file.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
