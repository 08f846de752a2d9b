"""The harness's own way to a database that is away now and then, and a record of when it was."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

T = TypeVar("T")


def insist(function: Callable[..., T], *args, patience_s: float = 120, **kwargs) -> T:
    """Call it until the database answers. It must bear being called twice."""
    until = time.monotonic() + patience_s
    while True:
        try:
            return function(*args, **kwargs)
        except (OperationalError, InterfaceError):
            connection.close()
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


class Downtime:
    """When the database was away, in seconds of ``time.time``."""

    def __init__(self):
        self._spans: list[tuple[float, float]] = []

    def note(self, began: float, ended: float) -> None:
        self._spans.append((began, ended))

    def disturbed(self, began: float, ended: float) -> bool:
        """Whether it was away, or cut connections, in this time."""
        return any(since <= ended and to >= began for since, to in self._spans)

    def within(self, began: float, ended: float) -> float:
        return sum(max(0.0, min(ended, to) - max(began, since)) for since, to in self._spans)
