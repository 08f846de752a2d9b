"""Real processes for tests: workers and web servers on the test's own database, and waiting that can't hang.

    with Worker(concurrency=4) as worker, Web() as web:
        wait_until(lambda: Task.objects.get(pk=1).state == "completed", 20, processes=[worker, web])

A test that uses them needs `django_db(transaction=True)`: another process sees only what is committed.
"""

from __future__ import annotations

import functools
import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from django.conf import settings
from django.db import close_old_connections, connection

from config.database import url_of
from config.machine import lifeline

T = TypeVar("T")


def wait_until(
    predicate: Callable[[], T], timeout: float = 30.0, *, what: str = "", processes: Iterable[Process] = ()
) -> T:
    """The first true answer of `predicate`, asked every 20 to 100 ms.

    Fails after `timeout` seconds, or at once when one of `processes` has ended by itself, with their last output.
    """
    processes = list(processes)
    deadline = time.monotonic() + timeout
    pause = 0.02
    while True:
        if answer := predicate():
            return answer
        dead = [one for one in processes if one.ended_by_itself]
        if dead or time.monotonic() > deadline:
            why = f"{dead[0].name} ended ({dead[0].returncode})" if dead else f"{timeout:g} s are over"
            said = "".join(f"\n--- {one.name} said:\n{one.output[-4000:]}" for one in processes)
            raise AssertionError(f"waited in vain for {what or 'the condition'}: {why}{said}")
        time.sleep(pause)
        pause = min(pause * 1.3, 0.1)


def free_port() -> int:
    """A TCP port of the loopback address that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment(extra: Mapping[str, object] = {}) -> dict[str, str]:
    """What a process of this project needs to stand on the test's database, and to share its sessions."""
    return {
        **os.environ,
        "DATABASE_URL": url_of(connection.settings_dict),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SECRET_KEY": settings.SECRET_KEY,
        "ALLOWED_HOSTS": "localhost,127.0.0.1,testserver",
        "PYTHONUNBUFFERED": "1",
        **{name: str(value) for name, value in extra.items()},
    }


@functools.cache
def _lifeline() -> int:
    """The end that children read; the other stays open as long as this test run lives, however it ends."""
    return os.pipe()[0]


class Process:
    """A child process with its output kept; leaving the `with` ends it, gracefully if it can."""

    name = "process"

    def __init__(self, *command: str, env: Mapping[str, object] = {}, stop_s: float = 30.0, name: str = ""):
        self.command = command
        self.name = name or self.name
        self._env = env
        self._stop_s = stop_s
        self._asked_to_end = False
        self._lines: deque[str] = deque(maxlen=5000)
        self._process: subprocess.Popen | None = None

    def __enter__(self):
        read_end = _lifeline()
        self._process = subprocess.Popen(
            self.command,
            cwd=settings.BASE_DIR,
            env={**environment(self._env), lifeline.VARIABLE: str(read_end)},
            pass_fds=[read_end],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            self.wait_ready()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        self._asked_to_end = True
        if self.returncode is None:
            self.signal(signal.SIGCONT)  # a stopped process hears nothing else
            self.signal(signal.SIGTERM)
            try:
                self._process.wait(self._stop_s)
            except subprocess.TimeoutExpired:
                self.kill()
                raise AssertionError(f"{self.name} ignored SIGTERM for {self._stop_s:g} s:\n{self.output}") from None
            finally:
                self._kill_group()
        self._reader.join(5)

    def wait_ready(self) -> None:
        """Return when the process does its work; a plain process is ready at once."""

    def _read(self) -> None:
        for line in self._process.stdout:
            self._lines.append(line)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def output(self) -> str:
        """What it has printed so far (its last 5,000 lines)."""
        return "".join(list(self._lines))

    @property
    def returncode(self) -> int | None:
        """None while it runs; negative: the signal that ended it."""
        return self._process.poll()

    @property
    def ended_by_itself(self) -> bool:
        return not self._asked_to_end and self.returncode is not None

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    def terminate(self) -> None:
        """Ask it to stop (SIGTERM); `wait` for it."""
        self._asked_to_end = True
        self.signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it and its group as a power cut would (SIGKILL), and reap it."""
        self._asked_to_end = True
        self._kill_group()
        self._process.wait(10)

    def _kill_group(self) -> None:
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # nobody of the group is left

    def wait(self, timeout: float = 15.0) -> int:
        """Its exit status, once it has ended."""
        self._process.wait(timeout)
        self._reader.join(5)
        return self._process.returncode


class Manage(Process):
    """`manage.py` with any command: Manage("extract", "folder")."""

    def __init__(self, *arguments: str, **options):
        super().__init__(sys.executable, "manage.py", *arguments, **{"name": f"manage.py {arguments[0]}", **options})


class Worker(Manage):
    """A worker process; ready when its row says that it lives. `token` names it and its lanes."""

    def __init__(
        self, *, concurrency: int | None = None, queues: Sequence[str] = (), env: Mapping[str, object] = {}, **options
    ):
        self.token = str(uuid.uuid4())
        arguments = ["worker"]
        arguments += ["--concurrency", str(concurrency)] if concurrency else []
        arguments += ["--queues", ",".join(queues)] if queues else []
        super().__init__(*arguments, env={"SHEAF_WORKER_TOKEN": self.token, **env}, **options)
        self.name = f"worker {self.token[:4]}"

    def wait_ready(self) -> None:
        from tasks.models import Worker as Row

        def lives():
            close_old_connections()
            return Row.objects.filter(token=self.token).exists()

        wait_until(lives, 30, what=f"{self.name} to say that it lives", processes=[self])


class Web(Process):
    """A daphne process; ready when it answers. `url` has no slash at its end."""

    def __init__(self, port: int | None = None, **options):
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        super().__init__(
            sys.executable,
            "-m",
            "daphne",
            "-b",
            "127.0.0.1",
            "-p",
            str(self.port),
            "-v",
            "0",
            "--application-close-timeout",
            "2",
            "config.asgi:application",
            **{"name": f"web {self.port}", **options},
        )

    def get(self, path: str, headers: Mapping[str, str] = {}, timeout: float = 10.0) -> tuple[int, bytes]:
        """Status and body of a GET without a session."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            line.request("GET", path, headers=dict(headers))
            answer = line.getresponse()
            return answer.status, answer.read()
        finally:
            line.close()

    def wait_ready(self) -> None:
        def answers():
            try:
                return self.get("/healthz")[0] == 200
            except OSError:
                return False

        wait_until(answers, 30, what=f"{self.name} to answer", processes=[self])
