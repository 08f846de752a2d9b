"""The processes that are broken, each started anew when it ends, as a supervisor does it."""

from __future__ import annotations

import contextlib
import random
import signal
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path

from django.conf import settings

from tests.processes import environment, free_port

PAUSE_S = 0.5


class Kept:
    """One process of the fleet. Of the killed workers a third have a supervisor that releases their lanes when it has
    reaped them, a third are proven dead by a neighbour on the same machine, a third stand for a machine that is gone
    with all that is on it, and are the sweep's to find."""

    def __init__(self, name: str, command: list[str], env: dict, log, is_worker: bool):
        self.name, self.is_worker = name, is_worker
        self._command, self._env, self._log = command, env, log
        self.token = self._fate = ""
        self.starts = 0
        self.frozen = False
        self._ending = False
        self._process: subprocess.Popen | None = None
        self._thread = threading.Thread(target=self._keep, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def _keep(self) -> None:
        while not self._ending:
            self.token, self._fate = str(uuid.uuid4()), random.choice(["supervised", "proven", "gone"])
            env = environment({**self._env, "SHEAF_WORKER_TOKEN": self.token, "SHEAF_PROCESS_NAME": self.name})
            self._process = subprocess.Popen(
                self._command,
                cwd=settings.BASE_DIR,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            self.starts += 1
            status = self._process.wait()
            self.frozen = False
            if self.is_worker and status and self._fate == "supervised":
                self._release(self.token)
            time.sleep(PAUSE_S)

    @staticmethod
    def _release(token: str) -> None:
        from django.db import Error, connection

        from tasks.queueing import lanes

        try:
            lanes.release(token)
        except Error:
            pass  # the database is being broken as well: the sweep finds them
        finally:
            connection.close()

    def signal(self, number: int) -> None:
        if number == signal.SIGKILL and self.is_worker and self._fate == "gone":
            for proof in Path(self._env["SHEAF_VAR"], "workers").glob(f"*.{self.token}"):
                proof.unlink(missing_ok=True)
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)

    def freeze(self) -> None:
        self.frozen = True
        self.signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.signal(signal.SIGCONT)
        self.frozen = False

    def end(self, patience_s: float) -> bool:
        """Ask it to stop for good; whether it did within its patience."""
        self._ending = True
        self.thaw()
        self.signal(signal.SIGTERM)
        self._thread.join(patience_s)
        if self._thread.is_alive():
            self.signal(signal.SIGKILL)
            self._thread.join(10)
            return False
        return True


def machine(number: int) -> dict[str, str]:
    """A name and a folder of its own."""
    return {"SHEAF_HOST": f"machine-{number}", "SHEAF_VAR": f"{settings.SHEAF_VAR}/machine-{number}"}


class Fleet:
    """Four workers on two machines (by name), one web process."""

    def __init__(self, env: dict, log):
        worker = [sys.executable, "manage.py", "worker", "--concurrency", "9"]
        self.workers = [Kept(f"worker-{n}", worker, {**env, **machine(n % 2)}, log, True) for n in range(4)]
        self.port = free_port()
        daphne = [
            sys.executable,
            "-m",
            "daphne",
            "-b",
            "127.0.0.1",
            "-p",
            str(self.port),
            "-v",
            "0",
            "config.asgi:application",
        ]
        self.web = Kept("web", daphne, env, log, False)
        self.all = [*self.workers, self.web]

    def start(self) -> None:
        for one in self.all:
            one.start()

    def thaw(self) -> None:
        for one in self.all:
            if one.frozen:
                one.thaw()

    def end(self) -> list[str]:
        """The names of those that did not stop when asked."""
        return [one.name for one in self.all if not one.end(settings.SHEAF_STOP_S + 25)]
