"""JSON without room for two readings: no duplicate keys, floats or NaN, and only the fields asked for."""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from typing import NoReturn

from .errors import CertificateError
from .number import brief, read_exact

MOST_DIGITS = 18


def read_json(text: bytes) -> object:
    """The one meaning of a JSON text, or CertificateError."""
    try:
        return json.loads(
            text.decode("utf-8"),
            object_pairs_hook=_object,
            parse_float=_float,
            parse_int=_int,
            parse_constant=_float,
        )
    except UnicodeDecodeError:
        raise CertificateError("the certificate is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise CertificateError(f"the certificate is not JSON: {error}") from None
    except RecursionError:
        raise CertificateError("the certificate is nested too deeply") from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise CertificateError(f"the key {key[:60]!r} stands twice in one object")
            seen.add(key)
    return found


def _float(text: str) -> NoReturn:
    raise CertificateError(f"exact numbers are strings or integers, got {text[:60]}")


def _int(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise CertificateError("an integer is too long; exact numbers are strings")
    return int(text)


def fields(
    value: object, place: str, required: Iterable[str], optional: Iterable[str] = ()
) -> dict[str, object]:
    """An object with all of the required fields and no others than these and the optional ones."""
    if not isinstance(value, dict):
        raise CertificateError(f"{place} must be an object")
    required = tuple(required)
    for name in required:
        if name not in value:
            raise CertificateError(f"{place} lacks the field {name!r}")
    if len(value) > len(required):
        allowed = {*required, *optional}
        for name in value:
            if name not in allowed:
                raise CertificateError(f"{place} has the unknown field {name[:60]!r}")
    return value


def integer(value: object, place: str, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise CertificateError(f"{place} must be an integer")
    if value < least:
        raise CertificateError(f"{place} must be at least {least}, got {value}")
    return value


def boolean(value: object, place: str) -> bool:
    if not isinstance(value, bool):
        raise CertificateError(f"{place} must be true or false")
    return value


def string(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise CertificateError(f"{place} must be a string")
    return value


def array(value: object, place: str) -> list[object]:
    if not isinstance(value, list):
        raise CertificateError(f"{place} must be an array")
    return value


def rational(value: object, place: str, *, positive: bool = False) -> Fraction:
    """A non-negative exact number (or a positive one)."""
    number = signed(value, place)
    if number < 0 or (positive and number == 0):
        raise CertificateError(
            f"{place} must be {'positive' if positive else 'at least 0'}, got {brief(number)}"
        )
    return number


def signed(value: object, place: str) -> Fraction:
    text = string(value, place)
    try:
        return read_exact(text)
    except ValueError as error:
        raise CertificateError(f"{place} {error}: {text[:60]!r}") from None
