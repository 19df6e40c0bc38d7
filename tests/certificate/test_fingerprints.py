"""Models with parameters: the digest of a scenario is the one that the checker finds in its file."""

from __future__ import annotations

import pytest

from faier.api import load_with_warnings
from faier.certificate.digest import digest
from faier.model.toml_write import dumps
from faier_check.digest import digest as digest_of_model
from faier_check.model_file import read_model

MODEL = """faier = 1
constraints = [{constraints}]

[parameters]
{parameters}

[model.emit]
x = {{ a = "{a}", b = "{b}" }}
y = {{ a = "1/2", b = "1/2" }}

[beliefs]
some = {{ x = "{some}", y = "1-({some})" }}

[[compare]]
left = "some"
right = "y"
"""


def text(a="p", b="1-p", some="1/3", parameters='p = "0 < p < 1"', constraints="") -> str:
    return MODEL.format(a=a, b=b, some=some, parameters=parameters, constraints=constraints)


def both(model: str, tmp_path) -> str:
    """The digest, the same for the file, for the scenario that it holds, and for that written again."""
    path = tmp_path / "model.toml"
    path.write_text(model, encoding="utf-8")
    scenario, _ = load_with_warnings(path)
    found = digest(scenario)
    assert found == digest_of_model(read_model(model.encode()))
    assert found == digest_of_model(read_model(dumps(scenario).encode()))
    return found


TWO = 'p = "0 < p < 1"\nq = "0 < q < 1"'
THREE = TWO + '\nr = "0 <= r < 1"'


@pytest.mark.parametrize(
    "model",
    [
        text(),
        text(some="p^2/(1-(1-p)^2)"),
        text(some="(p^2-1/4)/(p-1/2)/2"),
        text(parameters='p = "1/3"'),
        text(a="k*p", b="1-k*p", parameters='p = "0 < p < 1"\nk = "exp(-1/2)"'),
        text(a="exp(-1/2)", b="1-exp(-1/2)", parameters=""),
        text(a="exp(-1/2)*exp(-1/3)", b="1-exp(-5/6)", some="1/exp(2)", parameters=""),
        text(a="p", b="q", parameters=TWO, constraints='"p + q == 1"'),
        text(a="p", b="q", some="q*p", parameters=TWO, constraints='"p + q == 1"'),
        text(a="p", b="q+r", some="q", parameters=THREE, constraints='"p + q + r == 1"'),
        text(a="p", b="q+r", some="r", parameters=THREE, constraints='"p + q + r == 1", "p >= q^2", "2*q == p"'),
    ],
)
def test_both_sides_agree(model, tmp_path):
    both(model, tmp_path)


def test_it_is_the_function_that_counts(tmp_path):
    base = both(text(some="p^2/(2*p-p^2)"), tmp_path)
    assert base == both(text(some="p/(2-p)"), tmp_path)
    assert base == both(text(some="1/(2/p-1)", b="(1-p^2)/(1+p)"), tmp_path)
    assert both(text(some="exp(-1/2)"), tmp_path) == both(text(some="1/exp(1/6)^3"), tmp_path)


@pytest.mark.parametrize(
    "model",
    [
        text(some="p/(2-p)+p*(1-p)/10^30"),
        text(some="p/(2-p)", parameters='p = "0 < p <= 1"'),
        text(some="p/(2-p)", parameters=TWO),
        text(some="p/(2-p)", constraints='"p < 1/2"'),
        text(some="p/(2-p)", a="1-p", b="p"),
        text(some="1/2"),
    ],
)
def test_another_model_has_another(model, tmp_path):
    assert both(model, tmp_path) != both(text(some="p/(2-p)"), tmp_path)
