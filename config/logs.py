"""Django's LOGGING: plain lines on stderr; whoever runs us (supervisor, container, systemd) keeps them."""

from __future__ import annotations

from typing import Any


def to_stderr(level: str) -> dict[str, Any]:
    """A dictConfig that writes lines of at least ``level``."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # django would mail or print its own way; these two print every fetch and every request
            "django": {"handlers": [], "propagate": True},
            "procrastinate": {"level": "WARNING"},
            # httpx would print each address, query included
            "httpx": {"level": "WARNING"},
            "daphne": {"level": "WARNING"},
        },
    }
