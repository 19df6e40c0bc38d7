"""The public surface is what the documentation lists, no more and no less."""

from __future__ import annotations

import re
from pathlib import Path

import faier
from faier import errors

PAGE = (Path(__file__).parents[1] / "docs" / "python.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)
    assert found, title
    return found[1]


def test_the_page_lists_the_surface():
    exceptions = set(re.findall(r"^\| `(\w+)` \|", section("Exceptions"), re.M)) | {"FaierError"}
    named = section("The public surface").partition("and the exceptions")[0]
    assert set(re.findall(r"`(\w+)`", named)) | exceptions == set(faier.__all__)


def test_every_exception_is_listed_and_derives_from_one():
    own = {
        name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)
    }
    assert own <= set(faier.__all__)
    assert all(issubclass(getattr(faier, name), faier.FaierError) for name in own)


def test_every_name_stands_once_and_can_be_had():
    assert len(set(faier.__all__)) == len(faier.__all__)
    assert all(getattr(faier, name) is not None for name in faier.__all__)
