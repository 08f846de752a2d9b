"""The mail server, from one address: smtp://user:password@host:587, smtps://host, console:// for development.

smtp:// begins in the clear and turns to TLS (STARTTLS), unless ?tls=none says that the server has none; smtps:// is TLS
from the start.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from config.env import WrongSetting

SCHEMES = ("smtp", "smtps", "console")
TIMEOUT_S = 20


def configured(url: str) -> dict[str, Any]:
    """Django's settings for ``url``; of an empty one, a backend that sends nothing."""
    if not url:
        return {"EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
    parts = urlsplit(url)
    if parts.scheme == "console":
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    tls = parse_qs(parts.query).get("tls", ["starttls"])[0]
    if not host or tls not in ("starttls", "none"):
        raise WrongSetting("SHEAF_MAIL_URL must be like smtp://user:password@host:587 (?tls=none if it has no TLS).")
    secure = parts.scheme == "smtps"
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": host,
        "EMAIL_PORT": port or (465 if secure else 587),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": secure,
        "EMAIL_USE_TLS": not secure and tls == "starttls",
        "EMAIL_TIMEOUT": TIMEOUT_S,
    }
