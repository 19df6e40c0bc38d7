from __future__ import annotations

import pytest
from checker_cases import BIT, toml

from faier_check import CertificateError, Limits, ModelFileError, check
from faier_check.model_file import read_model

PAIR = [("0", "1", False)]
GOOD = toml(BIT, {}, {}, PAIR).decode()


def refuses(text: str | bytes, match: str) -> None:
    with pytest.raises(ModelFileError, match=match):
        read_model(text if isinstance(text, bytes) else text.encode())


def test_reads_rows_exactly():
    model = read_model(
        toml(BIT, {"1": {"0": "0.1", "1": "9/10"}}, {"b": {"0": "1/3", "1": "2/3"}}, [("b", "0", True)])
    )
    assert model.states == ("0", "1")
    assert model.symbols == ("a", "b")
    assert model.emit[0].entries == ((0, 3), (1, 1))
    assert model.emit[0].denominator == 4
    assert model.step[0] is None
    assert model.step[1] is not None
    assert model.step[1].entries == ((0, 1), (1, 9))
    assert model.pairs[0].left.entries == ((0, 1), (1, 2))
    assert model.directions == ((0, True),)


def test_the_claim_of_the_file_plays_no_part():
    read_model(GOOD.encode() + b'\n[claim]\nepsilon = "ln(2"\nhorizon = -1\ndelta = 0.5')


def test_beliefs_that_nothing_compares_are_not_read():
    read_model(toml(BIT, {}, {"b": {"0": "p", "1": "7"}}, PAIR))


def test_a_byte_order_mark_and_a_title_play_no_part():
    texts = (GOOD, "\ufeff" + GOOD, "title = 'x'\nparameters = {}\nconstraints = []\n" + GOOD)
    assert len({read_model(text.encode()) for text in texts}) == 1


def test_integers_may_stand_unquoted():
    read_model(b'faier = 1\n[model.emit]\nx = { a = 1, b = 0 }\n[[compare]]\nleft = "x"\nright = "x"')


@pytest.mark.parametrize(
    ("emit", "match"),
    [
        ({"0": {"a": "1/2", "b": "1/3"}}, r"model.emit.0: the row sums to 5/6, not 1"),
        ({"0": {"a": f"1-1/{10**30}"}}, r"model.emit.0: the row sums to 9999"),
        ({"0": {"a": "3/2", "b": "-1/2"}}, r"model.emit.0.b: a probability cannot be negative, got -1/2"),
        ({"0": {}}, r"model.emit.0: the row sums to 0, not 1"),
        ({"0": {"a": "p", "b": "1-p"}}, r"model.emit.0.a: uses parameters \('p'\)"),
        ({"0": {"a": "exp(1)", "b": "1"}}, r"model.emit.0: the row does not sum to 1"),
        ({"0": {"a": "1/0", "b": "1"}}, r"model.emit.0.a: division by zero"),
        ({"0": {"a": "2^9999^2", "b": "1"}}, r"an exponent must be an integer"),
        ({"0": {"a": "(2^9999)^9999", "b": "1"}}, r"a power is too large"),
        ({"0": {"a": "(" * 200 + "1" + ")" * 200}}, r"nested deeper than 100"),
        ({"0": {"a": "1" * 100_001}}, r"longer than 100000 characters"),
        ({"0": {"a": "__import__('os')"}}, r"uses parameters"),
        ({"0": {"a": ""}}, r"ends too early"),
        ({}, r"model.emit: a model needs at least one state"),
    ],
)
def test_refuses_rows(emit, match):
    refuses(toml(emit, {}, {}, [("0", "0", False)]), match)


@pytest.mark.parametrize(
    ("step", "match"),
    [
        ({"0": {"1": "1/2"}}, r"model.step.0: the row sums to 1/2, not 1"),
        ({"0": {"2": "1"}}, r"model.step.0.2: unknown name"),
        ({"2": {"0": "1"}}, r"model.step.2: unknown state '2'"),
        ({"0": {}}, r"model.step.0: the row sums to 0"),
    ],
)
def test_refuses_steps(step, match):
    refuses(toml(BIT, step, {}, PAIR), match)


