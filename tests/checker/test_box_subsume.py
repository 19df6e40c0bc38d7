from __future__ import annotations

from fractions import Fraction

from box_cases import bits, boxes, half, with_parameters
from checker_cases import STAY, accepts, after, one_way, rejects, root, toml

TINY = Fraction(1, 10**30)


def coin(left: str = "1/2", right: str = "1/2") -> bytes:
    """The state is shown with an unknown error and never changes; left and right start in both states."""
    emit = {"0": {"a": "1-p", "b": "p"}, "1": {"a": "1-p", "b": "p"}}
    beliefs = {"0": left, "1": f"1-({left})"}, {"0": right, "1": f"1-({right})"}
    return with_parameters(one_way(emit, STAY, *beliefs), {"p": "1/4 <= p <= 1/2"})


VARIABLES = [["p", "1/4", "1/2"]]


def looping(scale: str = "1", by: int = 0) -> list[dict[str, object]]:
    return [
        root("expand"),
        after(0, 0, "subsume", by=by, scale=scale),
        after(0, 1, "subsume", by=by, scale="1/2"),
    ]


def test_rejects_a_scale_that_suits_no_value():
    # After "a" both rows are 1-p times the first ones: no constant s is that at every p.
    rejects(boxes(coin(), looping(), variables=VARIABLES, horizon="any"), coin(), r"subsume \(step 1\)")


def test_accepts_equality_and_rejects_one_part_in_1e30():
    # "b" has the probability 1/2 whatever p is; the state that shows it is forgotten at once.
    emit = {"0": {"a": "1/2", "b": "1/2"}, "1": {"a": "1/2", "b": "1/2"}}
    mix = {"0": {"0": "p", "1": "1-p"}, "1": {"0": "1-p", "1": "p"}}
    model = with_parameters(
        one_way(emit, mix, {"0": "1/2", "1": "1/2"}, {"0": "1/2", "1": "1/2"}), {"p": "0 < p < 1"}
    )
    for horizon in ("any", 3):
        accepts(boxes(model, looping("1/2"), ratio="1", horizon=horizon), model)
        for scale, side in (
            (Fraction(1, 2) - TINY, "left <= scale"),
            (Fraction(1, 2) + TINY, "right >= scale"),
        ):
            rejects(
                boxes(model, looping(str(scale)), ratio="1", horizon=horizon),
                model,
                rf"subsume \(step 1\): the coefficients do not show {side} \* \w+ of step 0 in the entry '0'",
            )


def test_is_refused_under_both():
    model = coin()
    rejects(
        boxes(model, looping("1/2"), variables=VARIABLES, horizon="any", possible="both"),
        model,
        r"subsume \(step 1\): it is not allowed under 'both'",
    )


def test_needs_an_expand_step_that_is_not_longer():
    model = coin()
    for by in (1, 2, 3, 99):
        rejects(
            boxes(model, looping("1/2", by=by), variables=VARIABLES, horizon="any"),
            model,
            rf"subsume \(step 1\): step {by} is not an expand step",
        )
    emit = {"0": {"a": "1"}}
    single = with_parameters(one_way(emit, {"0": {"0": "1"}}, {"0": "1"}, {"0": "1"}), {"p": "0 < p < 1"})
    steps = [root("expand"), after(0, 0, "subsume", by=0, scale="1")]
    accepts(boxes(single, steps, ratio="1", horizon=2), single)
    two = with_parameters(toml(emit, {"0": {"0": "1"}}, {}, [("0", "0", False)]), {"p": "0 < p < 1"})
    backwards = [
        root("subsume", by=2, scale="1"),
        root("expand", forward=False),
        after(1, 0, "expand"),
        after(2, 0, "end"),
    ]
    rejects(
        boxes(two, backwards, ratio="1", horizon=2), two, r"subsume \(step 0\): step 2 has fewer symbols left"
    )
    accepts(
        boxes(
            two,
            [
                root("subsume", by=1, scale="1"),
                root("expand", forward=False),
                after(1, 0, "expand"),
                after(2, 0, "end"),
            ],
            ratio="1",
            horizon=2,
        ),
        two,
    )


def test_the_other_box_contains_this_one():
    emit = {"0": {"a": "1/2", "b": "1/2"}}
    model = with_parameters(one_way(emit, {"0": {"0": "1"}}, {"0": "1"}, {"0": "1"}), {"p": "0 < p < 1"})

    def halves(by: int) -> list[dict[str, object]]:
        return [
            root("split", variable=0, at="1/2"),
            half(0, 0, "expand"),
            half(0, 1, "expand"),
            *(
                after(n, s, "subsume", by=n if (n, s) != (2, 0) else by, scale="1/2")
                for n in (1, 2)
                for s in (0, 1)
            ),
        ]

    accepts(boxes(model, halves(2), ratio="1", horizon="any"), model)
    rejects(
        boxes(model, halves(1), ratio="1", horizon="any"),
        model,
        r"subsume \(step 5\): the box of step 1 does not contain this one",
    )


def test_the_other_beliefs_are_possible_where_these_are():
    emit = {"0": {"a": "1"}, "1": {"a": "1"}}
    model = toml(
        emit,
        STAY,
        {"half": {"0": "1/2", "1": "1/2"}, "some": {"0": "1/(2*p)", "1": "1-1/(2*p)"}},
        [("half", "half", True), ("some", "some", True)],
    )
    model = with_parameters(model, {"p": "0 < p < 1"})
    good = [root("expand"), after(0, 0, "subsume", by=0, scale="1"), root("dominate", pair=1)]
    accepts(boxes(model, good, ratio="1", horizon="any"), model)
    bad = [
        root("expand"),
        after(0, 0, "subsume", by=2, scale="1"),
        root("expand", pair=1),
        after(2, 0, "dominate"),
    ]
    rejects(
        boxes(model, bad, ratio="1", horizon="any"),
        model,
        r"subsume \(step 1\): the beliefs of step 2 may be",
    )


def test_what_is_wrong_stays_wrong():
    model = bits("p", "1/2")
    steps = [root("expand"), after(0, 0, "subsume", by=0, scale="1"), after(0, 1, "subsume", by=0, scale="1")]
    rejects(boxes(model, steps, ratio="3/2", horizon="any"), model, r"subsume \(step 1\)")
