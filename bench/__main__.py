"""`python -m bench [NAME ...] [--quick | --full] [--resume]`, and `python -m bench headline [--write]`."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

# One thread for faier and for its floors alike, and one process; it has to be said before numpy is imported.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "FAIER_JOBS"):
    os.environ.setdefault(_name, "1")

from . import CASES  # noqa: E402

HEADLINE = "headline"


def main(arguments: Sequence[str] | None = None) -> int:
    asked = _read(arguments)
    # A checkout measures itself, not another faier that happens to be installed.
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
    from .results import FOLDER, load

    folder = asked.output or FOLDER
    if asked.names == [HEADLINE]:
        from .headline import main as headline

        return headline(load(folder / "table.json", CASES), write=asked.write, quick=asked.quick)
    return _measure(asked, folder)


def _read(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures faier; see bench/README.md.")
    listed = ", ".join(CASES)
    parser.add_argument(
        "names", nargs="*", metavar="NAME",
        help=f"cases to run: {listed}; all by default. Or {HEADLINE}: what was measured, in a few lines",
    )
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="small sizes and 5 s for each solver query")
    size.add_argument("--full", action="store_true", help="large sizes and 300 s for each solver query")
    parser.add_argument("--resume", action="store_true", help="leave out cases that were completed at this size")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="where to write instead of bench/results")
    parser.add_argument("--write", action="store_true", help=f"with {HEADLINE}: put them into the documents")
    asked = parser.parse_args(arguments)
    if HEADLINE in asked.names:
        if asked.names != [HEADLINE] or asked.full or asked.resume or (asked.quick and not asked.write):
            parser.error(f"{HEADLINE} goes alone, or with --write (--quick: small sizes too) and --output")
    elif asked.write:
        parser.error(f"--write goes with {HEADLINE}")
    elif unknown := [name for name in asked.names if name not in CASES]:
        parser.error(f"no case is called {unknown[0]!r}; there are {listed}, and {HEADLINE}")
    return asked


def _measure(asked: argparse.Namespace, folder: Path) -> int:
    """Each row is kept as soon as it is known, and so are the cases that are not measured now."""
    from .results import Case, circumstances, keep, load
    from .row import Options, Row, WrongAnswer
    from .table import markdown, tell, write

    options = Options(asked.quick, asked.full)
    path = folder / "table.json"
    known = load(path, CASES)
    names = [
        name
        for name in asked.names or CASES
        if not (asked.resume and name in known and known[name].complete and known[name].size == options.size)
    ]
    wrong = False
    for name in names:
        rows: list[Row] = []
        about, complete = circumstances(), False
        try:
            for row in import_module(f"bench.{name}").rows(options):
                rows.append(row)
                tell(name, row)
                keep(name, Case(rows, options.size, options.limit, False, about), path, CASES)
            complete = True
        except WrongAnswer as error:
            wrong = True
            print(f"{name}: WRONG ANSWER: {error}", file=sys.stderr)
        except Exception:
            wrong = True
            print(f"{name}: ended by a mistake", file=sys.stderr)
            traceback.print_exc()
        except KeyboardInterrupt:
            print(f"{name}: interrupted; the table has what was measured until then", file=sys.stderr)
            break
        finally:
            # What ended before its first row leaves what was measured before.
            if rows:
                keep(name, Case(rows, options.size, options.limit, complete, about), path, CASES)
    cases = load(path, CASES)
    write(cases, folder)
    print(markdown({name: cases[name] for name in asked.names or CASES if name in cases}), end="")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
