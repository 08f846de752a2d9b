"""100,000 children: how long the verbs take, and whether they mean what they say.

``request_s``: start returns; ``expand_s``: all are there; ``first_before_last``: the first ran before the last was
inserted; ``pause_s``, ``cancel_s``: the verbs return; ``started_after_cancel``: children that began over 2 s after it.
"""

from __future__ import annotations

import time
from datetime import timedelta

from tests.bench import ground

CHILDREN = 100_000


def main(arguments: list[str]) -> dict:
    ground.prepare("tests.kinds.Act")
    from tasks import fanout
    from tasks.models import SubTask
    from tests.processes import Worker, wait_until

    with Worker(concurrency=8) as worker:
        task = fanout.create("act", title="bench", params={"children": [{"s": 0.02}], "repeat": CHILDREN})
        began = time.monotonic()
        fanout.start(task)
        request = time.monotonic() - began

        def sealed():
            task.refresh_from_db()
            return task.sealed

        wait_until(lambda: SubTask.objects.filter(task=task, state="succeeded").exists(), 60, processes=[worker])
        task.refresh_from_db()
        first_before_last = not task.sealed
        wait_until(sealed, 120, what="all children", processes=[worker])
        expand = time.monotonic() - began
        pause, cancel = _timed(fanout.pause, task), None
        fanout.resume(task)
        time.sleep(1)
        cancel = _timed(fanout.cancel, task)
        task.refresh_from_db()
        wait_until(lambda: ground.ended(task), 120, what="the cancelled batch to end", processes=[worker])
        late = SubTask.objects.filter(task=task, started_at__gt=task.cancelled_at + timedelta(seconds=2)).count()
        assert task.succeeded + task.failed + task.cancelled == task.total == CHILDREN, "children were lost"
    return {
        "children": CHILDREN,
        "request_s": round(request, 3),
        "expand_s": round(expand, 2),
        "first_before_last": first_before_last,
        "pause_s": round(pause, 3),
        "cancel_s": round(cancel, 3),
        "started_after_cancel": late,
    }


def _timed(verb, task) -> float:
    began = time.monotonic()
    verb(task)
    return time.monotonic() - began
