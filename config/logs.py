"""Django's LOGGING: lines on stderr, plain or as JSON; whoever runs us (supervisor, container, systemd) keeps them.

What the batch's log never shows (``tasks.log.masking``) is not shown here either, tracebacks included.
"""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any

FORMATS = ("lines", "json")
#: Characters of a message, and of a traceback.
LONGEST = 8 * 1024
#: What `logging` itself puts on a record: anything else was given as `extra`, and is worth a field.
_STOCK = {*logging.makeLogRecord({}).__dict__, "message", "asctime", "taskName"}


class RefusalFilter(logging.Filter):
    """A page that was refused (400, 403, 404) is no fault of ours: its line says so, a traceback would deny it."""

    def filter(self, record: logging.LogRecord) -> bool:
        if 400 <= getattr(record, "status_code", 0) < 500:
            record.exc_info = record.exc_text = None
        return True


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


class JsonFormatter(MaskingFormatter):
    """One object a line: {"at", "level", "logger", "message", "process", "host", "pid"}, and "exception", "stack" and
    the values given as ``extra`` where there are any. Each text is masked by itself, so that the line stays JSON."""

    def __init__(self, process: str, host: str):
        super().__init__()
        self._source = {"process": process, "host": host}

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _masked(record.getMessage()),
            **self._source,
            "pid": record.process,
        }
        for name, value in record.__dict__.items():
            if name not in _STOCK and name not in said:
                said[name] = value if isinstance(value, bool | int | float | None) else _masked(str(value))
        if record.exc_info:
            said["exception"] = self.formatException(record.exc_info)
        elif record.exc_text:
            said["exception"] = _masked(record.exc_text)
        if record.stack_info:
            said["stack"] = self.formatStack(record.stack_info)
        return json.dumps(said, ensure_ascii=False)


def _masked(text: str) -> str:
    """Cut, then masked. Whoever asks for an address of 16 KB, or makes an error with one in it, writes 8 of them."""
    from tasks.log.masking import masked  # reads the settings, which name this module

    if len(text) > LONGEST:
        half = LONGEST // 2
        text = f"{text[:half]} … {len(text) - LONGEST} more characters … {text[-half:]}"
    return masked(text)


def to_stderr(level: str, form: str = "lines", *, process: str = "", host: str = "") -> dict[str, Any]:
    """A dictConfig that writes lines of at least ``level``; ``form`` is one of FORMATS."""
    plain = {"()": "config.logs.MaskingFormatter", "fmt": "%(asctime)s %(levelname)s %(name)s: %(message)s"}
    structured = {"()": "config.logs.JsonFormatter", "process": process, "host": host}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": structured if form == "json" else plain},
        "filters": {"refusals": {"()": "config.logs.RefusalFilter"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["refusals"]}},
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
