"""One deadline covers the whole call, and nothing is sent by whom it is not due."""

import asyncio
import socket
import time

import pytest

from tasks.errors import LaneStale, ServiceDown
from tasks.outbound import calls
from tests.processes import wait_until


@pytest.mark.parametrize(("do", "every_s"), [("hang", 0), ("drip", 0.05), ("drip_headers", 0.05)])
async def test_a_peer_that_hangs_or_drips_is_cut_at_the_deadline(get, service, do, every_s):
    began = time.monotonic()
    with pytest.raises(ServiceDown) as caught:
        await get(do, every_s=every_s, options={"deadline_s": 0.5})
    assert 0.45 <= time.monotonic() - began < 10  # of a peer that never ends
    assert (caught.value.code, caught.value.burns) == ("service_slow", True)
    wait_until(lambda: service.stats()["in_flight"] == 0, 10, what="the service to see that we left")


async def test_the_attempts_own_deadline_ends_the_call_a_little_earlier(get, attempt):
    attempt.until = time.monotonic() + 2
    with pytest.raises(ServiceDown) as caught:
        await get("hang")
    assert caught.value.code == "service_slow"
    assert attempt.seconds_left() > 0


async def test_a_peer_that_takes_no_request_is_cut_at_the_deadline(attempt):
    """It listens and never reads: a large request gets stuck while it is sent."""
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}/"
        began = time.monotonic()
        with pytest.raises(ServiceDown) as caught:
            await calls.call(attempt, "POST", url, content=b"x" * 50_000_000, deadline_s=0.5)
    assert time.monotonic() - began < 10
    assert caught.value.code == "service_slow"
    await calls.close()


async def test_a_peer_that_accepts_nothing_costs_no_attempt(attempt, monkeypatch):
    monkeypatch.setattr(calls, "CONNECT_S", 0.3)
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        fillers = []
        for _ in range(4):  # the queue of connections is full: further ones get no answer
            filler = socket.socket()
            filler.setblocking(False)
            filler.connect_ex(full.getsockname())
            fillers.append(filler)
        with pytest.raises(ServiceDown) as caught:
            await calls.call(attempt, "GET", f"http://127.0.0.1:{full.getsockname()[1]}/")
        for filler in fillers:
            filler.close()
    assert (caught.value.code, caught.value.burns) == ("service_down", False)
    await calls.close()


async def test_no_call_begins_for_a_lane_that_was_not_renewed(get, service, attempt):
    service.mark()
    attempt.fresh = False
    with pytest.raises(LaneStale):
        await get("ok")
    assert service.stats()["calls"] == 0


async def test_a_process_that_was_frozen_before_it_sent_sends_nothing(get, service, attempt, monkeypatch):
    """Fresh when the call began, connected, and stale by the time the first byte would leave."""
    from tasks.outbound import wire

    connect = wire._Backend.connect_tcp

    async def frozen_after_connecting(*arguments, **options):
        stream = await connect(*arguments, **options)
        attempt.fresh = False
        return stream

    monkeypatch.setattr(wire._Backend, "connect_tcp", frozen_after_connecting)
    service.mark()
    with pytest.raises(LaneStale):
        await get("ok")
    assert service.stats()["calls"] == 0


async def test_a_cancelled_call_ends_at_once_and_the_service_sees_it(get, service):
    service.mark()
    call = asyncio.ensure_future(get("hang"))
    await asyncio.to_thread(wait_until, lambda: service.stats()["in_flight"], 5, what="the call to arrive")
    began = time.monotonic()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert time.monotonic() - began < 10
    wait_until(lambda: service.stats()["in_flight"] == 0, 10, what="the service to see that we left")


async def test_calls_after_a_cut_one_find_the_door_open(get):
    with pytest.raises(ServiceDown):
        await get("hang", options={"deadline_s": 0.2})
    for _ in range(3):
        assert (await get("ok")).status == 200
