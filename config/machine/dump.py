"""Saves the whole database to one file, and brings it back: pg_dump and pg_restore of the right version.

A dump is one moment of the database, whatever runs meanwhile: batches under way, papers, accounts, jobs. What it can't
hold is SECRET_KEY, and papers that SHEAF_STORAGE keeps elsewhere.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from config.database import parameters
from config.machine import postgres_cluster

#: Whoever uses a table now must let it go within this, or nothing is replaced.
LOCK_LIMIT = "10s"


class CannotDump(Exception):
    """Its text tells a person what is in the way and what to do next."""


def save(settings_dict: dict, path: Path) -> int:
    """Write the dump to `path`, whole or not at all (readable by its owner alone); its bytes."""
    part = path.with_name(path.name + ".part")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        _run(settings_dict, "pg_dump", "--format=custom", "--no-owner", "--no-acl", f"--file={part}")
        part.rename(path)
    except OSError as error:
        raise CannotDump(f"{path} can't be written: {error.strerror}.") from None
    finally:
        part.unlink(missing_ok=True)
    return path.stat().st_size


def is_empty(settings_dict: dict) -> bool:
    """Whether the database has no table of anybody's."""
    with psycopg.connect(**parameters(settings_dict)) as connection:
        return not connection.execute("SELECT 1 FROM pg_tables WHERE schemaname = 'public' LIMIT 1").fetchone()


def load(settings_dict: dict, path: Path) -> None:
    """Replace all that the database holds by the dump, in one transaction after the old has been dropped."""
    _run(settings_dict, "pg_restore", "--list", str(path), connects=False)  # an unreadable file drops nothing
    try:
        with psycopg.connect(**parameters(settings_dict)) as connection:
            connection.execute(f"SET lock_timeout = '{LOCK_LIMIT}'")
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
    except psycopg.errors.LockNotAvailable:
        raise CannotDump("Another process uses the database: stop web and workers first.") from None
    _run(
        settings_dict,
        "pg_restore",
        "--no-owner",
        "--no-acl",
        "--single-transaction",
        "--exit-on-error",
        "--schema=public",
        str(path),
    )


def _run(settings_dict: dict, name: str, *arguments: str, connects: bool = True) -> None:
    """Run one of PostgreSQL's programs on the database; the password stays out of the list of processes."""
    given = parameters(settings_dict)
    secret = {"PGPASSWORD": str(given.pop("password"))} if "password" in given else {}
    where = [f"--dbname={make_conninfo(**given)}"] if connects else []
    ended = subprocess.run(
        [str(_program(name, _server_major(settings_dict))), *where, *arguments],
        env={**os.environ, **secret},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    if ended.returncode:
        raise CannotDump(f"{name} failed: {ended.stderr.strip() or ended.returncode}")


def _server_major(settings_dict: dict) -> int:
    with psycopg.connect(**parameters(settings_dict)) as connection:
        return connection.info.server_version // 10_000


def _program(name: str, server_major: int) -> Path:
    """The server's own version if it is on this machine, else a newer one; an older one can't read its tables."""
    found = sorted((_major(path), path) for path in _installed(name))
    fitting = [path for major, path in found if major >= server_major]
    if not fitting:
        there = f"; there is only {found[-1][0]}" if found else ""
        raise CannotDump(
            f"{name} of PostgreSQL {server_major} or newer is not on this machine{there}: install "
            f"postgresql-client-{server_major}, or run {name} where the server runs."
        )
    return fitting[0]


def _installed(name: str) -> Iterator[Path]:
    if (on_path := shutil.which(name)) is not None:
        yield Path(on_path)
    yield from Path("/usr/lib/postgresql").glob(f"*/bin/{name}")
    embedded = postgres_cluster.program(name)
    if embedded is not None:
        yield embedded


def _major(path: Path) -> int:
    said = subprocess.run([str(path), "--version"], capture_output=True, text=True, errors="replace").stdout
    number = re.search(r"(\d+)", said)
    return int(number[1]) if number else 0
