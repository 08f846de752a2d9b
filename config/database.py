"""Turns DATABASE_URL, or the address of the embedded server, into Django's DATABASES entry, and looks who answers."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

import psycopg
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from config.env import WrongSetting

OLDEST = 14  # the major version of PostgreSQL that every statement of ours runs on

_DJANGO_NAMES = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}


class DatabaseNotUsable(SystemExit):
    """No PostgreSQL of a usable version answers there; the text says what to do. Ends the start, without traceback."""


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


def parameters(settings_dict: dict[str, Any]) -> dict[str, Any]:
    """What libpq needs to know of a DATABASES entry, TLS and time limits included, for connections past Django's."""
    given = {libpq: settings_dict[django] for libpq, django in _DJANGO_NAMES.items() if settings_dict.get(django)}
    return given | settings_dict["OPTIONS"]


def require_usable(settings_dict: dict[str, Any], *, may_be_away: bool = False) -> None:
    """Raise DatabaseNotUsable unless the server answers and is new enough.

    With `may_be_away` only a server that does answer, and is too old, is refused: a web process starts without its
    database and says so at `/readyz`.
    """
    given = parameters(settings_dict) | ({"connect_timeout": 3} if may_be_away else {})
    try:
        with psycopg.connect(**given) as connection:
            version = connection.info.server_version
    except psycopg.OperationalError as error:
        if may_be_away:
            return
        raise DatabaseNotUsable(f"The database can't be reached, check DATABASE_URL: {str(error).strip()}") from None
    if version < OLDEST * 10_000:
        raise DatabaseNotUsable(
            f"The server that DATABASE_URL names is PostgreSQL {_shown(version)}; Sheaf needs {OLDEST} or newer. "
            "Upgrade it (pg_upgrade, or pg_dump and pg_restore), or name another."
        )


def _shown(version: int) -> str:
    """130023 reads 13.23; before 10 the first two numbers were the major version: 90624 reads 9.6."""
    return f"{version // 10_000}.{version % 10_000 if version >= 100_000 else version // 100 % 100}"
