"""What the live view of this process says about itself to ``/readyz``."""

from __future__ import annotations

from streaming.hub import Hub

_CODES = {"polling": "polling", "connecting": "reconnecting"}


def probe() -> str | None:
    """None, or a code: "polling" (a pooler swallows notices), "reconnecting", "stale" (the database can't be read)."""
    hubs = Hub.everywhere()
    if any(hub.stale for hub in hubs):
        return "stale"
    return next((_CODES[hub.listener.state] for hub in hubs if hub.listener.state in _CODES), None)
