"""The limit of a queue, as the service counts it, while it changes."""

import threading

import pytest
from django.db import connection, connections

from tasks import fanout
from tasks.models import Lane, Queue, SubTask
from tasks.queueing import lanes, ledger, messages, wake
from tests.processes import wait_until


def turn(service, limit):
    Queue.objects.filter(pk="standin").update(limit=limit)
    wake.now("standin")


def test_the_limit_is_reached_and_never_exceeded(service, calls, end):
    assert end(calls(60, ms=50)).succeeded == 60
    assert service.stats()["max_in_flight"] == 3


def test_a_limit_that_is_raised_and_lowered_while_it_works_is_kept(service, calls, end):
    task = calls(400, ms=60)
    wait_until(lambda: service.stats()["in_flight"] == 3, what="the limit to be reached")
    turn(service, 6)
    wait_until(lambda: service.stats()["max_in_flight"] == 6, what="the raised limit to be used")
    turn(service, 2)
    wait_until(lambda: service.stats()["in_flight"] <= 2, what="what was open to end")
    begun = service.stats()["calls"]
    wait_until(lambda: service.stats()["calls"] > begun + 6, what="calls that were permitted before to be gone")
    service.control("limit", limit=2)
    service.mark()
    wait_until(lambda: service.stats()["calls"] > 30, what="calls under the lowered limit")
    assert service.stats()["over"] == 0
    assert service.stats()["max_in_flight"] == 2
    turn(service, 3)
    assert end(task).succeeded == 400


def test_a_limit_of_zero_stops_and_a_raised_one_goes_on(service, calls, end):
    turn(service, 0)
    task = calls(5)
    wait_until(lambda: task.children.count() == 5, what="the children")
    assert service.stats()["calls"] == 0
    turn(service, 3)
    assert end(task).succeeded == 5


def _hold(slot):
    return lanes.begin("race", "", slot, 1_000 + slot, "00000000-0000-4000-8000-000000000001")


@pytest.mark.parametrize("round_", range(10))
def test_two_desks_at_once_do_not_fill_one_free_place_twice(ground, round_):
    """Limit 6 was lowered to 2 while slot 4 still runs: one place is free, and two desks ask at the same moment."""
    Queue.objects.update_or_create(name="race", defaults={"limit": 6})
    Lane.objects.filter(queue="race").delete()
    SubTask.objects.filter(queue="race").delete()
    task = fanout.create("calls")
    SubTask.objects.bulk_create(
        SubTask(task=task, position=i, key=f"{i}", stage="ask", queue="race") for i in range(10)
    )
    type(task).objects.filter(pk=task.pk).update(state="expanding", total=10)
    type(task).objects.filter(pk=task.pk).update(state="running")
    from tasks.queueing import shares

    shares.mark_ready([(task.pk, "race", 0)])
    known = {"calls": ["ask"]}
    holds = [_hold(0), _hold(1), _hold(4)]
    assert ledger.trip(messages.Work(asks=[(holds[2], 1)]), known).taken
    Queue.objects.filter(pk="race").update(limit=2)
    barrier, taken = threading.Barrier(2), []

    def ask(hold):
        try:
            connection.ensure_connection()
            barrier.wait(10)
            taken.extend(ledger.trip(messages.Work(asks=[(hold, 1)]), known).taken)
        finally:
            connections.close_all()

    desks = [threading.Thread(target=ask, args=(hold,)) for hold in holds[:2]]
    for desk in desks:
        desk.start()
    for desk in desks:
        desk.join()
    fanout.cancel(task)
    SubTask.objects.filter(task=task).delete()
    type(task).objects.filter(pk=task.pk).update(sealed=True)
    assert len(taken) == 1