@pytest.mark.parametrize(
    ("beliefs", "pair", "match"),
    [
        ({"b": {"0": "1/2"}}, ("b", "0", True), r"beliefs.b: the row sums to 1/2"),
        ({"b": {"2": "1"}}, ("b", "0", True), r"beliefs.b.2: unknown name"),
        ({"b": {"0": "q", "1": "1-q"}}, ("b", "0", True), r"beliefs.b.0: uses parameters"),
        ({"0": {"1": "1"}}, ("0", "1", True), r"beliefs.0: a belief may not be named like a state"),
        ({}, ("b", "0", True), r"compare\[0\].left: unknown belief or state 'b'"),
    ],
)
def test_refuses_beliefs(beliefs, pair, match):
    refuses(toml(BIT, {}, beliefs, [pair]), match)


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ('"3/4"', "0.75", r"model.emit.0.a: a number must be exact, got the float 0.75"),
        ('"3/4"', "true", "a number is expected here"),
        ('"3/4"', '["3/4"]', "a number is expected here"),
        ('"3/4"', "nan", "a number must be exact"),
        ("faier = 1", "faier = 2", "the file must say faier = 1"),
        ("faier = 1", "faier = 1.0", "the file must say faier = 1"),
        ("faier = 1", "faier = true", "the file must say faier = 1"),
        ("faier = 1", "", "the file must say faier = 1"),
        ("faier = 1", "faier = 1\nprior = 3", "unknown key 'prior'"),
        ("faier = 1", "faier = 1\ndescription = 'x'", "unknown key 'description'"),
        ("faier = 1", "faier = 1\nstream = {}", "a file has .model. or .stream., not both"),
        ("faier = 1", "faier = 1\nmechanism = {}", "a mechanism of faier.s library"),
        ("[beliefs]", "[model.noise]\n[beliefs]", "model: unknown key 'noise'"),
        ("one_way = false", "one_way = 0", "one_way is true or false"),
        ("one_way = false", "at = 3", "compare.0..from: the name of a belief or a state is expected"),
        ("one_way = false", "weight = 3", "unknown key 'weight'"),
        ('left = "0"', 'left = ["0"]', "the name of a belief or a state is expected"),
        ('left = "0"', "", "the name of a belief or a state is expected"),
        ("[[compare]]", "[compare]", "there is nothing to compare"),
        ("[[compare]]", "[claim]", "there is nothing to compare"),
        ("[[compare]]", "[[compare", "not valid TOML"),
        ("[model.emit]", "[model.emission]", "model: unknown key 'emission'"),
    ],
)
def test_refuses_files(old, new, match):
    refuses(GOOD.replace(old, new, 1), match)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (b"\xff", "not UTF-8"),
        (b"\xef\xbb\xbf" * 2 + GOOD.encode(), "not valid TOML"),
        (b"", "the file must say faier = 1"),
        (b"x = " + b"[" * 50_000, "not valid TOML"),
        (b"faier = 1" + b"0" * 10_000, "not valid TOML"),
    ],
)
def test_refuses_texts(text, match):
    refuses(text, match)


def test_the_common_denominator_of_a_row_is_capped():
    row = {f"s{i}": f"1/(2^9000+{2 * i + 1})" for i in range(1000)}
    refuses(toml({"0": row}, {}, {}, [("0", "0", True)]), "the common denominator of the row is too large")


def test_the_file_is_read_before_the_certificate():
    with pytest.raises(ModelFileError, match="longer than 10 bytes"):
        check(b"{", GOOD.encode(), Limits(file_bytes=10))
    with pytest.raises(CertificateError, match="not JSON"):
        check(b"{", GOOD.encode())
