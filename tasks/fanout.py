"""The verbs: everything a person or a program may do to a batch.

Each takes the same time for 10 children and for 100,000: it changes the Task's own row (and one Share a queue) and
leaves the children to a background job. Each is a conditional update, so that two people who press the same button
do it once. Who did it is written in the batch's own log.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import islice

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Case, F, Max, Value, When
from django.db.models.functions import Now

from tasks.errors import Refused
from tasks.kinds.base import ChildSoFar, NewChild, kind_named, registered
from tasks.log import joblog
from tasks.models import Queue, SubTask, Task
from tasks.queueing import control, route, shares, wake
from tasks.queueing.closing import WHOLE, close_if_whole
from tasks.states import OPEN, TERMINAL, ChildState, Level, Priority, TaskState

_ADD = """
INSERT INTO tasks_subtask (task_id, position, key, stage, queue, state, generation, attempt, lost, input, result,
                           error_code, error, error_data)
SELECT %s, %s + n, key, stage, queue, 'pending', %s, 0, 0, input, '{}', '', '', '{}'
  FROM unnest(%s::text[], %s::jsonb[], %s::text[], %s::text[]) WITH ORDINALITY AS c(key, input, stage, queue, n)
ON CONFLICT (task_id, key) DO NOTHING
RETURNING queue, position
"""


def who(by) -> str:
    return by.get_username() if by is not None else "Sheaf"


def ensure_queues() -> None:
    """Give every queue that a Kind names its row. A row that exists is staff's own and stays as it is."""
    for kind in registered():
        for default in kind.queues:
            Queue.objects.get_or_create(
                name=default.name,
                defaults={
                    "limit": default.limit if default.limit is not None else os.cpu_count() or 1,
                    "per_host": default.per_host,
                    "deadline_s": default.deadline_s,
                    "rate_per_minute": default.rate_per_minute,
                },
            )


def create(
    kind: str,
    owner=None,
    title: str = "",
    params: dict | None = None,
    *,
    priority: int = Priority.NORMAL,
    expected: int | None = None,
    max_failed: int | None = None,
    follows: Task | None = None,
    follows_key: str = "",
) -> Task:
    """A draft: it waits for ``start``. Raises Refused("unknown_kind").

    ``max_failed``: stop the batch when so many of its children have failed; 1 stops at the first.
    ``follows``: the batch whose ``complete`` makes this one. There is one of a kind, run of the first and
    ``follows_key``: a closing step that runs twice gets the same Task again. Its owner is that of the first, unless
    another is given.
    """
    if kind_named(kind) is None:
        raise Refused("unknown_kind", kind=kind)
    values = {
        "owner": owner if owner is not None or follows is None else follows.owner,
        "title": title,
        "params": params or {},
        "priority": priority,
        "expected": expected,
        "max_failed": max_failed,
    }
    if follows is None:
        return Task.objects.create(kind=kind, **values)
    which = {"follows": follows, "follows_generation": follows.generation, "follows_key": follows_key}
    return Task.objects.get_or_create(kind=kind, **which, defaults=values)[0]


@transaction.atomic
def start(task: Task, by=None, *, expected: int | None = None) -> bool:
    """Hand a draft to the manager job that makes its children. Starting twice is one start: False the second time."""
    kind = kind_named(task.kind)
    started = Task.objects.filter(pk=task.pk, state=TaskState.DRAFT).update(
        state=TaskState.EXPANDING,
        started_at=Now(),
        route=route.of(kind, task) if kind else [],  # a worker of another version may know it
        expected=F("expected") if expected is None else Value(expected),
    )
    if started:
        promised = expected if expected is not None else task.expected
        if promised is None:
            joblog.say(task.pk, "submitted_open", who=who(by))
        else:
            joblog.say(task.pk, "submitted", who=who(by), expected=promised)
        control.defer_expand(task.pk)
    return bool(started)


def add(task: Task, children: Iterable[NewChild], first_position: int = 0) -> int:
    """Insert children in chunks, each in a transaction of its own, and wake lanes for them.

    ``first_position``: number of children that come before these. Returns how many were new (a key that exists is
    the same child). Raises Refused("has_ended") when the Task takes no more, after which nothing was added.
    """
    added, position = 0, first_position
    children = iter(children)
    while chunk := list(islice(children, settings.SHEAF_CHUNK)):
        added += add_chunk(task, chunk, position)
        position += len(chunk)
    return added


@transaction.atomic
def add_chunk(task: Task, chunk: Sequence[NewChild], before: int) -> int:
    """One transaction of ``add``: ``before`` children come earlier in the Task. Returns how many were new."""
    kind = kind_named(task.kind)
    begins = [route.first(kind, task.route, ChildSoFar(child.key, child.input, task.params)) for child in chunk]
    with connection.cursor() as cursor:
        cursor.execute(
            _ADD,
            [
                task.pk,
                before,
                task.generation,
                [child.key for child in chunk],
                [joblog.storable_json(child.input) for child in chunk],
                [stage for stage, _ in begins],
                [queue for _, queue in begins],
            ],
        )
        added = cursor.fetchall()
    # The Task's row last: it is locked for as short as can be, and nothing is added to one that takes no more.
    if not Task.objects.filter(pk=task.pk, state__in=OPEN, sealed=False).update(total=F("total") + len(added)):
        raise Refused("has_ended")
    if added:
        shares.mark_ready([(task.pk, queue, position) for queue, position in added])
        wake.after_commit({queue for queue, _ in added}, len(added))
    return len(added)


