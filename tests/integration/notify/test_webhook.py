"""A webhook goes out once a generation, signed, tried again by the engine, and never where it must not."""

from __future__ import annotations

import json
import time

import pytest

from tasks import fanout
from tasks.kinds.notify import signing, wishes
from tasks.kinds.notify.models import Notice
from tasks.models import Queue, Task
from tests.processes import wait_until
from tests.standin.receiver import Receiver

pytestmark = pytest.mark.django_db(transaction=True)
ORIGIN = "https://sheaf.example.org/"


@pytest.fixture
def want(batch, settings):
    """Ask for a webhook of the batch; returns its secret."""

    def want(url: str) -> str:
        settings.SHEAF_WEBHOOK_PRIVATE = ["127.0.0.1"]
        return wishes.ask(batch, "webhook", url, by=batch.owner, origin=ORIGIN)[1]

    return want


def ended(notice: Notice, worker, timeout: float = 30) -> Task:
    def over():
        task = Task.objects.get(pk=notice.task_id)
        return task if task.is_terminal else None

    return wait_until(over, timeout, what="the notice to end", processes=[worker])


def test_twice_500_then_200_is_delivered_with_one_id_one_body_and_a_fresh_signature(batch, want, worker_for):
    with Receiver(500, 500, 200) as receiver, worker_for("127.0.0.1") as worker:
        secret = want(receiver.url)
        (notice,) = wishes.tell(batch, "/sets/1/report/")
        task = ended(notice, worker)
        assert (task.state, task.succeeded, task.failed) == ("completed", 1, 0)
        assert len(receiver.calls) == 3
    for call in receiver.calls:
        assert call.method == "POST" and call.body == receiver.calls[0].body
        assert call.headers["webhook-id"] == str(notice.pk)
        stamp = int(call.headers["webhook-timestamp"])
        assert abs(stamp - call.at) < 5
        assert call.headers["webhook-signature"] == signing.signature(secret, str(notice.pk), stamp, call.body)
    body = json.loads(receiver.calls[0].body)
    assert body["type"] == "batch.ended"
    assert body["data"] == {
        "id": batch.pk,
        "kind": "literature",
        "title": "Hay\nand its uses",
        "generation": 1,
        "state": "completed",
        "total": 2,
        "succeeded": 1,
        "failed": 1,
        "cancelled": 0,
        "url": "https://sheaf.example.org/sets/1/report/",
    }
    assert wishes.sent_for(batch)[0].look == "succeeded"


def test_a_closing_step_that_runs_twice_tells_once_and_the_next_generation_again(batch, want, worker_for):
    with Receiver(200) as receiver, worker_for("127.0.0.1") as worker:
        want(receiver.url)
        (notice,) = wishes.tell(batch, "/")
        assert wishes.tell(batch, "/") == []
        ended(notice, worker)
        batch.generation = 2
        (again,) = wishes.tell(batch, "/")
        ended(again, worker)
        assert [call.headers["webhook-id"] for call in receiver.calls] == [str(notice.pk), str(again.pk)]


def test_a_redirect_is_refused_and_not_followed(batch, want, worker_for):
    with Receiver(200) as other, Receiver((302, {"location": other.url})) as receiver:
        with worker_for("127.0.0.1") as worker:
            want(receiver.url)
            (notice,) = wishes.tell(batch, "/")
            task = ended(notice, worker)
    assert (task.failed, task.children.get().error_code) == (1, "hook_refused")
    assert len(receiver.calls) == 1 and not other.calls


@pytest.mark.parametrize("answer", [401, 403, 410, 404])
def test_a_receiver_that_refuses_fails_its_own_notice_and_stops_nobody_elses(batch, want, worker_for, answer):
    with Receiver(answer, 200) as receiver, worker_for("127.0.0.1", SHEAF_BREAKER_FAILURES=1) as worker:
        want(receiver.url)
        (notice,) = wishes.tell(batch, "/")
        if answer in (401, 403):  # a key may be put right: it is tried again
            assert ended(notice, worker).succeeded == 1
        else:
            task = ended(notice, worker)
            assert task.failed == 1
            assert fanout.retry_failed(task)  # a person sends it again
            wait_until(lambda: Task.objects.get(pk=task.pk).succeeded == 1, 20, what="the retry", processes=[worker])
        assert Queue.objects.get(pk="webhook").breaker == "closed"


def test_a_slow_receiver_is_given_up_at_the_deadline_and_asked_again(batch, want, worker_for):
    with Receiver(30.0, 200) as receiver, worker_for("127.0.0.1") as worker:
        Queue.objects.filter(pk="webhook").update(deadline_s=2)
        want(receiver.url)
        began = time.monotonic()
        (notice,) = wishes.tell(batch, "/")
        assert ended(notice, worker).succeeded == 1
        assert len(receiver.calls) == 2 and time.monotonic() - began < 20


def test_a_private_address_is_refused_by_the_door_and_nothing_is_sent(batch, want, worker_for):
    with Receiver(200) as receiver, worker_for() as worker:
        want(receiver.url)
        (notice,) = wishes.tell(batch, "/")
        task = ended(notice, worker)
        assert (task.failed, task.children.get().error_code) == (1, "hook_inside")
        assert not receiver.calls


def test_neither_secret_nor_path_is_in_what_staff_can_read(batch, want, worker_for):
    with Receiver(404) as receiver, worker_for("127.0.0.1") as worker:
        secret = want(receiver.url)
        (notice,) = wishes.tell(batch, "/")
        task = ended(notice, worker)
        child = task.children.get()
        read = json.dumps([task.params, child.input, child.result, child.error, child.error_data])
        read += json.dumps(list(task.log.values_list("text", "data")))
        assert secret not in read and "T0PSECRET" not in read and worker.output.count("T0PSECRET") == 0


def test_a_wish_taken_back_is_not_told(batch, want, worker_for):
    with Receiver(200) as receiver:
        want(receiver.url)
        (notice,) = wishes.tell(batch, "/")
        wishes.take_back(batch, "webhook")
        with worker_for("127.0.0.1") as worker:
            assert ended(notice, worker).children.get().error_code == "notice_off"
        assert not receiver.calls
