"""The helpers that other tests lean on: they wait for a signal, fail fast, and show what was said."""

from __future__ import annotations

import signal
import sys
import time

import pytest

from tests.processes import Process, wait_until


def python(program: str, **options) -> Process:
    return Process(sys.executable, "-c", program, **options)


def test_waiting_returns_the_first_true_answer():
    answers = iter([None, 0, "", "here"])
    assert wait_until(lambda: next(answers), 5) == "here"


def test_waiting_in_vain_shows_what_the_processes_said():
    with python("print('busy', flush=True); import time; time.sleep(60)") as process:
        wait_until(lambda: "busy" in process.output)
        with pytest.raises(AssertionError, match="waited in vain for a miracle: 0.1 s are over(.|\n)*busy"):
            wait_until(lambda: False, 0.1, what="a miracle", processes=[process])


def test_waiting_for_a_process_that_has_died_fails_at_once():
    began = time.monotonic()
    with python("import sys; sys.exit('no database')") as process:
        with pytest.raises(AssertionError, match=r"ended \(1\)"):
            wait_until(lambda: False, 60, processes=[process])
    assert time.monotonic() - began < 20


def test_leaving_stops_a_process_and_even_a_frozen_one():
    with python("import time; time.sleep(60)") as process:
        process.signal(signal.SIGSTOP)
    assert process.returncode == -signal.SIGTERM


def test_a_process_that_ignores_its_stop_fails_the_test_and_is_gone():
    program = (
        "import signal, time; signal.signal(15, lambda *_: None); print('deaf', flush=True)\nwhile 1: time.sleep(1)"
    )
    process = python(program, stop_s=0.3)
    with pytest.raises(AssertionError, match="ignored SIGTERM"):
        with process:
            wait_until(lambda: "deaf" in process.output)
    assert process.returncode == -signal.SIGKILL
