"""The last word on what may be stored is the database's: states, counters, deadlines, leases."""

import itertools

import pytest
from django.db import Error, IntegrityError, transaction

from tasks import fanout
from tasks.models import Queue, SubTask, Task
from tasks.states import ACTIVE, TASK_TRANSITIONS, TaskState
from tests.integration.engine.batches import counters, fresh

ILLEGAL = [
    pair
    for pair in itertools.product(TaskState.values, repeat=2)
    if pair[0] != pair[1] and pair not in [(str(one), str(other)) for one, other in TASK_TRANSITIONS]
]


@pytest.mark.parametrize(("before", "after"), ILLEGAL)
def test_a_state_that_may_not_follow_is_refused(before, after):
    task = Task.objects.create(kind="noop", state=before, sealed=True)
    with pytest.raises(Error, match="nvalid transition"), transaction.atomic():
        Task.objects.filter(pk=task.pk).update(state=after)
    assert fresh(task).state == before


@pytest.mark.parametrize(
    "fields",
    [{"succeeded": -1}, {"failed": -1}, {"cancelled": -1}, {"failed": 3}, {"cancelled": 1, "succeeded": 2}],
    ids=str,
)
def test_counters_that_cannot_be_are_refused(fields):
    task = Task.objects.create(kind="noop", state="running", total=2)
    with pytest.raises(IntegrityError), transaction.atomic():
        Task.objects.filter(pk=task.pk).update(**fields)


@pytest.mark.parametrize("state", ["finalizing"])
def test_a_batch_that_is_not_whole_cannot_close(state):
    task = Task.objects.create(kind="noop", state="running", total=2, succeeded=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        Task.objects.filter(pk=task.pk).update(state=state)


@pytest.mark.parametrize("state", [str(state) for state in ACTIVE])
def test_an_unfinished_batch_cannot_be_deleted(state):
    task = Task.objects.create(kind="noop", state=state)
    with pytest.raises(Error, match="annot delete"), transaction.atomic():
        task.delete()
    assert Task.objects.filter(pk=task.pk).exists()


def test_a_child_cannot_run_without_a_lease():
    task = Task.objects.create(kind="noop", state="running", total=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        SubTask.objects.create(task=task, position=1, key="a", stage="noop", queue="noop", state="running")


def test_the_same_key_twice_is_refused():
    task = Task.objects.create(kind="noop", state="running", total=1)
    fields = {"task": task, "key": "a", "stage": "noop", "queue": "noop"}
    SubTask.objects.create(position=1, **fields)
    with pytest.raises(IntegrityError), transaction.atomic():
        SubTask.objects.create(position=2, **fields)


@pytest.mark.parametrize("deadline_s", [0, 91])
def test_a_deadline_beyond_ninety_seconds_is_refused(deadline_s):
    with pytest.raises(IntegrityError), transaction.atomic():
        Queue.objects.create(name="patient", deadline_s=deadline_s)


def test_children_deleted_by_hand_are_forgotten_in_one_statement():
    task = Task.objects.create(kind="noop", state="running", total=4, failed=1, succeeded=1)
    for nth, state in enumerate(("pending", "pending", "failed", "succeeded")):
        SubTask.objects.create(task=task, position=nth, key=f"{nth}", stage="noop", queue="noop", state=state)
    task.children.exclude(state="succeeded").delete()
    assert counters(task) == (1, 1, 0, 0)


def test_every_change_of_a_batch_is_numbered():
    task = fanout.create("noop", params={"n": 1})
    before = fresh(task).version
    fanout.start(task)
    assert fresh(task).version > before
