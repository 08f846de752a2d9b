"""No secret reaches a table, by a line, by two, or by an error; and a doubtful line is not kept waiting for long."""

import asyncio

from django.conf import settings

from tasks.log import joblog
from tasks.log.joblog import Line
from tasks.queueing.messages import Assignment, Hold
from tasks.worker import attempts
from tests.integration.engine.batches import Worker, act, child, submit, wait_for_end

HOLD = Hold(lane_id=1, run=1, queue="local", host="", slot=0, job_id=1)


def attempt(log):
    assignment = Assignment(HOLD, 1, 1, 1, "a.pdf", "parse", 1, 1, 0, {}, {}, 80)
    return attempts.Running(assignment, {}, log, None, None, lambda: True)


async def test_a_doubtful_line_waits_for_one_flush_interval_at_the_most():
    lines: list[Line] = []
    arrived = asyncio.Event()

    def log(line):
        lines.append(line)
        arrived.set()

    running = attempt(log)
    running.log("the key is sk-abcdef")
    assert not lines
    await asyncio.wait_for(arrived.wait(), settings.SHEAF_LOG_FLUSH_S + 5)
    assert [line.text for line in lines] == ["the key is sk-•••"]
    running.log("ghijklmnopqrstuv and")
    running.log("the end sk-ab")
    running.end()
    assert [line.text for line in lines[1:]] == ["••• and", "the end sk-ab"]


def test_what_is_written_without_an_attempt_is_masked_too():
    task = submit("noop", n=0)
    joblog.write(
        [Line(task.pk, "to postgresql://u:hunter2horse@h/d"), Line(task.pk, data={"detail": "pwd=hunter2horse"})]
    )
    joblog.say(task.pk, "expand_failed", detail="Authorization: Bearer hunter2horse")
    stored = "".join(f"{line.text}{line.data}" for line in task.log.all())
    assert "hunter" not in stored and stored.count("•••") == 3


def test_a_worker_stores_no_secret_of_a_stage():
    with Worker(1) as worker:
        task = wait_for_end(act({"do": "leak"}), processes=[worker])
    failed = child(task, state="failed")
    lines = list(task.log.filter(subtask=failed).exclude(text="").order_by("seq"))
    assert [line.text for line in lines] == ["login password=•••", "••• postgresql://u:•••", "•••@db/x, key sk-hunter2"]
    assert {line.data["where"] for line in lines} == {"mongodb://u:•••@db"}
    assert (failed.error, failed.error_data["file"]) == ("postgresql://u:•••@db/x refused", "Bearer •••")
    assert "2horse" not in "".join(f"{line.text} {line.data}" for line in task.log.all())
