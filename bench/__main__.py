"""`python -m bench [NAME ...] [--quick | --full]`."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

# One thread for faier and for its floors alike; it has to be said before numpy is imported.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

CASES = (
    "channels", "above_threshold", "noisy_max_5", "exchangeable", "random_finite", "random_any", "lengths", "sparse",
    "cnf", "long",
    "unknown_rates", "unknown_growth", "contagion", "audit", "accountant",
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures faier; see bench/README.md.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"cases to run: {', '.join(CASES)}; all by default")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="small sizes and 5 s for each solver query")
    size.add_argument("--full", action="store_true", help="large sizes and 300 s for each solver query")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="where to write instead of bench/results")
    asked = parser.parse_args(arguments)
    if unknown := [name for name in asked.names if name not in CASES]:
        parser.error(f"no case is called {unknown[0]!r}; there are {', '.join(CASES)}")

    # A checkout measures itself, not another faier that happens to be installed.
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
    from .row import Options, Row, WrongAnswer
    from .table import RESULTS, tell, write

    options = Options(asked.quick, asked.full)
    table: dict[str, list[Row]] = {}
    wrong = False
    for name in asked.names or CASES:
        table[name] = []
        try:
            for row in import_module(f"bench.{name}").rows(options):
                table[name].append(row)
                tell(name, row)
        except WrongAnswer as error:
            wrong = True
            print(f"{name}: WRONG ANSWER: {error}", file=sys.stderr)
        except Exception:
            # What was measured before, which may be an hour's work, is written all the same.
            wrong = True
            print(f"{name}: ended by a mistake", file=sys.stderr)
            traceback.print_exc()
        except KeyboardInterrupt:
            print(f"{name}: interrupted; the table has what was measured until then", file=sys.stderr)
            break
    print(write(table, options, asked.output or RESULTS), end="")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
