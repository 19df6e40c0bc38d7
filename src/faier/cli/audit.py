"""`faier audit`: test a claim by sampling."""

from __future__ import annotations

from typing import Literal

import click

from faier.errors import SamplerError, UsageError

from . import failure, inputs, options


@click.command("audit")
@click.argument("target", required=False)
@click.option(
    "--epsilon",
    "-e",
    metavar="E",
    help='The claim to test, such as 0.7 or "ln 2"; without it only a bound is given.',
)
@inputs.pairs
@inputs.sampling
@click.option(
    "--horizon",
    type=click.IntRange(min=1),
    metavar="N",
    help="Of a model: how many observations are sampled.",
)
@click.option(
    "--classifier",
    type=click.Choice(["logistic", "perceptron", "none"]),
    default="logistic",
    show_default=True,
    help="Which classifier proposes events beside the others.",
)
@click.option(
    "--finalists",
    type=int,
    default=1,
    show_default=True,
    help="Judge the best events of so many pairs, corrected for their number.",
)
@click.option(
    "--curve", metavar="OUT", help="Write p-values for a sweep of epsilons to this file, .csv or .svg."
)
@options.fixed
@options.size_limit
@options.as_json
def command(
    target: str | None,
    epsilon: str | None,
    pairs_file: str | None,
    length: int | None,
    span: str,
    move: Literal["patterns", "each", "one"],
    samples: int,
    seed: int,
    confidence: float,
    external: str | None,
    command_timeout: float,
    horizon: int | None,
    classifier: Literal["logistic", "perceptron", "none"],
    finalists: int,
    curve: str | None,
    fixed: tuple[tuple[str, str], ...],
    size_limit: int | None,
    as_json: bool,
) -> int:
    """Test by sampling whether TARGET keeps an epsilon: evidence, never a proof.

    TARGET is a model file, or file.py:name of a scenario, a mechanism, or a function of a data set; --command samples
    from another program. Inputs and an event are chosen on one sample and judged on a fresh one.

    Exit status: 0 not rejected, 1 rejected, 2 wrong usage or a sampler that fails.

    \b
    Examples:
      faier audit mechanism.py:release --length 5 --range 0..2 --epsilon 1.3
      faier audit model.toml --epsilon "ln 2" --samples 1000000
      faier audit --command "python release.py" --pairs pairs.json --epsilon 1
    """
    from faier.auditing.audit import audit
    from faier.testing import read_test_epsilon

    from .output import Target, emit_json, emit_result, note
    from .sampled import printing_to_stderr, subject_of

    claimed = None if epsilon is None else read_test_epsilon(epsilon)
    tried = inputs.read_inputs(pairs_file, length, span, move)
    drawn = None if curve is None else Target.reserve(curve, source=target or curve + ".none")
    if drawn is not None and not drawn.path.endswith((".csv", ".svg")):
        raise UsageError(f"a curve is written as .csv or .svg, got {drawn.path}")
    try:
        with printing_to_stderr():
            what = subject_of(target, external, command_timeout, tried, horizon, fixed, size_limit)
            if what.scenario is not None and what.scenario.claim.delta:
                note("the delta of the claim plays no part: whether epsilon alone is kept is what is tested")
            found = audit(
                what.sampler,
                what.pairs,
                epsilon=claimed,
                samples=samples,
                seed=seed,
                confidence=confidence,
                keep=what.keep,
                first=what.first,
                classifier=None if classifier == "none" else classifier,
                finalists=finalists,
                one_way=what.one_way,
            )
    except SamplerError as error:
        if error.partial is not None and error.partial.events:
            partial = error.partial
            note(
                f"before that: {partial.drawn:,} samples drawn; best so far {partial.bound_event_text}, not judged"
            )
        raise
    if drawn is not None:
        from .sampled import write_curve

        write_curve(drawn, what, found, samples, seed)
    if as_json:
        from faier.report.evidence import evidence_record

        emit_json(evidence_record(found))
    else:
        from faier.report.evidence import evidence_facts, evidence_sentence
        from faier.report.terminal import facts_view

        emit_result(evidence_sentence(found), facts_view(evidence_facts(found)))
    return failure.VIOLATED if found.rejected else failure.HOLDS
