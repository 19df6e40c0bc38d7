"""`python worker.py SOLVER`: the process in which a solver runs.

Reads one request as JSON from stdin and writes one reply to stdout. It is run as a file, and loads the
solver's back end as one, so that it starts without importing the rest of faier.
"""

from __future__ import annotations

import json
import math
import os
import signal
import sys
import threading
import time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

_SET_PARENT_DEATH_SIGNAL = 1


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    request = json.load(sys.stdin)
    _die_with_parent(request["seconds"])
    spec = spec_from_file_location("backend", Path(__file__).with_name(f"{sys.argv[1]}_backend.py"))
    assert spec is not None
    assert spec.loader is not None
    backend = module_from_spec(spec)
    spec.loader.exec_module(backend)
    reply = backend.check(
        request["logic"], request["script"], request["asked"], request["only_polynomials"]
    )
    json.dump(reply, sys.stdout)


def _die_with_parent(seconds: float | None) -> None:
    """Leave no solver behind when the parent is killed: it cannot kill us then."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    else:
        # cvc5 lets no other thread run while it works; the alarm below is what ends it elsewhere.
        threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()
    if seconds is not None and hasattr(signal, "alarm"):
        # The default action ends the process even inside the solver, where no Python code runs.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(min(math.ceil(seconds) + 5, 2**31 - 1))


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


if __name__ == "__main__":
    main()
