"""`faier measure`: other measures of what is told apart."""

from __future__ import annotations

from typing import Literal

import click

from . import failure, options


@click.command("measure")
@click.argument("file")
@click.option("--renyi", metavar="A", help="The Renyi divergence of this order, such as 2 or 3/2.")
@click.option("--zcdp", is_flag=True, help="The constant rho of zero-concentrated privacy.")
@click.option("--trade-off", is_flag=True, help="The least type II error for every type I error (f-DP).")
@click.option("--leakage", is_flag=True, help="Bayes capacity, min-entropy leakage and mutual information.")
@options.horizon
@options.fixed
@click.option("--tolerance", metavar="T", default="1e-6", show_default=True, help="The relative width of an enclosure.")
@options.seconds
@options.size_limit
@options.as_json
def command(
    file: str,
    renyi: str | None,
    zcdp: bool,
    trade_off: bool,
    leakage: bool,
    horizon: int | Literal["any"] | None,
    fixed: tuple[tuple[str, str], ...],
    tolerance: str,
    timeout: float | None,
    size_limit: int | None,
    as_json: bool,
) -> int:
    """Measure FILE by one of --renyi, --zcdp, --trade-off and --leakage.

    All but the leakage are of the worst pair and direction; the secrets of the leakage are all compared beliefs,
    equally likely. Exact where the result is rational, enclosed where there are logarithms.

    Exit status: 0 found, 3 only a wider enclosure was reached, 2 wrong usage or an invalid file.

    \b
    Examples:
      faier measure contagious.toml --renyi 2
      faier measure contagious.toml --trade-off --json
    """
    from faier import api
    from faier.errors import UsageError
    from faier.measures import Concentrated, Measure, Renyi

    from .output import emit_json, emit_result
    from .source import read

    if sum((renyi is not None, zcdp, trade_off, leakage)) != 1:
        raise UsageError("give one of --renyi, --zcdp, --trade-off and --leakage")
    scenario, left = read(file, size_limit=size_limit, horizon=horizon, fixed=fixed, timeout=timeout)
    found: Measure
    if renyi is not None:
        found = api.renyi(scenario, renyi, tolerance=tolerance, timeout=left)
    elif zcdp:
        found = api.zcdp(scenario, tolerance=tolerance, timeout=left)
    elif trade_off:
        found = api.tradeoff(scenario, timeout=left)
    else:
        found = api.leakage(scenario, timeout=left)
    if as_json:
        from faier.report.measures import measure_record

        emit_json(measure_record(found))
    else:
        from faier.report.measures import measure_sentence
        from faier.report.terminal import measure_view

        emit_result(measure_sentence(found), measure_view(found))
    return failure.UNKNOWN if isinstance(found, Renyi | Concentrated) and not found.complete else failure.HOLDS
