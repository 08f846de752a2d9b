"""A worker that was killed is known to be dead by its neighbours at once, not by a silence that may mean anything.

Each worker keeps a lock on a file of its own below SHEAF_VAR; the kernel lets go of it when the process ends, however
it ends, and not while it is frozen. Who gets the lock of another has the proof: its calls are over, its lanes are free.
Without a proof (the whole machine is gone, or its folder is another) the sweep finds the same after a longer time.

The name of a file begins with the boot of the kernel, since locks on a shared folder mean something within one only.
"""

from __future__ import annotations

import fcntl
import json
import logging
import time
import uuid
from pathlib import Path

from django.conf import settings
from django.db import connection

from tasks.models import Worker
from tasks.queueing import lanes

logger = logging.getLogger(__name__)

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
FORGOTTEN_S = 86_400  # files of another boot go after this

_END_JOBS = """
UPDATE procrastinate_jobs SET status = 'failed', abort_requested = false WHERE worker_id = ANY(%s) AND status = 'doing'
"""


def _folder() -> Path:
    return settings.SHEAF_VAR / "workers"


def _boot() -> str | None:
    """Names this run of the kernel; None where the system does not say."""
    try:
        return _BOOT_ID.read_text().strip()
    except OSError:
        return None


class Life:
    """The lock of this process, from ``begin`` until it ends. ``note`` adds what else dies with it."""

    def __init__(self, token: str):
        self._token, self._file, self._path = token, None, None

    def begin(self) -> None:
        """Does nothing where there can be no proof: no boot to name, no folder to write to."""
        boot = _boot()
        if boot is None:
            return
        try:
            _folder().mkdir(parents=True, exist_ok=True)
            self._path = _folder() / f"{boot}.{self._token}"
            being_made = self._path.with_name(f".{self._path.name}")
            self._file = open(being_made, "w+")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            being_made.rename(self._path)  # nobody sees it before it is locked
        except OSError as error:
            logger.warning("No proof of life in %s: %s", _folder(), error)
            self._file = None

    def note(self, job_workers: list[int]) -> None:
        """``job_workers``: procrastinate's numbers for this process; jobs that they run end with it."""
        if self._file is not None:
            self._file.seek(0)
            self._file.write(json.dumps(job_workers))
            self._file.truncate()
            self._file.flush()

    def end(self) -> None:
        if self._file is not None:
            self._path.unlink(missing_ok=True)
            self._file.close()
            self._file = None


def release_the_dead() -> int:
    """Free the lanes, and end the jobs, of each worker of this machine that is proven dead. Returns how many were.

    A worker whose rows cannot be freed now (the database is away) keeps its file, and is found again.
    """
    boot, found = _boot(), 0
    try:
        files = [path for path in _folder().iterdir() if not path.name.startswith(".")]
    except OSError:
        return 0
    for path in files:
        of_boot, _, token = path.name.partition(".")
        if of_boot != boot:
            if _age_s(path) > FORGOTTEN_S:
                _remove(path)
        elif _is_token(token) and (words := _last_words(path)) is not None:
            with words:
                _release(token, _numbers(words.read()))
                _remove(path)
            found += 1
    return found


def _is_token(word: str) -> bool:
    try:
        uuid.UUID(word)
    except ValueError:
        return False
    return True


def _numbers(text: str) -> list[int]:
    """What ``note`` wrote; nothing, when the process was killed while it wrote: the sweep ends those jobs later."""
    try:
        return [int(number) for number in json.loads(text or "[]")]
    except (ValueError, TypeError):
        return []


def _last_words(path: Path):
    """The open file of a dead worker, locked, so that one neighbour acts; None while it lives or somebody acts."""
    try:
        file = open(path)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


def _release(token: str, job_workers: list[int]) -> None:
    freed = lanes.release(token)
    with connection.cursor() as cursor:
        cursor.execute(_END_JOBS, [job_workers])
    Worker.objects.filter(pk=token).delete()
    logger.warning("Worker %s is dead: %s of its lanes were freed", token, freed)


def _age_s(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:  # another process was quicker
        return 0.0


def _remove(path: Path) -> None:
    """What cannot be removed (it belongs to another user) is found dead again: that changes nothing and is said."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        logger.warning("%s cannot be removed: %s", path, error)
