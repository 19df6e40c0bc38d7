"""Writing the certificate of a result, once the result is known and before it is shown."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from faier.errors import FaierError, UsageError

from .output import Target, warn, write_text

if TYPE_CHECKING:
    from faier.approximate import Profile
    from faier.verdict import Holds, Tight, Verdict


def reserve(path: str | None, *, source: str) -> Target | None:
    """Raise before the search where the certificate could not be written after it."""
    if path is None:
        return None
    if path in ("", "-"):
        raise UsageError("--certificate takes the name of a file; stdout is for the verdict")
    return Target.reserve(path, source=source)


def save(result: Verdict | Tight | Profile, target: Target | None) -> str | None:
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


def reserve_with_model(path: str | None, *, source: str) -> tuple[Target, Target] | None:
    """`reserve`, and a file beside it for the model that the certificate will be about."""
    target = reserve(path, source=source)
    if target is None:
        return None
    return target, Target.reserve(f"{os.path.splitext(target.path)[0]}.model.toml", source=source)


def save_with_model(proof: Holds | None, targets: tuple[Target, Target] | None) -> tuple[str | None, str | None]:
    """Write a certificate and the model file that it is about; their paths, or None and None with a warning."""
    if targets is None:
        return None, None
    certificate, model = targets
    if proof is None:
        warn(f"no certificate was written to {certificate.path}: nothing was proved to be safe")
        return None, None
    from faier.model.toml_write import dumps

    try:
        write_text(model, dumps(proof.scenario))
    except (FaierError, OSError) as error:
        warn(f"no certificate was written to {certificate.path}, as its model was not: {error}")
        return None, None
    written = save(proof, certificate)
    return written, None if written is None else model.path
