"""The embedded PostgreSQL: one server below our data folder, shared by any number of processes of this project.

    use()  -- lock --> start it, or join it -->  hold a shared lock on `postgres.users` until the process ends
    exit   -- lock --> nobody else holds `postgres.users`?  stop it, unless it was started to stay (`stays`)

The kernel drops a lock with its process, so a killed process leaves no false claim behind (if all are killed, the
server stays until the next one out). How a cluster is made, started and stopped is `config.machine.postgres_cluster`'s.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from config.machine import postgres_cluster
from config.machine.postgres_cluster import EmbeddedPostgresError, is_running, socket_folder, url

__all__ = ["EmbeddedPostgresError", "is_running", "restart", "socket_folder", "start", "stop", "url", "use"]


@contextlib.contextmanager
def _locked(data: Path) -> Iterator[None]:
    """One process at a time starts or stops the server."""
    try:
        data.parent.mkdir(parents=True, exist_ok=True)
        file = open(data.parent / "postgres.lock", "a")
    except OSError as error:
        raise EmbeddedPostgresError(
            f"SHEAF_VAR is {str(data.parent)!r}: it must be a folder that this user may write ({error.strerror})."
        ) from None
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def start(data: Path, *, stays: bool = False) -> bool:
    """Start the server unless it runs; returns whether it had to. With `stays` nobody's exit stops it."""
    with _locked(data):
        started = not is_running(data)
        if started:
            postgres_cluster.launch(data)
        if stays:
            (data.parent / "postgres.stays").touch()
        return started


def stop(data: Path, *, immediate: bool = False) -> bool:
    """Stop the server whoever uses it; returns whether it ran. `immediate` is a crash, as after a power cut."""
    with _locked(data):
        (data.parent / "postgres.stays").unlink(missing_ok=True)
        return postgres_cluster.halt(data, immediate=immediate)


def restart(data: Path, *, immediate: bool = False) -> None:
    """Stop and start in one go; those who joined stay joined, and their connections break."""
    with _locked(data):
        postgres_cluster.halt(data, immediate=immediate)
        postgres_cluster.launch(data)


_claims: dict[Path, int] = {}


def use(data: Path | None = None) -> None:
    """Start or join the server for as long as this process lives; without effect when DATABASE_URL is set."""
    if data is None:
        from django.conf import settings

        if not settings.SHEAF_EMBEDDED_POSTGRES:
            return
        data = settings.SHEAF_POSTGRES_DIR
    if data in _claims:
        return
    with _locked(data):
        if not is_running(data):
            postgres_cluster.launch(data)
        claim = os.open(data.parent / "postgres.users", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(claim, fcntl.LOCK_SH)
        _claims[data] = claim
    atexit.register(_leave, data, os.getpid())


def _leave(data: Path, pid: int) -> None:
    """The last one out stops the server. A forked child inherits this exit hook, but not the right to run it."""
    if os.getpid() != pid or data not in _claims:
        return
    with _locked(data):
        claim = _claims.pop(data)
        try:
            fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return  # others still use it
        finally:
            os.close(claim)
        if not (data.parent / "postgres.stays").exists():
            postgres_cluster.halt(data)
