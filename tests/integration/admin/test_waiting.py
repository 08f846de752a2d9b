"""What a batch is waiting for is said as it is, for each of the things that can hold it up."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone, translation

from tasks import sentences
from tasks.models import Lane, Queue, Share, SubTask, Worker
from tasks.observe.waiting import reasons


@pytest.fixture
def listening(press):
    return Worker.objects.create(token=uuid.uuid4(), host="anna", pid=1, concurrency=8, queues=["press"])


@pytest.fixture
def waiting_task(make_task, press):
    task = make_task(children=["pending", "pending"])
    Share.objects.create(task=task, queue="press")
    return task


def codes(task):
    return [reason.code for reason in reasons(task)]


@pytest.mark.parametrize("state", ["completed", "cancelled", "failed"])
def test_what_has_ended_waits_for_nothing(make_task, state):
    assert reasons(make_task(children=["succeeded"], state=state)) == []


def test_nothing_is_said_while_nothing_holds_it_up(waiting_task, listening):
    assert reasons(waiting_task) == []


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"state": "draft", "children": []}, "waiting_start"),
        ({"state": "cancelling"}, "waiting_cancel"),
        ({"state": "finalizing", "children": ["succeeded"]}, "waiting_finalize"),
        ({"state": "expanding", "sealed": False}, "waiting_expand"),
        ({"paused": True}, "waiting_pause"),
    ],
)
def test_the_state_of_the_batch_itself(make_task, fields, code):
    assert code in codes(make_task(**{"children": ["pending"], **fields}))


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"paused": True}, "waiting_queue_paused"),
        ({"limit": 0}, "waiting_limit_zero"),
        ({"breaker": "open"}, "waiting_breaker_person"),
        ({"breaker": "open", "breaker_until": timezone.now() + timedelta(hours=1)}, "waiting_breaker"),
        ({"breaker": "half_open"}, "waiting_breaker"),
        ({"next_call_at": timezone.now() + timedelta(hours=9)}, "waiting_retry_after"),
        ({"rate_per_minute": 6, "next_call_at": timezone.now() + timedelta(hours=9)}, "waiting_rate"),
    ],
)
def test_the_queue_it_waits_in(waiting_task, listening, fields, code):
    Queue.objects.update(**fields)
    assert codes(waiting_task) == [code]


def test_a_queue_that_nothing_of_it_waits_in_is_not_blamed(make_task, press, listening):
    task = make_task(children=["succeeded", "running"])
    Share.objects.create(task=task, queue="press")  # still marked ready: the mark is corrected lazily
    Queue.objects.update(paused=True)
    assert reasons(task) == []


def test_a_queue_without_a_row(waiting_task):
    Queue.objects.all().delete()
    assert codes(waiting_task) == ["waiting_no_queue"]


def test_no_living_worker_serves_the_queue(waiting_task, listening):
    assert codes(waiting_task) == []
    Worker.objects.update(queues=["other"])
    assert codes(waiting_task) == ["waiting_no_worker"]
    Worker.objects.update(queues=["press"], seen_at=timezone.now() - timedelta(minutes=5))
    assert codes(waiting_task) == ["waiting_no_worker"]
    Worker.objects.update(seen_at=timezone.now(), stopping=True)
    assert codes(waiting_task) == ["waiting_no_worker"]


def test_a_limit_that_other_batches_use_up_names_them(waiting_task, make_task, listening):
    other = make_task("Other", children=["running"])
    SubTask.objects.filter(pk=waiting_task.children.first().pk).update(state="running", lease=1, lane_id=1)
    (reason,) = reasons(waiting_task)
    assert reason.code == "waiting_limit"
    assert (reason.data["tasks"], reason.data["own"], reason.data["limit"]) == ([other.pk], 1, 2)
    assert f"#{other.pk}" in reason.sentence


def test_a_limit_that_it_uses_up_itself(waiting_task, listening):
    for n in range(2):
        SubTask.objects.create(
            task=waiting_task,
            position=10 + n,
            key=f"r{n}",
            stage="parse",
            queue="press",
            state="running",
            lease=n,
            lane_id=n,
        )
    assert codes(waiting_task) == ["waiting_limit_own"]


def test_children_that_share_a_lane_take_one_place(waiting_task, listening):
    for n in range(2):
        SubTask.objects.create(
            task=waiting_task,
            position=10 + n,
            key=f"r{n}",
            stage="parse",
            queue="press",
            state="running",
            lease=n,
            lane_id=7,
        )
    assert codes(waiting_task) == []


def test_a_limit_per_machine_is_reached_on_all_of_them(waiting_task, make_task, listening):
    Queue.objects.update(per_host=True, limit=1)
    Worker.objects.create(token=uuid.uuid4(), host="berta", pid=1, concurrency=8, queues=["press"])
    make_task("Other", children=["running"])
    assert codes(waiting_task) == []
    make_task("Third", children=["running"])
    assert codes(waiting_task) == ["waiting_limit"]


def test_a_delayed_retry_says_when(make_task, press, listening):
    due = timezone.now() + timedelta(hours=1)
    task = make_task(children=[{"state": "pending", "available_at": due}, {"state": "pending", "available_at": due}])
    (reason,) = reasons(task)
    assert (reason.code, reason.data["n"]) == ("waiting_retry", 2)


def test_every_reason_has_a_sentence_of_its_own():
    for code in [code for code in sentences.codes() if code.startswith("waiting_")]:
        with translation.override("en"):
            assert sentences.sentence(code, {}) != code


def test_asking_costs_few_queries_however_much_waits(waiting_task, make_task, listening, django_assert_max_num_queries):
    Lane.objects.create(queue_id="press", slot=5)
    make_task("Other", children=["running", "running"])
    with django_assert_max_num_queries(8):
        reasons(waiting_task)
