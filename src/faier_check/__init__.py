"""The independent checker of faier's certificates: Python's standard library, and no line shared with faier.

>>> proved = check("certificate.json", "model.toml")        # doctest: +SKIP
"""

from .check import Proved, check
from .errors import CertificateError, ModelFileError
from .limits import Limits

__all__ = ["CertificateError", "Limits", "ModelFileError", "Proved", "check"]
