"""Certificates about classes of states are accepted for the models that were asked about."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import examples

import faier
from faier.model.toml_write import dumps
from faier_check import check
from strategies import hmms, scenarios

EXAMPLES = Path(__file__).parents[2] / "examples"


@st.composite
def doubled(draw: st.DrawFn) -> faier.HMM:
    """A model whose states may stand there twice, under another name, with what moves into them shared out."""
    model = draw(hmms(max_states=3))
    twice = {s for s in model.states if draw(st.booleans())}
    share = draw(st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1)]))

    def row(targets: dict[str, Fraction]) -> dict[str, Fraction]:
        shared = {s: p * (share if s in twice else 1) for s, p in targets.items()}
        return shared | {f"{s} again": p * (1 - share) for s, p in targets.items() if s in twice}

    emit, step = model.emit_rows(), model.step_rows()
    names = [*model.states, *(f"{s} again" for s in model.states if s in twice)]
    return faier.HMM(
        emit={s: emit[str(s).removesuffix(" again")] for s in names},
        step={s: row(step[of]) for s in names if (of := str(s).removesuffix(" again")) in step},  # type: ignore[arg-type]
    )


@given(scenarios(models=doubled(), horizons=(1, 3, "any")))
@examples(80)
def test_what_engines_find_on_classes_is_accepted_on_states(scenario: faier.Scenario) -> None:
    model = dumps(scenario).encode()
    for result in (faier.verify(scenario, engine="tree", timeout=2), faier.epsilon(scenario, timeout=2)):
        if isinstance(result, faier.Unknown) or (isinstance(result, faier.Tight) and not result.complete):
            continue
        check(json.dumps(faier.certify(result)).encode(), model)


@pytest.mark.parametrize("name", ["two_copies", "equal_at_every_length", "above_threshold"])
def test_examples_whose_states_are_alike(name: str) -> None:
    path = EXAMPLES / f"{name}.toml"
    tight = faier.epsilon(path, horizon="any", timeout=60)
    assert tight.classes is not None
    certificate = faier.certify(tight)
    assert certificate["classes"] == list(tight.classes)
    check(json.dumps(certificate).encode(), path)


def test_two_copies_of_one_mechanism_are_equal_at_every_length() -> None:
    tight = faier.epsilon(EXAMPLES / "two_copies.toml", horizon="any")
    assert tight.ratio.lower == tight.ratio.upper == 1
