"""Evidence, refutations and brackets as records, as sentences, and as facts for a terminal."""

from __future__ import annotations

import math
from collections.abc import Hashable

from faier.combined import Bracket, Learned, Refutation
from faier.evidence import Evidence
from faier.model.stream import Letter

from .facts import Facts
from .records import Record, bounds_record, symbol_record, tight_record
from .rounding import log_above, log_below
from .sentences import tight_sentence
from .text import decimal, exact_text, short, word_text

_PROVES_NOTHING = "this proves nothing: another pair or event may tell more"
_MOST_WORDS = 1000


def evidence_record(found: Evidence) -> Record:
    """The evidence as JSON."""
    return {
        "faier": 1,
        "kind": "evidence",
        "rejected": found.rejected,
        "epsilon": found.epsilon,
        "p_value": found.p_value,
        "lower_bound": found.lower_bound,
        "confidence": found.confidence,
        "left": symbol_record(found.left),
        "right": symbol_record(found.right),
        "event": _event(found.event),
        "event_text": found.event_text,
        "bound": {
            "left": symbol_record(found.bound_left),
            "right": symbol_record(found.bound_right),
            "event": _event(found.bound_event),
            "event_text": found.bound_event_text,
            "estimate": found.estimate,
        },
        "samples": found.samples,
        "drawn": found.drawn,
        "pairs": found.pairs,
        "events": found.events,
        "seed": found.seed,
        "complete": found.complete,
        "reason": found.reason,
        "seconds": float(found.seconds),
    }


def evidence_sentence(found: Evidence) -> str:
    """The evidence in one line that starts with "rejected", "not rejected" or "stopped"."""
    bound = f"epsilon is at least {_down(found.lower_bound)} with confidence {found.confidence:g}"
    if not found.complete:
        return f"stopped: {found.reason}"
    if found.epsilon is None:
        return f"{bound}: {_shown(found.bound_left)} against {_shown(found.bound_right)}, {found.bound_event_text}"
    told = f"{_shown(found.left)} against {_shown(found.right)}, {found.event_text}"
    if found.rejected:
        return f"rejected: epsilon {found.epsilon:g} (p-value {_p(found.p_value)}): {told}; {bound}"
    return (
        f"not rejected: epsilon {found.epsilon:g} (p-value {_p(found.p_value)}); {bound}; {_PROVES_NOTHING}"
    )


def evidence_facts(found: Evidence) -> Facts:
    """What stands below the sentence."""
    facts: Facts = []
    if found.epsilon is not None:
        facts += [
            ("pair", f"{_shown(found.left)} against {_shown(found.right)}"),
            ("event", found.event_text),
        ]
    facts += [
        (
            "bound from",
            f"{_shown(found.bound_left)} against {_shown(found.bound_right)}: {found.bound_event_text}",
        ),
        ("searched", f"{found.pairs:,} pairs, {found.events:,} events"),
        ("samples", f"{found.samples:,} fresh ones on each side to judge, {found.drawn:,} drawn in all"),
        ("seed", str(found.seed)),
        ("seconds", f"{found.seconds:.3g}"),
    ]
    return facts


def refutation_record(found: Refutation) -> Record:
    """The refutation as JSON."""
    infinite = isinstance(found.ratio, float)
    epsilon = "infinity" if infinite else float(f"{_epsilon(found):.12g}")
    return {
        "faier": 1,
        "kind": "refutation",
        "claim": float(found.claim),
        "outcome": "confirmed" if found.confirmed else "refuted",
        "exact": {"ratio": "infinity" if infinite else exact_text(found.ratio), "epsilon": epsilon},
        "left": symbol_record(found.left),
        "right": symbol_record(found.right),
        "event": _event(found.event),
        "left_probability": exact_text(found.left_probability),
        "right_probability": exact_text(found.right_probability),
        "seconds": float(found.seconds),
    }


def refutation_sentence(found: Refutation) -> str:
    """The refutation in one line that starts with "confirmed" or "refuted"."""
    outcome = "confirmed" if found.confirmed else "refuted"
    shows = "every epsilon"
    if not isinstance(found.ratio, float):
        shows = f"epsilon ln({short(found.ratio)}), about {_epsilon(found):.7f}"
    return (
        f"{outcome}: the event shows {shows}, {'at least' if found.confirmed else 'less than'} the claimed "
        f"{decimal(found.claim, 10)}: {short(found.left_probability)} for {_shown(found.left)} against "
        f"{short(found.right_probability)} for {_shown(found.right)}"
    )


