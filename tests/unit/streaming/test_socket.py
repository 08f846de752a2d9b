"""One websocket's object: what hangs behind it never keeps a disconnect from being noticed, and confirming is cheap."""

import asyncio
import json

import pytest

from streaming import consumers
from streaming.consumers import RATE_MESSAGES, WINDOW_FRAMES, TaskSocket
from streaming.messages import Close
from tests.integration.streaming.watching import until


class Hanging:
    """A subscription whose next message never comes."""

    close_code = None
    left = False

    def __init__(self):
        self.asked = asyncio.Event()

    async def next(self):
        self.asked.set()
        await asyncio.Event().wait()

    def leave(self):
        self.left = True


class Endless(Hanging):
    async def next(self):
        return "x"


@pytest.fixture
def opened(monkeypatch):
    """socket(subscription) and what it sent."""
    sent = []

    class NoRounds:
        def here(self):
            return self

        def add(self, socket):
            pass

        drop = add

    monkeypatch.setattr(consumers, "Rounds", NoRounds())

    async def send(message):
        sent.append(message)

    return lambda subscription: TaskSocket(send, "key", 1, lambda wake: subscription), sent


async def test_a_disconnect_is_noticed_at_once_while_a_read_hangs(opened):
    open_socket, _ = opened
    subscription = Hanging()
    socket = open_socket(subscription)
    await asyncio.wait_for(subscription.asked.wait(), 5)

    async def receive():
        return {"type": "websocket.disconnect", "code": 1006}

    await asyncio.wait_for(socket.listen(receive), 5)
    drain = socket._drain
    socket.leave()
    await asyncio.wait({drain}, timeout=5)
    assert drain.cancelled() and subscription.left


async def test_no_more_is_under_way_than_the_window_and_confirming_opens_it_without_a_thread(opened, monkeypatch):
    monkeypatch.setattr(asyncio.get_running_loop(), "run_in_executor", None)  # asking a thread would fail
    open_socket, sent = opened
    socket = open_socket(Endless())
    for turn in range(1, 5):
        await until(lambda full=turn * WINDOW_FRAMES: len(sent) >= full)
        await asyncio.sleep(0)
        assert len(sent) == turn * WINDOW_FRAMES
        for frames in range(socket._received + 1, len(sent) + 1):  # one by one, faster than anything else may be said
            assert socket._hear(json.dumps({"type": "ack", "frames": frames})) is None
    said = [socket._hear(json.dumps({"type": "ack", "frames": socket._received})) for _ in range(RATE_MESSAGES + 1)]
    assert said == [None] * RATE_MESSAGES + [Close.TOO_OFTEN]
    socket.leave()
