"""The expression parser: exact, clear about what is wrong, and cheap on any text."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faier.errors import NumberError
from faier.number.exact import prob
from faier.number.expression import parse


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("7", 7),
        ("2/3", Fraction(2, 3)),
        ("0.1", Fraction(1, 10)),
        (" 1 / 3 ", Fraction(1, 3)),
        (".5", Fraction(1, 2)),
        ("5.", 5),
        ("1e-3", Fraction(1, 1000)),
        ("1.5E2", 150),
        ("10^9", 10**9),
        ("2^-1", Fraction(1, 2)),
        ("-2^2", -4),
        ("(-2)^2", 4),
        ("2^3^2", 512),
        ("2^-1^2", Fraction(1, 2)),
        ("1-2-3", -4),
        ("8/4/2", 1),
        ("2*-3", -6),
        ("--2", 2),
        ("+1", 1),
        ("1/-2", Fraction(-1, 2)),
        ("(1+2)*3", 9),
        ("1+2*3", 7),
        ("0^0", 1),
        ("1^10000", 1),
        ("007", 7),
        ("0/5", 0),
    ],
)
def test_constants_are_exact(text: str, value: object) -> None:
    assert parse(text) == value
    assert isinstance(parse(text), Fraction)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("1 +", "missing after '+', at character 3"),
        ("* 2", "missing before '*', at character 1"),
        ("1;2", "unknown character ';', at character 2"),
        ("½", "unknown character '½'"),
        ("0,5", "decimal point"),
        ("p = 2", "unknown character '='"),
        ("(1", "'(' is never closed, at character 1"),
        ("1)", "')' without '(', at character 2"),
        (")", "missing before ')'"),
        ("()", "missing before ')'"),
        ("2 p", "an operator is missing before 'p'"),
        ("(1)(2)", "an operator is missing before '('"),
        ("f(2)", "unknown function 'f'"),
        ("1_000", "an operator is missing"),
        ("0x10", "an operator is missing"),
        ("2**3", "write ^ for a power"),
        ("1/0", "division by zero, at character 2"),
        ("1/(p-p)", "division by zero"),
        ("(p-p)^-1", "division by zero"),
        ("0^-1", "division by zero"),
        ("nan", "nan is not a number"),
        ("-Infinity", "Infinity is not a number"),
        ("p^(1/2)", "an exponent must be a whole number"),
        ("2^p", "an exponent must be a whole number"),
        ("10^(10^9)", "the exponent 1000000000 is too large"),
        ("2^2^2^2^2^2", "too large"),
        ("(2^1000)^1000", "bits"),
        ("((2^1000)^100)*((2^1000)^100)", "bits"),
        ("1e999999999", "exponent of 1e999999999 is too large"),
        ("(p+q+r)^200", "terms"),
        ("p^9999*p^9999", "degree"),
        ("ln(2)", "ln has no place"),
        ("__import__('os')", "unknown character"),
        ("().__class__", "unknown character '.'"),
    ],
)
def test_a_bad_text_is_one_clear_line(text: str, words: str) -> None:
    with pytest.raises(NumberError) as error:
        parse(text)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_powers_of_e_are_exact() -> None:
    assert str(parse("exp(-1/2)")) == "1/exp(1/2)"
    assert parse("exp(1/2)^2") == parse("exp(1)")
    assert parse("exp(1/2)*exp(1/3)") == parse("exp(5/6)")
    assert parse("exp(0)") == 1
    assert parse("1/(1 + exp(-1)) + exp(-1)/(1 + exp(-1))") == 1
    assert parse("p*exp(1/2)", ["p"]).parameters == {"p"}  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["exp(-7/10)", "(1 + exp(1/3))/(2 - exp(1/2)*p)", "exp(1/4)^3*p - q"])
def test_powers_of_e_are_written_as_they_are_read(text: str) -> None:
    assert parse(str(parse(text))) == parse(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("e", r"write exp\(1\) for e"),
        ("exp(p)", "exp takes a rational number"),
        ("exp(1000000)", "at most 10000"),
        ("exp(1/9999)*exp(1/9998)", "common denominator"),
    ],
)
def test_other_powers_of_e_are_refused(text: str, words: str) -> None:
    with pytest.raises(NumberError, match=words):
        parse(text)


def test_an_unknown_parameter_is_named_with_the_known_ones() -> None:
    with pytest.raises(NumberError, match=r"unknown parameter 'q'; \[parameters\] names alpha, p"):
        parse("1-q", {"p", "alpha"})
    with pytest.raises(NumberError, match="did you mean 'alpha'"):
        parse("alpa", {"p", "alpha"})
    with pytest.raises(NumberError, match="names none"):
        parse("p", ())
    assert str(parse("nan", {"nan"})) == "nan"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(" * 10_000 + "1" + ")" * 10_000, "deeper than 100"),
        ("-" * 10_000 + "1", "deeper than 100"),
        ("^".join(["2"] * 1000), "deeper than 100"),
        ("1" * 50_000, "bits"),
        ("1" * 200_000, "characters"),
        ("+".join(["3^9000/5^9000"] * 7000), "work"),
        ("+".join(f"1/(1+p{i})" for i in range(40)), "terms"),
        ("*".join(f"(1+p{i})" for i in range(40)), "terms"),
    ],
)
def test_no_text_takes_long(text: str, words: str) -> None:
    started = time.perf_counter()
    with pytest.raises(NumberError, match=words):
        parse(text)
    assert time.perf_counter() - started < 20


def test_moderate_depth_is_fine() -> None:
    assert parse("(" * 100 + "1" + ")" * 100) == 1
    assert parse("+".join(["1"] * 5000)) == 5000
    assert parse("(1+(2*(3-(" * 10 + "1" + "))))" * 10) is not None


def test_long_numbers_are_read_whole() -> None:
    assert parse("1" + "0" * 5000) == 10**5000
    assert parse("0." + "0" * 4999 + "1") == Fraction(1, 10**5000)


@pytest.mark.parametrize("value", [0.1, float("nan"), float("inf"), True, None, [1], {"a": 1}, b"1", 1j])
def test_only_exact_values_are_numbers(value: object) -> None:
    with pytest.raises(NumberError):
        prob(value)  # type: ignore[arg-type]


def test_a_float_comes_with_advice() -> None:
    with pytest.raises(NumberError, match=r'write it as a string: "0\.1"'):
        prob(0.1)  # type: ignore[arg-type]


# Random expressions as text together with their value, computed without the parser.
Case = tuple[str, Fraction]


def _leaf() -> st.SearchStrategy[Case]:
    whole = st.integers(0, 20).map(lambda n: (str(n), Fraction(n)))
    places = st.tuples(st.integers(0, 9), st.integers(0, 99)).map(
        lambda t: (f"{t[0]}.{t[1]:02}", Fraction(t[0] * 100 + t[1], 100))
    )
    return whole | places


def _grow(inner: st.SearchStrategy[Case]) -> st.SearchStrategy[Case]:
    def binary(a: Case, b: Case, sign: str) -> Case:
        match sign:
            case "+":
                return f"({a[0]})+{b[0]}" if b[0].isdigit() else f"({a[0]})+({b[0]})", a[1] + b[1]
            case "-":
                return f"({a[0]}) - ({b[0]})", a[1] - b[1]
            case "*":
                return f"({a[0]})*({b[0]})", a[1] * b[1]
            case _:
                return (f"({a[0]})/({b[0]})", a[1] / b[1]) if b[1] else a

    def power(a: Case, n: int) -> Case:
        return (f"({a[0]})^{n}", a[1] ** n) if a[1] or n >= 0 else a

    return (
        st.builds(binary, inner, inner, st.sampled_from("+-*/"))
        | st.builds(power, inner, st.integers(-3, 3))
        | inner.map(lambda a: (f"-({a[0]})", -a[1]))
    )


@given(st.recursive(_leaf(), _grow, max_leaves=12))
def test_parser_agrees_with_fractions(case: Case) -> None:
    assert parse(case[0]) == case[1]


@given(
    st.lists(st.tuples(st.sampled_from("+-*/"), st.integers(1, 9)), min_size=1, max_size=12),
    st.integers(0, 9),
)
def test_precedence_agrees_with_python(tail: list[tuple[str, int]], first: int) -> None:
    text = f"{first}" + "".join(f" {sign} {n}" for sign, n in tail)
    exact = f"Fraction({first})" + "".join(f" {sign} Fraction({n})" for sign, n in tail)
    assert parse(text) == eval(exact, {"Fraction": Fraction})


@given(st.text(max_size=30) | st.text("0123456789.+-*/^()pe ln", max_size=30))
def test_any_text_is_a_number_or_a_clear_error(text: str) -> None:
    try:
        value = parse(text)
    except NumberError as error:
        message = str(error)
        assert message
    else:
        assert parse(str(value)) == value