def refutation_facts(found: Refutation) -> Facts:
    """What stands below the sentence."""
    words = len(found.event)
    return [
        (
            "event",
            ", ".join(_word(w) for w in found.event[:6]) + (f" and {words - 6} more" if words > 6 else ""),
        ),
        ("left", f"{_shown(found.left)}: {short(found.left_probability)}"),
        ("right", f"{_shown(found.right)}: {short(found.right_probability)}"),
        ("ratio", short(found.ratio)),
        ("seconds", f"{found.seconds:.3g}"),
    ]


def bracket_record(found: Bracket) -> Record:
    """The bracket as JSON."""
    record: Record = {"faier": 1, "kind": "bracket", "proved": found.tight is not None}
    if found.tight is not None:
        tight = tight_record(found.tight)
        record |= {k: v for k, v in tight.items() if k not in ("faier", "kind", "certificate", "seconds")}
    record |= {
        "evidence": None if found.evidence is None else evidence_record(found.evidence),
        "learned": None if found.learned is None else _learned(found.learned),
        "moves": [{"text": move.text, "ratio": bounds_record(move.ratio)} for move in found.moves],
        "seconds": float(found.seconds),
    }
    return record


def bracket_sentence(found: Bracket) -> str:
    """The bracket in one line; one that was only learned says so."""
    if found.tight is not None:
        return tight_sentence(found.tight)
    assert found.learned is not None
    learned = found.learned
    if learned.confidence is None:
        return (
            f"estimate, not proved: epsilon about {learned.high:.4f}, that of a learned hidden Markov model"
        )
    outputs = "output that was" if learned.outputs == 1 else "outputs that were"
    high = "no finite number" if math.isinf(learned.high) else f"{learned.high:.4f}"
    return (
        f"estimate, not proved: epsilon between {_down(learned.low)} and {high} with confidence "
        f"{learned.confidence:g}, "
        f"for the {learned.outputs:,} {outputs} seen; of others nothing is known"
    )


def bracket_facts(found: Bracket) -> Facts:
    """How the interval closed, move by move."""
    facts: Facts = []
    for number, move in enumerate(found.moves, 1):
        low, high = move.ratio.lower, move.ratio.upper
        bounds = ""
        if low != 0:
            bounds = f"; certified: epsilon >= {log_below(low):.7f}"
            if low == math.inf:
                bounds = "; certified: no epsilon exists"
            elif high == low:
                bounds = f"; certified: epsilon = {log_above(high):.7f}"
        facts.append((f"move {number}", move.text + bounds))
    if found.learned is not None:
        facts.append(
            ("learned", f"a {found.learned.kind} from {found.learned.samples:,} samples: an estimate")
        )
    facts.append(("seconds", f"{found.seconds:.3g}"))
    return facts


def _learned(found: Learned) -> Record:
    return {
        "kind": found.kind,
        "estimate": True,
        "low": found.low if math.isfinite(found.low) else "infinity",
        "high": found.high if math.isfinite(found.high) else "infinity",
        "confidence": found.confidence,
        "outputs": found.outputs,
        "samples": found.samples,
    }


def _event(event: tuple[Hashable, ...] | None) -> object:
    """An event as a list of words, which are lists of symbols; null where it is not listed, or too long."""
    if event is None or len(event) > _MOST_WORDS:
        return None
    return [symbol_record(w) if isinstance(w, tuple) else [symbol_record(w)] for w in event]


def _epsilon(found: Refutation) -> float:
    assert not isinstance(found.ratio, float)
    return (log_below(found.ratio) + log_above(found.ratio)) / 2


def _word(word: Hashable) -> str:
    """A word of an event; what a stream was asked stands beside its answers, as in a verdict."""
    if not isinstance(word, tuple):
        return _shown(word)
    if any(isinstance(symbol, Letter) for symbol in word):
        return word_text(word)
    # A word of one symbol is shown as that symbol.
    return _shown(word[0] if len(word) == 1 else word)


def _shown(data: object) -> str:
    return data if isinstance(data, str) else repr(data)


def _down(value: float) -> str:
    return f"{math.floor(value * 10**6) / 10**6:g}"


def _p(value: float | None) -> str:
    return "none" if value is None else f"{value:.2g}"
