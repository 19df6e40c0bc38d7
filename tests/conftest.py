"""What holds for all tests."""

from __future__ import annotations

import signal

from hypothesis import settings

# A shell that starts a job in the background lets it ignore SIGINT, and programs started from here would inherit
# that: the tests that interrupt them would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says more about the machine than about faier.
settings.register_profile("faier", deadline=None)
settings.load_profile("faier")
