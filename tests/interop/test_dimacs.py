"""DIMACS files, and appendix 1's reduction against brute-force satisfiability."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from pathlib import Path

import pytest

import reference
from faier.engine.smt.verify import verify
from faier.errors import ModelError
from faier.interop import dimacs
from faier.interop.dimacs import CNF, load, parse, reduction
from faier.verdict import Holds, Violated

PAPER = CNF(2, ((1, -2), (-1,)))
FORMULAS = {
    "the paper's figure": PAPER,
    "one literal": CNF(1, ((1,),)),
    "a contradiction": CNF(1, ((1,), (-1,))),
    "only the empty clause": CNF(0, ((),)),
    "an empty clause among others": CNF(2, ((1, 2), ())),
    "a tautology": CNF(2, ((1, -1),)),
    "a tautology and a contradiction": CNF(2, ((2, -2), (1,), (-1,))),
    "a repeated literal": CNF(2, ((1, 1, -2), (-1, -1))),
    "a repeated clause": CNF(1, ((1,), (1,), (-1,))),
    "unused variables": CNF(3, ((2,), (-2,))),
    "all sign patterns of two variables": CNF(2, tuple(itertools.product((1, -1), (2, -2)))),
}


def most_satisfied(cnf: CNF) -> int:
    signs = itertools.product((1, -1), repeat=cnf.variables)
    return max(
        sum(any(row[abs(x) - 1] * x > 0 for x in clause) for clause in cnf.clauses) for row in signs
    )


def expected_ratio(cnf: CNF) -> Fraction:
    satisfied = most_satisfied(cnf)
    left = len(cnf.clauses) - satisfied
    return (Fraction(4 * satisfied, 5) + Fraction(left, 2)) / (Fraction(satisfied, 5) + Fraction(left, 2))


def random_formula(seed: int) -> CNF:
    dice = random.Random(seed)
    variables = dice.randint(1, 4)
    clauses = (
        tuple(dice.choice((1, -1)) * dice.randint(1, variables) for _ in range(dice.randint(1, 3)))
        for _ in range(dice.randint(1, 7))
    )
    return CNF(variables, tuple(clauses))


def decides(cnf: CNF) -> None:
    scenario = reduction(cnf)
    satisfiable = most_satisfied(cnf) == len(cnf.clauses)
    assert reference.tight(scenario, scenario.claim.horizon) == expected_ratio(cnf)
    verdict = verify(scenario, seconds=60)
    assert isinstance(verdict, Violated if satisfiable else Holds)
    if isinstance(verdict, Violated):
        assert verdict.witness.ratio == 4
        word = verdict.witness.word
        assert word[-1] == "top"
        chosen = {int(symbol[1:]) * (1 if symbol[0] == "T" else -1) for symbol in word[1:-1:2]}
        assert all(chosen & set(clause) for clause in cnf.clauses)


@pytest.mark.parametrize("name", FORMULAS)
def test_the_claim_is_violated_exactly_when_the_formula_is_satisfiable(name: str) -> None:
    decides(FORMULAS[name])


@pytest.mark.parametrize("seed", range(10))
def test_random_formulas_are_decided(seed: int) -> None:
    decides(random_formula(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 60))
def test_many_random_formulas_are_decided(seed: int) -> None:
    decides(random_formula(seed))


def test_the_model_is_the_one_of_the_papers_figure() -> None:
    scenario = reduction(PAPER)
    step, emit = scenario.model.step_rows(), scenario.model.emit_rows()
    assert step["A'1,1"] == {"T'A1,1": Fraction(1, 2), "F'A1,1": Fraction(1, 2)}
    assert step["T'A1,1"] == {"A1,2": 1}
    assert step["F'A1,1"] == {"A'1,2": 1}
    assert step["F'A1,2"] == {"A1,3": 1}
    assert step["F'A2,1"] == {"A2,2": 1}
    assert step["TB1,2"] == {"B1,3": 1}
    assert emit["A'1,3"] == {"top": Fraction(1, 2), "bot": Fraction(1, 2)}
    assert emit["A1,3"] == {"top": Fraction(4, 5), "bot": Fraction(1, 5)}
    assert emit["B1,3"] == {"top": Fraction(1, 5), "bot": Fraction(4, 5)}
    assert "A1,1" not in emit
    assert "A1,3" not in step
    assert scenario.model.symbols == ("X1", "T1", "F1", "X2", "T2", "F2", "top", "bot")
    (pair,) = scenario.pairs
    assert pair.one_way
    assert pair.left.weights == {"A'1,1": Fraction(1, 2), "A'2,1": Fraction(1, 2)}
    assert (scenario.claim.horizon, scenario.claim.budget.exact) == (5, Fraction(13, 7))


def test_only_reachable_states_are_built() -> None:
    scenario = reduction(CNF(3, ((1, -1, 3),)))
    rows = scenario.model.step_rows()
    reached, open_states = set(), [s for p in scenario.pairs for b in (p.left, p.right) for s in b.weights]
    while open_states:
        if (state := open_states.pop()) not in reached:
            reached.add(state)
            open_states += rows.get(state, ())
    assert reached == set(scenario.model.states)


def test_comments_blank_lines_and_layout_do_not_matter() -> None:
    text = "c a formula\n\np  cnf 2\t2\nc inside\n1\n-2 0 -1\nc between\n 0\n"
    assert parse(text) == PAPER
    assert parse("p cnf 2 2\r\n1 -2 0\r\n-1 0\r\n%\r\n0\r\n") == PAPER


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "header: there is none"),
        ("c nothing\n", "header: there is none"),
        ("1 2 0\np cnf 2 1\n", r"header \(line 1\): clauses stand before it"),
        ("p cnf 2\n1 0\n", r"header \(line 1\): a formula starts with `p cnf VAR.*`, got 'p cnf 2'"),
        ("p dnf 2 1\n1 0\n", r"got 'p dnf 2 1'"),
        ("p cnf -2 1\n1 0\n", r"got 'p cnf -2 1'"),
        ("p cnf 1 1\np cnf 1 1\n1 0\n", r"header \(line 2\): a second header; the first is on line 1"),
        ("p cnf 2 1\n\n1 3 0\n", r"clause 1 \(line 3\): the literal 3 is out of range; .* 1..2"),
        ("p cnf 2 2\n1 0\n-3 0\n", r"clause 2 \(line 3\): the literal -3 is out of range"),
        ("p cnf 2 3\n1 0\n2 0\n", r"header \(line 1\): 3 clauses are announced, but there are 2"),
        ("p cnf 2 1\n1 0\n2 0\n", r"1 clauses are announced, but there are 2"),
        ("p cnf 2 1\n1\n2\n", r"clause 1 \(line 2\): the clause is not ended by 0"),
        ("p cnf 2 1\n1 x 0\n", r"clause 1 \(line 2\): a literal is a whole number, got 'x'"),
        ("p cnf 2 1\n1.5 0\n", "a literal is a whole number, got '1.5'"),
        ("p cnf 2 1\n1 -0\n", "0 ends a clause and has no sign"),
        ("p cnf 2 1\n1 ٢ 0\n", "a literal is a whole number"),
        (f"p cnf 2 1\n{'9' * 5000} 0\n", "a literal is a whole number"),
        (f"p cnf {'9' * 5000} 1\n", "a formula starts with"),
    ],
)
def test_a_malformed_file_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        parse(text)


def test_all_problems_are_listed_together_up_to_a_cap() -> None:
    with pytest.raises(ModelError) as caught:
        parse("p cnf 1 1\n2 0\nx 0\n-3 0\n")
    assert [p.line for p in caught.value.problems] == [2, 3, 4]
    with pytest.raises(ModelError) as caught:
        parse("p cnf 1 1\n" + "2 0\n" * 10_000)
    assert len(caught.value.problems) == 50


def test_a_formula_without_clauses_has_no_reduction() -> None:
    with pytest.raises(ModelError, match="without clauses"):
        reduction(parse("p cnf 3 0\n"))


def test_a_reduction_that_would_be_too_large_is_refused() -> None:
    with pytest.raises(ModelError, match="more than 1000000"):
        reduction(CNF(1000, ((1,),) * 1000))


def test_a_formula_is_valid_once_made() -> None:
    with pytest.raises(ModelError, match="clause 2: the literal 2 is out of range"):
        CNF(1, ((1,), (2,)))
    with pytest.raises(ModelError, match="literal 0"):
        CNF(1, ((0,),))


def test_a_file_is_loaded_as_its_question(tmp_path: Path) -> None:
    file = tmp_path / "paper.cnf"
    file.write_text("p cnf 2 2\n1 -2 0\n-1 0\n")
    scenario = load(file)
    assert scenario.model == reduction(PAPER).model
    assert "paper.cnf" in scenario.title
    with pytest.raises(ModelError, match="no such file"):
        load(tmp_path / "missing.cnf")
    file.write_bytes(b"p cnf 1 1\n1 \xff 0\n")
    with pytest.raises(ModelError):
        load(file)
    assert dimacs.SIZE_LIMIT == 1 << 24
