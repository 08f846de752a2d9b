"""The embedded server: one for many processes, gone with the last, durable, and mended after a crash."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import psycopg
import pytest

from config.machine import embedded_postgres
from tests.processes import wait_until

PROJECT = Path(__file__).resolve().parents[3]

# Joins the server, says so, and stays until its standard input is closed
USER = """
import sys, pathlib
from config.machine import embedded_postgres
data = pathlib.Path(sys.argv[1])
embedded_postgres.use(data)
import psycopg
with psycopg.connect(embedded_postgres.url(data)) as connection:
    print(connection.execute("SELECT pg_postmaster_start_time()::text").fetchone()[0], flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def folder():
    """A data folder of this module's own, below /var/tmp: the server's user has to reach it."""
    made = Path(tempfile.mkdtemp(prefix="sheaf-embedded-", dir="/var/tmp"))
    yield made
    embedded_postgres.stop(made / "postgres", immediate=True)
    shutil.rmtree(made)


@pytest.fixture
def data(folder):
    """The server's data, the server stopped."""
    data = folder / "postgres"
    embedded_postgres.stop(data)
    return data


class User:
    """A process that uses the server."""

    def __init__(self, data: Path):
        self.process = subprocess.Popen(
            [sys.executable, "-c", USER, str(data)],
            cwd=PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def joined(self) -> str:
        """When the server it joined was started."""
        return self.process.stdout.readline().strip() or pytest.fail(self.process.stderr.read())

    def leave(self) -> None:
        self.process.stdin.close()
        assert self.process.wait(30) == 0, self.process.stderr.read()
        self.close()

    def close(self) -> None:
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()


def test_processes_that_start_at_once_share_one_new_server(data):
    users = [User(data) for _ in range(4)]
    assert len({user.joined() for user in users}) == 1
    for user in users:
        user.leave()


def test_the_last_one_out_stops_the_server_and_nobody_before(data):
    first, second = User(data), User(data)
    first.joined()
    second.joined()
    first.leave()
    assert embedded_postgres.is_running(data)
    second.leave()
    assert not embedded_postgres.is_running(data)


def test_a_killed_process_leaves_no_claim_behind(data):
    killed, other = User(data), User(data)
    killed.joined()
    other.joined()
    killed.process.kill()
    killed.process.wait()
    killed.close()
    other.leave()
    assert not embedded_postgres.is_running(data)


def test_a_server_that_was_started_to_stay_survives_its_users(data):
    assert embedded_postgres.start(data, stays=True) is True
    assert embedded_postgres.start(data, stays=True) is False
    user = User(data)
    user.joined()
    user.leave()
    assert embedded_postgres.is_running(data)
    assert embedded_postgres.stop(data) is True
    assert embedded_postgres.stop(data) is False


def test_what_was_committed_survives_a_crash(data):
    embedded_postgres.start(data)
    with psycopg.connect(embedded_postgres.url(data), autocommit=True) as connection:
        assert connection.execute("SHOW fsync").fetchone() == ("on",)
        assert connection.execute("SHOW synchronous_commit").fetchone() == ("on",)
        assert connection.execute("SHOW max_connections").fetchone() == ("200",)
        connection.execute("CREATE TABLE kept (word text)")
        connection.execute("INSERT INTO kept VALUES ('here')")
        embedded_postgres.restart(data, immediate=True)
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
    with psycopg.connect(embedded_postgres.url(data)) as connection:
        assert connection.execute("SELECT word FROM kept").fetchone() == ("here",)


def test_a_pid_file_of_a_server_long_dead_is_no_server(data):
    embedded_postgres.start(data)
    pid = int((data / "postmaster.pid").read_text().split()[0])
    os.kill(pid, 9)

    def gone():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, 0)
            return Path(f"/proc/{pid}/stat").read_text().split(")")[-1].split()[0] == "Z"
        return True

    wait_until(gone, 10, what="the killed server to be gone")
    assert (data / "postmaster.pid").exists()
    assert not embedded_postgres.is_running(data)
    assert embedded_postgres.start(data) is True


def test_nobody_else_may_enter_the_folder_with_the_socket(data):
    embedded_postgres.start(data)
    assert embedded_postgres.socket_folder(data).stat().st_mode & 0o077 == 0


def test_a_folder_with_an_odd_name_works_as_well(folder):
    odd = folder / "it's, an odd näme" / "postgres"
    embedded_postgres.start(odd)
    try:
        with psycopg.connect(embedded_postgres.url(odd)) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
    finally:
        embedded_postgres.stop(odd)
    assert not embedded_postgres.socket_folder(odd).exists(), "nothing stays in /tmp"


def test_a_socket_folder_that_somebody_else_has_made_is_refused(folder):
    data = folder / "long, with a comma" / "postgres"
    taken = embedded_postgres.socket_folder(data)
    taken.mkdir(mode=0o777)
    taken.chmod(0o777)
    try:
        with pytest.raises(embedded_postgres.EmbeddedPostgresError, match="not ours"):
            embedded_postgres.start(data)
    finally:
        taken.rmdir()


def test_a_folder_whose_name_a_shell_would_read_is_refused(folder):
    with pytest.raises(embedded_postgres.EmbeddedPostgresError, match="SHEAF_VAR is"):
        embedded_postgres.start(folder / "$(touch hacked)" / "postgres")


def test_a_start_that_was_cut_short_is_begun_anew(folder):
    data = folder / "cut" / "postgres"
    data.with_suffix(".new").mkdir(parents=True)
    (data.with_suffix(".new") / "PG_VERSION").write_text("18\n")
    embedded_postgres.start(data)
    assert embedded_postgres.is_running(data)
    embedded_postgres.stop(data)


def test_a_path_too_long_for_a_socket_gets_a_short_one(tmp_path):
    long = tmp_path / ("x" * 120)
    short = embedded_postgres.socket_folder(long)
    assert len(str(short / ".s.PGSQL.5432")) < 100
    assert short != embedded_postgres.socket_folder(tmp_path / ("y" * 120))


def test_a_server_that_can_t_start_says_why_and_where_its_log_is(data):
    embedded_postgres.start(data)
    embedded_postgres.stop(data)
    control = data / "global" / "pg_control"
    control.rename(control.with_suffix(".away"))
    try:
        with pytest.raises(embedded_postgres.EmbeddedPostgresError) as error:
            embedded_postgres.start(data)
        assert str(data / "log") in str(error.value)
    finally:
        control.with_suffix(".away").rename(control)
