"""Django's LOGGING: plain lines on stderr; whoever runs us (supervisor, container, systemd) keeps them.

What the batch's log never shows (``tasks.masking``) is not shown here either, tracebacks included.
"""

from __future__ import annotations

import logging
from typing import Any


class MaskingFormatter(logging.Formatter):
    """Masks the message and what follows it. Not the whole line: the name of a logger such as ``config.secret`` with
    a colon behind it would make a secret of every first word."""

    def format(self, record: logging.LogRecord) -> str:
        if record.exc_text:  # made by the formatter of another handler, and kept in the record
            record.exc_text = _masked(record.exc_text)
        return super().format(record)

    def formatMessage(self, record: logging.LogRecord) -> str:
        record.message = _masked(record.message)
        return super().formatMessage(record)

    def formatException(self, ei) -> str:
        return _masked(super().formatException(ei))

    def formatStack(self, stack_info: str) -> str:
        return _masked(super().formatStack(stack_info))


def _masked(text: str) -> str:
    from tasks.masking import masked  # reads the settings, which name this module

    return masked(text)


def to_stderr(level: str) -> dict[str, Any]:
    """A dictConfig that writes lines of at least ``level``."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {"()": "config.logs.MaskingFormatter", "fmt": "%(asctime)s %(levelname)s %(name)s: %(message)s"}
        },
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
