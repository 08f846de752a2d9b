"""Turns DATABASE_URL, or the address of the embedded server, into Django's DATABASES entry."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from config.env import WrongSetting

_DJANGO_NAMES = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}


def entry(url: str, *, application_name: str, conn_max_age_s: int, tcp_user_timeout_s: float) -> dict[str, Any]:
    """DATABASES["default"] for a PostgreSQL URL.

    A dead peer must be noticed within seconds, not after the two hours of the kernel's default: hence keep-alives
    and tcp_user_timeout (both ignored on a unix socket). What the URL itself says about them wins.
    """
    try:
        given = conninfo_to_dict(url)
    except ProgrammingError:
        given = {}
    if not given.get("dbname") or not all(part.isdigit() for part in str(given.get("port", "0")).split(",")):
        raise WrongSetting(
            "DATABASE_URL can't be read: it must look like postgresql://user:password@host:5432/name."
        ) from None
    known = {django: str(given.pop(libpq)) for libpq, django in _DJANGO_NAMES.items() if given.get(libpq) is not None}
    options = {
        "application_name": application_name,
        "connect_timeout": 10,
        "keepalives": 1,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": int(tcp_user_timeout_s * 1000),
    }
    return {
        "ENGINE": "django.db.backends.postgresql",
        **known,
        "OPTIONS": {**options, **given},
        "CONN_MAX_AGE": conn_max_age_s,
        "CONN_HEALTH_CHECKS": True,
    }


def url_of(settings_dict: dict[str, Any]) -> str:
    """The PostgreSQL URL of a DATABASES entry, fit for DATABASE_URL of a process we start and for raw connections.

    Everything but the database's name goes into the query part: there a folder (unix socket) needs no exception.
    """
    parts = {
        libpq: str(settings_dict[django])
        for libpq, django in _DJANGO_NAMES.items()
        if libpq != "dbname" and settings_dict.get(django) not in (None, "")
    }
    return f"postgresql:///{quote(str(settings_dict['NAME']), safe='')}?{urlencode(parts, quote_via=quote)}"
