"""Calibrations and regions in a notebook: everything escaped, pictures that parse."""

from __future__ import annotations

from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import faier

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def scenario() -> faier.Scenario:
    model = faier.HMM(
        emit={
            "<a>": {"x": "1/4 + p/4", "y": "3/4 - p/4"},
            "b": {"x": "1/4 + q/4", "y": "3/4 - q/4"},
        },
        parameters={"p": "0 <= p <= 1", "q": "1/3 <= q <= 1/2"},
    )
    return faier.Scenario.of(model, [("<a>", "b")], ratio="5/4", horizon=1)


class Tags(HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.seen: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)


def pictures(html: str) -> list[ElementTree.Element]:
    parts = html.split("<svg")[1:]
    return [ElementTree.fromstring("<svg" + part.split("</svg>")[0] + "</svg>") for part in parts]


def test_a_calibration_in_a_notebook(scenario: faier.Scenario) -> None:
    found = faier.calibrate(scenario, maximise="p", tolerance="1/1000")
    html = found._repr_html_()
    assert str(found).split(";")[0] in html.replace("&gt;", ">")
    assert "<a>" not in html
    assert "&lt;a&gt;" in html
    (picture,) = pictures(html)
    assert len(picture.findall(f"{SVG}rect")) >= 1
    assert {"p", "div", "table", "svg"} <= set(Tags(html).seen)


@pytest.mark.parametrize(
    ("claim", "colours"),
    [
        ({"ratio": "5/4"}, {"#dddddd", "#7cb98a", "#d98a83"}),
        ({"ratio": 4}, {"#dddddd", "#7cb98a"}),
        ({"ratio": "1/2"}, {"#dddddd", "#d98a83"}),
    ],
)
def test_colours_are_what_was_proved(scenario: faier.Scenario, claim: dict, colours: set[str]) -> None:
    # q = 2/5 alone: safe values of p lie around it.
    found = faier.calibrate(scenario.fixing({"q": "2/5"}), minimise="p", **claim)
    (picture,) = pictures(found._repr_html_())
    drawn = {rect.get("fill") for rect in picture.findall(f"{SVG}rect")}
    assert drawn <= colours
    assert ("#d98a83" in drawn) is bool(found.unsafe_beyond)
    assert ("#7cb98a" in drawn) is bool(found.safe_beyond)


def test_a_region_in_a_notebook(scenario: faier.Scenario) -> None:
    found = faier.region(scenario, "p,q", effort=50)
    html = found._repr_html_()
    (picture,) = pictures(html)
    boxes = [rect for rect in picture.findall(f"{SVG}rect") if rect.get("class")]
    assert len(boxes) == len(found.boxes)
    assert {text.text for text in picture.findall(f"{SVG}text")} >= {"p", "q", "safe", "unsafe"}
    total = sum(float(r.get("width")) * float(r.get("height")) for r in boxes)
    assert total == pytest.approx(420 * 420, rel=1e-3)
