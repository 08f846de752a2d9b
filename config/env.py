"""Reads settings from the environment: typed, bounded, and each one registered under its name.

A wrong value must stop the start with one sentence and no traceback, whoever starts us (manage.py, daphne, pytest).
`WrongSetting` is therefore a `SystemExit`: the interpreter prints its text to stderr and ends with status 1.

`REGISTRY` holds every variable that was asked for, so that a test can compare it with the documentation.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlsplit

T = TypeVar("T")


class WrongSetting(SystemExit):
    """An environment variable has a value that Sheaf can't use."""


@dataclass(frozen=True)
class Variable:
    """One setting of the environment. `default` is what a person would have to type to get the default."""

    name: str
    kind: str
    default: str
    allowed: str
    purpose: str
    secret: bool = False


REGISTRY: dict[str, Variable] = {}

environ: Mapping[str, str] = os.environ


def _read(variable: Variable, parse: Callable[[str], T], default: T) -> T:
    """Register `variable` and parse what the environment says; unset and empty both mean the default."""
    known = REGISTRY.setdefault(variable.name, variable)
    if known != variable:
        raise AssertionError(f"{variable.name} is declared twice, differently")
    given = environ.get(variable.name, "").strip()
    if not given:
        return default
    try:
        return parse(given)
    except ValueError:
        shown = "is set, but not to a usable value (not shown, it is a secret)" if variable.secret else f"is {given!r}"
        raise WrongSetting(f"{variable.name} {shown}: it must be {variable.allowed}.") from None


def text(name: str, default: str, purpose: str, *, choices: tuple[str, ...] = (), secret: bool = False) -> str:
    """A string; with `choices`, one of them."""

    def parse(given: str) -> str:
        if choices and given not in choices:
            raise ValueError
        return given

    allowed = f"one of {', '.join(choices)}" if choices else "a text"
    return _read(Variable(name, "text", default, allowed, purpose, secret), parse, default)


def integer(name: str, default: int, purpose: str, *, low: int, high: int) -> int:
    """A whole number, `low` and `high` included."""

    def parse(given: str) -> int:
        number = int(given)
        if not low <= number <= high:
            raise ValueError
        return number

    return _read(
        Variable(name, "integer", str(default), f"a whole number from {low} to {high}", purpose), parse, default
    )


def seconds(name: str, default: float, purpose: str, *, low: float = 0.0, high: float = 86400.0) -> float:
    """A length of time in seconds, fractions allowed, `low` and `high` included."""

    def parse(given: str) -> float:
        number = float(given)
        if not low <= number <= high:  # also refuses nan
            raise ValueError
        return number

    return _read(
        Variable(name, "seconds", f"{default:g}", f"seconds from {low:g} to {high:g}", purpose), parse, default
    )


def boolean(name: str, default: bool, purpose: str) -> bool:
    """Yes or no."""
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}

    def parse(given: str) -> bool:
        if given.lower() not in words:
            raise ValueError
        return words[given.lower()]

    return _read(Variable(name, "boolean", "1" if default else "0", "1 or 0", purpose), parse, default)


def words(name: str, default: list[str], purpose: str) -> list[str]:
    """A list of texts, separated by commas."""

    def parse(given: str) -> list[str]:
        return [part.strip() for part in given.split(",") if part.strip()]

    return _read(Variable(name, "list", ",".join(default), "texts separated by commas", purpose), parse, list(default))


def patterns(name: str, purpose: str) -> list[str]:
    """Regular expressions, separated by white space (inside one, write it as \\s); none of them unless given."""

    def parse(given: str) -> list[str]:
        try:
            return [re.compile(part).pattern for part in given.split()]
        except re.error:
            raise ValueError from None

    return _read(Variable(name, "patterns", "", "regular expressions separated by spaces", purpose), parse, [])


def url(name: str, default: str, purpose: str, *, schemes: tuple[str, ...], secret: bool = False) -> str:
    """An address with one of `schemes`; `secret` when it may carry a password."""

    def parse(given: str) -> str:
        parts = urlsplit(given)
        empty = not (parts.netloc or parts.path.strip("/") or parts.query) and parts.scheme != "console"
        if parts.scheme not in schemes or empty:
            raise ValueError
        return given

    allowed = "an address that begins with " + " or ".join(f"{scheme}://" for scheme in schemes)
    return _read(Variable(name, "url", default, allowed, purpose, secret), parse, default)
