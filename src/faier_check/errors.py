"""What the checker raises on purpose.

Exception
├── CertificateError    the certificate does not prove its claim
└── ModelFileError      the model file is not valid, or uses what certificates do not cover yet
"""

from __future__ import annotations


class CertificateError(Exception):
    """The certificate does not prove its claim; `rule` and `step` say where, `reason` why."""

    def __init__(self, reason: str, *, rule: str = "", step: int | None = None):
        self.reason = reason
        self.rule = rule
        self.step = step
        where = rule if step is None else f"{rule} (step {step})"
        super().__init__(f"{where}: {reason}" if where else reason)


class ModelFileError(Exception):
    """The model file is not valid, or uses what this checker does not cover; `place` says where in it."""

    def __init__(self, message: str, place: str = ""):
        self.place = place
        self.message = message
        super().__init__(f"{place}: {message}" if place else message)
