"""Writing the certificate of a result, once the result is known and before it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faier.errors import UsageError

from .output import Target, warn

if TYPE_CHECKING:
    from faier.verdict import Tight, Verdict


def reserve(path: str | None, *, source: str) -> Target | None:
    """Raise before the search where the certificate could not be written after it."""
    if path is None:
        return None
    if path in ("", "-"):
        raise UsageError("--certificate takes the name of a file; stdout is for the verdict")
    return Target.reserve(path, source=source)


def save(result: Verdict | Tight, target: Target | None) -> str | None:
    """Write the certificate and return its path; None, with a warning, where there is none.

    A result that was found is never lost because its certificate could not be written.
    """
    if target is None:
        return None
    from faier.certificate import certify, dump

    try:
        certificate = certify(result)
        target.write(lambda path: dump(certificate, path))
    except (UsageError, OSError) as error:
        warn(f"no certificate was written to {target.path}: {error}")
        return None
    return target.path