@transaction.atomic
def extend(task: Task, children: Sequence[NewChild], by=None) -> int:
    """Add a few children by hand: to the run under way, or to a Task that has ended, whose next generation they open.

    Returns how many were new. Raises Refused("not_ended") while the Task is expanding, cancelling or finalizing, and
    Refused("nothing_new") when all of them are there, after which nothing has changed.
    """
    task = Task.objects.select_for_update(no_key=True).get(pk=task.pk)  # from here on nobody closes it
    if task.state in TERMINAL:
        _open_next_generation(task.pk)
        task.refresh_from_db()
        shares.release(task.pk)
    elif task.state == TaskState.RUNNING and (task.sealed or task.reopening is not None):
        Task.objects.filter(pk=task.pk).update(sealed=False)
    else:
        raise Refused("not_ended")
    last = SubTask.objects.filter(task=task).aggregate(last=Max("position", default=0))["last"]
    added = add_chunk(task, children, last)
    if not added:
        raise Refused("nothing_new")
    Task.objects.filter(pk=task.pk).update(expected=F("total"))
    joblog.say(task.pk, "extended", who=who(by), added=added)
    if task.reopening is None:  # else what moves the failed ones back seals it
        seal(task)
    return added


@transaction.atomic
def seal(task: Task) -> None:
    """No more children will come. An empty Task closes here; so does one whose children have all ended already."""
    if Task.objects.filter(pk=task.pk, sealed=False).update(
        sealed=True,
        reopening=None,
        state=Case(When(state=TaskState.EXPANDING, then=Value(TaskState.RUNNING)), default=F("state")),
    ):
        close_if_whole(task.pk)


@transaction.atomic
def pause(task: Task, by=None) -> bool:
    """Hand out no more children; what runs may end. False if it was paused or has ended."""
    paused = Task.objects.filter(pk=task.pk, paused=False, state__in=OPEN).update(paused=True)
    if paused:
        shares.hold(task.pk)
        joblog.say(task.pk, "paused", who=who(by))
    return bool(paused)


@transaction.atomic
def resume(task: Task, by=None) -> bool:
    resumed = Task.objects.filter(pk=task.pk, paused=True, state__in=OPEN).update(paused=False)
    if resumed:
        shares.release(task.pk)
        joblog.say(task.pk, "resumed", who=who(by))
        wake.after_commit(shares.queues_of(task.pk))
    return bool(resumed)


@transaction.atomic
def cancel(task: Task, by=None) -> bool:
    """Nothing new begins from now on; running children are stopped by their workers; the rest follows in chunks."""
    if Task.objects.filter(pk=task.pk, state=TaskState.DRAFT).update(
        state=TaskState.CANCELLED, sealed=True, cancelled_at=Now(), finished_at=Now()
    ):
        return True
    cancelled = Task.objects.filter(pk=task.pk, state__in=OPEN).update(
        state=TaskState.CANCELLING, paused=False, cancelled_at=Now()
    )
    if cancelled:
        shares.hold(task.pk)
        joblog.say(task.pk, "cancelling", level=Level.WARNING, who=who(by))
        control.defer_sweep_up(task.pk)
    return bool(cancelled)


@transaction.atomic
def retry_failed(task: Task, by=None, codes: Sequence[str] | None = None) -> bool:
    """Open the next generation with the failed children (of these error codes). When it ends, it is finalized again.

    Raises Refused("not_ended") or Refused("nothing_failed").
    """
    failed = SubTask.objects.filter(task=task, state="failed")
    codes = [code.replace("\x00", "\ufffd") for code in codes or ()]  # no code has one, and PostgreSQL takes none
    if codes:
        failed = failed.filter(error_code__in=codes)
    if not failed.exists():
        Task.objects.get(pk=task.pk)
        raise Refused("nothing_failed")
    if not _open_next_generation(task.pk, {"codes": codes} if codes else {}, failed__gt=0):
        raise Refused("not_ended")
    shares.release(task.pk)
    joblog.say(task.pk, "retrying", who=who(by), failed=failed.count())
    control.defer_sweep_up(task.pk)
    return True


@transaction.atomic
def run_the_rest(task: Task, by=None) -> bool:
    """Open the next generation with every child that did not succeed: what was cancelled, and what failed.

    Raises Refused("not_ended") or Refused("nothing_left").
    """
    row = Task.objects.get(pk=task.pk)
    if row.state in TERMINAL and not row.failed + row.cancelled:
        raise Refused("nothing_left")
    if not _open_next_generation(task.pk, {"states": [ChildState.FAILED, ChildState.CANCELLED]}):
        raise Refused("not_ended")
    shares.release(task.pk)
    joblog.say(task.pk, "running_rest", who=who(by), failed=row.failed, cancelled=row.cancelled)
    control.defer_sweep_up(task.pk)
    return True


def _open_next_generation(task_id: int, reopening: dict | None = None, **given) -> bool:
    """``reopening``: which ended children are moved back before it is sealed. False if it has not ended."""
    return bool(
        Task.objects.filter(pk=task_id, state__in=TERMINAL, **given).update(
            state=TaskState.RUNNING,
            generation=F("generation") + 1,
            sealed=False,
            paused=False,
            reopening=reopening,
            cancelled_at=None,
            finished_at=None,
            error_code="",
            error="",
        )
    )


@transaction.atomic
def finalize_again(task: Task, by=None) -> bool:
    """Run the closing step of a Task that failed in it once more. Raises Refused("not_failed")."""
    again = Task.objects.filter(WHOLE, pk=task.pk, state=TaskState.FAILED).update(
        state=TaskState.FINALIZING, finalize_attempts=0, error_code="", error="", finished_at=None
    )
    if not again:
        raise Refused("not_failed")
    control.defer_finalize(task.pk, Task.objects.values_list("generation", flat=True).get(pk=task.pk))
    return True
