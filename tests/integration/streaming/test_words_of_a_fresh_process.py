"""A web process that has served nothing yet knows the sentences of every Kind, and has room for a crowd."""

import contextlib
import json
import re
import signal
import socket
import subprocess
import sys

import pytest
from django.conf import settings

from config.machine import programs
from tests.integration.streaming.watching import person, running_task, session_of
from tests.processes import Web, environment

pytestmark = pytest.mark.django_db(transaction=True)


class UpWeb(Web):
    """The web process as `up` starts it."""

    def __init__(self, **options):
        super().__init__(**options)
        self.command = tuple(programs.web("127.0.0.1", self.port).command)


def test_the_first_page_speaks_the_words_of_every_kind():
    ada = person()
    task = running_task(ada, kind="literature")
    with UpWeb() as web:
        status, page = web.get(f"/sets/{task.pk}/", {"Cookie": session_of(ada)})
        assert status == 200
    found = re.search(rb'<script id="live-words" type="application/json">(.*?)</script>', page, re.S)
    codes = json.loads(found[1])["codes"]
    assert {"paused", "paper_title", "paper_read"} <= codes.keys()


def test_two_hundred_may_knock_while_the_process_is_busy():
    """A process that stands still accepts nobody, so all of them wait in the kernel's queue."""
    with UpWeb() as web, contextlib.ExitStack() as knocking:
        web.signal(signal.SIGSTOP)
        for _ in range(200):
            knocking.enter_context(socket.create_connection(("127.0.0.1", web.port), timeout=20))
        web.signal(signal.SIGCONT)


def test_a_kind_that_does_not_exist_stops_the_start():
    started = subprocess.run(
        [sys.executable, "-c", "import config.asgi"],
        env=environment({"SHEAF_KINDS": "tests.kinds.NoSuchKind"}),
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert started.returncode != 0 and "NoSuchKind" in started.stderr
