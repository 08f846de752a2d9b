"""The supervisor, in a process of its own with real children: restarts the dead, stops all, leaves no orphan."""

from __future__ import annotations

import os
import re
import signal
import sys
from pathlib import Path

import pytest

from tests.processes import Process, wait_until

HOUSE = """
import asyncio, sys
from config.machine import supervisor
from config.machine.supervisor import Program, Supervisor

supervisor.FIRST_PAUSE_S, supervisor.LONGEST_PAUSE_S, supervisor.GOOD_RUN_S = 0.02, 0.1, 0.5

CHILD = '''
import os, signal, sys, time
from config.machine import lifeline
lifeline.hold(0.5)
manner = sys.argv[1]
def on_term(*_):
    print("told to stop", flush=True)
    if manner != "stubborn":
        sys.exit(0)
signal.signal(signal.SIGTERM, on_term)
if manner == "parent":
    import subprocess
    print("grandchild", subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]).pid, flush=True)
print("pid", os.getpid(), "token", os.environ["TOKEN"], flush=True)
if manner == "hopeless" or manner == "proven" and int(os.environ["TOKEN"]) > 1:
    sys.exit("no way")
if manner == "proven":
    time.sleep(0.6)
    sys.exit("the database went away")
while True:
    time.sleep(0.05)
'''

starts = 0

def environment():
    global starts
    starts += 1
    return {"TOKEN": str(starts)}

async def reaped(environment):
    print("reaped", environment["TOKEN"], flush=True)

def echo(name, line):
    print(name, "|", line, flush=True)

programs = [
    Program(f"{manner}{n}", [sys.executable, "-c", CHILD, manner], environment, reaped)
    for n, manner in enumerate(sys.argv[1:])
]
house = Supervisor(programs, stop_s=1.0, echo=echo, cwd=".")
print("started", flush=True)
sys.exit(asyncio.run(house.run()))
"""


def house(*manners: str) -> Process:
    return Process(sys.executable, "-c", HOUSE, *manners, name="supervisor")


def pids(process: Process, name: str) -> list[int]:
    """The pids that child `name` has had, in order."""
    return [int(pid) for pid in re.findall(rf"^{name} \| pid (\d+)", process.output, re.MULTILINE)]


def one_pid(process: Process, name: str, nth: int = 0) -> int:
    return wait_until(lambda: pids(process, name)[nth : nth + 1], what=f"{name} to start", processes=[process])[0]


def is_gone(pid: int) -> bool:
    """Dead: no such process, or one that only waits for whoever should reap it."""
    stat = Path(f"/proc/{pid}/stat")
    try:
        os.kill(pid, 0)
        return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z"
    except ProcessLookupError:
        return True


def test_a_killed_child_is_started_again_and_its_token_is_given_back():
    with house("calm") as process:
        first = one_pid(process, "calm0")
        os.kill(first, signal.SIGKILL)
        assert one_pid(process, "calm0", 1) != first
        assert "reaped 1" in process.output
        assert "token 2" in process.output


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_reaches_every_child_and_ends_with_success(number):
    with house("calm", "calm") as process:
        children = [one_pid(process, name) for name in ("calm0", "calm1")]
        process.terminate() if number == signal.SIGTERM else process.signal(number)
        assert process.wait() == 0
        assert all(is_gone(pid) for pid in children)
        assert process.output.count("told to stop") == 2
        assert "reaped" not in process.output


def test_a_child_that_ignores_the_stop_is_killed_after_its_time():
    with house("stubborn", "calm") as process:
        child = one_pid(process, "stubborn0")
        one_pid(process, "calm1")
        process.terminate()
        assert process.wait() == 0
        assert is_gone(child)
        assert "stubborn0 did not stop within 1 s" in process.output
        assert "reaped 1" in process.output, "its work waits for nobody"


def test_what_a_child_started_ends_with_it():
    with house("parent") as process:
        child = one_pid(process, "parent0")
        grandchild = int(re.search(r"grandchild (\d+)", process.output)[1])
        os.kill(child, signal.SIGKILL)
        one_pid(process, "parent0", 1)
        assert is_gone(grandchild)


def test_children_end_when_the_supervisor_is_killed():
    with house("calm", "stubborn") as process:
        children = [one_pid(process, name) for name in ("calm0", "stubborn1")]
        os.kill(process.pid, signal.SIGKILL)
        process.kill()
        wait_until(lambda: all(is_gone(pid) for pid in children), 5, what="the orphans to end")


def test_a_program_that_can_t_run_ends_everything_with_its_last_words():
    with house("hopeless", "calm") as process:
        other = one_pid(process, "calm1")
        assert process.wait(20) == 1
        assert is_gone(other)
        assert "hopeless0 died 5 times in a row, stopping: ['no way']" in process.output
        assert len(pids(process, "hopeless0")) == 5


def test_a_program_that_has_worked_before_is_never_given_up():
    with house("proven") as process:
        assert one_pid(process, "proven0", 8)
        assert "stopping" not in process.output
