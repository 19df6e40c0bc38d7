"""An event that breaks a claim with a delta: as a record, in a sentence, and as rows of a table."""

from __future__ import annotations

from fractions import Fraction

from faier.number.mass import Mass
from faier.scenario.scenario import Scenario
from faier.verdict import Event, Outcome

from .sides import sides_record
from .symbols import symbol_record
from .text import bound_above, bound_below, compact, decimal, exact_text, name_text, short, word_text

_MOST_ROWS = 24


def event_record(event: Event, scenario: Scenario) -> dict[str, object]:
    """The event as JSON: `delta` is what its words show, `ended` which of them are complete runs."""
    left, right = sides_record(event, scenario)
    return {
        "left": left,
        "right": right,
        "delta": str(event.delta),
        "words": [[symbol_record(s) for s in outcome.word] for outcome in event.outcomes],
        "ended": [outcome.ended for outcome in event.outcomes],
        "left_probability": exact_text(event.left_probability),
        "right_probability": exact_text(event.right_probability),
    }


def event_text(event: Event) -> str:
    """Who is told apart, by which words, and how likely these are on each side."""
    sides = f"{name_text(event.left)} against {name_text(event.right)}"
    words = (
        _outcome_text(event.outcomes[0])
        if len(event.outcomes) == 1
        else f"one of {len(event.outcomes):,} words has probability"
    )
    return f"{sides}: {words} {short(event.left_probability)} against {short(event.right_probability)}"


def mass_text(mass: Mass) -> str:
    """The amount for people: exact, with a decimal where that says more."""
    if (value := mass.exact) is not None:
        return short(value)
    text = str(mass)
    about = decimal(mass.below, 10)
    return f"{text} (about {about})" if len(text) <= 60 else f"about {about}"


def between_text(lower: Fraction, upper: Fraction) -> str:
    """A number, or what it lies between."""
    if lower == upper:
        return short(lower)
    return f"between {bound_below(lower)} and {bound_above(upper)}"


def event_rows(event: Event) -> list[tuple[str, str]]:
    """Each outcome with what it is, and at the end how many are not shown."""
    shown = [(word_text(o.word), "complete run" if o.ended else "") for o in event.outcomes[:_MOST_ROWS]]
    if len(event.outcomes) > _MOST_ROWS:
        shown.append((f"... {len(event.outcomes) - _MOST_ROWS:,} more ...", ""))
    return shown


def event_facts(event: Event) -> list[tuple[str, str]]:
    """What stands below the words."""
    return [
        ("left", compact(event.left_probability)),
        ("right", compact(event.right_probability)),
        ("delta shown", mass_text(event.delta)),
    ]


def _outcome_text(outcome: Outcome) -> str:
    return f"{'the complete run' if outcome.ended else 'the word'} {word_text(outcome.word)} has probability"
