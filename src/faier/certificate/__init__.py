"""Certificates: what lets a stranger re-check a result. The format is docs/certificates.md."""

from .write import certify, dump

__all__ = ["certify", "dump"]
