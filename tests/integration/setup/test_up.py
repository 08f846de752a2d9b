"""`manage.py up`: one command runs a web process and workers, mends them, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import signal
import socket

import psutil
import pytest

from tasks.models import Worker as Row
from tests.processes import Manage, free_port, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def up(*arguments: str, port: int | None = None) -> Manage:
    """`up` on a free port; its stop includes that of its children."""
    return Manage("up", "--port", str(port or free_port()), *arguments, stop_s=40)


def living(process: Manage, count: int) -> list[Row]:
    """The workers that say that they live, once there are `count`."""
    rows = Row.objects.order_by("started_at")
    return wait_until(
        lambda: list(rows) if rows.count() == count else None, 40, what=f"{count} workers", processes=[process]
    )


def test_one_command_runs_web_and_workers_and_its_end_leaves_no_process():
    with up("--workers", "2") as process:
        living(process, 2)
        family = psutil.Process(process.pid).children(recursive=True)
        assert sum("daphne" in " ".join(one.cmdline()) for one in family) == 1
        assert sum("worker" in one.cmdline() for one in family) == 2
        process.terminate()
        assert process.wait(40) == 0
        assert not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in family)
        assert "Traceback" not in process.output
        assert "Nobody has an account yet" in process.output


def test_a_killed_worker_is_replaced_by_one_with_a_token_of_its_own():
    with up("--workers", "1") as process:
        (first,) = living(process, 1)
        os.kill(first.pid, signal.SIGKILL)
        other = wait_until(
            lambda: Row.objects.exclude(token=first.token).first(), 40, what="another worker", processes=[process]
        )
        assert other.pid != first.pid
        assert re.search(r"worker 1 ended \(-9\), starts again", process.output)


def test_a_port_in_use_is_one_sentence_with_the_next_step():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with up(port=port) as process:
            assert process.wait(30) == 2
            assert f"Port {port} is in use" in process.output
            assert "--port" in process.output
            assert "Traceback" not in process.output


def test_a_database_out_of_reach_is_one_sentence():
    with Manage("up", "--port", str(free_port()), env={"DATABASE_URL": "postgresql://u@127.0.0.1:1/d"}) as process:
        assert process.wait(30) == 2
        assert "The database can't be reached, check DATABASE_URL" in process.output
        assert "Traceback" not in process.output
