"""What a lane fetches in advance is begun at once, or goes back."""

import asyncio

import pytest

from tasks.errors import ServiceDown
from tasks.queueing import messages
from tasks.queueing.messages import Assignment, Hold, Outcome
from tasks.worker import prefetch
from tasks.worker.pace import Pace

HOLD = Hold(lane_id=1, run=1, queue="service", host="", slot=0, job_id=1)


def child(n, lost=0):
    return Assignment(HOLD, n, 1, n, f"{n}", "ask", n, 1, lost, {}, {}, 5)


class Request:
    def __init__(self, finished, most, in_advance):
        self.finished, self.most, self.ahead = finished, most, in_advance
        self.answer = asyncio.get_running_loop().create_future()


class Desk:
    """Answers nothing by itself; keeps what it was asked."""

    trip_s = 0.001

    def __init__(self):
        self.requests, self.heard = [], 0

    def ask(self, hold, finished, most, *, ahead=False):
        request = Request(finished, most, ahead)
        self.requests.append(request)
        if not most:
            request.answer.set_result([])
        return request

    async def next(self, hold, finished, most):
        return await self.ask(hold, finished, most).answer

    def hear(self):
        self.heard += 1


@pytest.fixture
async def lane(monkeypatch):
    monkeypatch.setattr(prefetch, "KEEP_S", 0.2)
    pace, desk = Pace(), Desk()
    pace.note("service", 0.05)
    lane = prefetch.Ahead(desk, HOLD, pace)
    yield lane, desk
    await lane.close()


async def asked(desk, n=1):
    async with asyncio.timeout(1):
        while len(desk.requests) < n:  # noqa: ASYNC110 - the desk is a fake without signals
            await asyncio.sleep(0.005)
    return desk.requests[n - 1]


DONE = Outcome(child(1), messages.SUCCEEDED, answered=True)


async def test_the_next_child_is_there_when_the_present_one_ends(lane):
    lane, desk = lane
    lane.watch(child(1))
    request = await asked(desk)
    assert request.ahead and request.most == 1
    request.answer.set_result([child(2)])
    assert await lane.next([DONE], 1) == [child(2)]
    assert desk.requests[1].finished == [DONE]  # settled at once, beside it


async def test_a_service_in_trouble_decides_first(lane):
    lane, desk = lane
    lane.watch(child(1))
    (await asked(desk)).answer.set_result([child(2)])
    trouble = Outcome(child(1), messages.RETRY, trouble=ServiceDown("service_down"))
    coming = asyncio.ensure_future(lane.next([trouble], 1))
    back, again = await asked(desk, 2), await asked(desk, 3)
    assert [(one.assignment, one.end, one.burns) for one in back.finished] == [(child(2), messages.HANDED_BACK, False)]
    assert again.finished == [trouble]
    again.answer.set_result([])
    assert await coming == []


async def test_what_is_not_begun_in_time_goes_back(lane):
    lane, desk = lane
    lane.watch(child(1))
    (await asked(desk)).answer.set_result([child(2)])
    back = await asked(desk, 2)  # the present child turned out to be long
    assert [(one.assignment, one.end) for one in back.finished] == [(child(2), messages.HANDED_BACK)]


async def test_a_request_without_an_answer_is_taken_back_in_time(lane):
    lane, desk = lane
    lane.watch(child(1))
    request = await asked(desk)
    await asyncio.sleep(0.25)
    assert request.answer.cancelled()


async def test_a_request_that_still_waits_becomes_an_ordinary_one(lane):
    lane, desk = lane
    lane.watch(child(1))
    request = await asked(desk)
    coming = asyncio.ensure_future(lane.next([DONE], 1))
    await asked(desk, 2)
    assert (request.ahead, desk.heard) == (False, 1)
    request.answer.set_result([child(2)])
    assert await coming == [child(2)]


async def test_a_lane_that_ends_gives_back_what_it_holds(lane):
    lane, desk = lane
    lane.watch(child(1))
    (await asked(desk)).answer.set_result([child(2)])
    await lane.close()
    assert [one.end for one in desk.requests[1].finished] == [messages.HANDED_BACK]


@pytest.mark.parametrize(("seconds", "lost"), [(0.001, 0), (10, 0), (0.05, 1)])
async def test_nothing_is_fetched_ahead_of_very_short_long_or_suspect_children(seconds, lost):
    pace, desk = Pace(), Desk()
    pace.note("service", seconds)
    lane = prefetch.Ahead(desk, HOLD, pace)
    lane.watch(child(1, lost))
    await asyncio.sleep(0.15)
    assert desk.requests == []
    await lane.close()
