"""Ten thousand notices while the LISTEN connection's heartbeat runs on it: none ends it, and every line is shown."""

import psycopg
import pytest
from asgiref.sync import sync_to_async

from streaming.hub import Hub
from streaming.subscription import Subscription
from tasks.triggers import CHANNEL
from tests.integration.streaming.watching import WRITE, database_url, person, running_task, until, values

pytestmark = pytest.mark.django_db(transaction=True)


async def test_ten_thousand_notices_amid_heartbeats_lose_no_line(settings):
    task = await sync_to_async(lambda: running_task(person()))()
    settings.SHEAF_LIVE_HEARTBEAT_S = 0.2
    settings.SHEAF_LIVE_POLL_S = 60  # nothing but notices may bring the lines
    hub = Hub.here()
    try:
        subscription = Subscription(hub, task.id, 0, lambda: None)
        await subscription.next()
        await until(lambda: hub.listener.state == "listening", 20)
        async with await psycopg.AsyncConnection.connect(database_url(), autocommit=True) as db:
            for turn in range(20):
                await db.execute(
                    "SELECT pg_notify(%s, %s || ':' || n) FROM generate_series(1, 500) n", [CHANNEL, f"{task.id}"]
                )
                await db.execute(WRITE, values(task.id, [f"line {turn}"]))
        await until(lambda: subscription.watched.head == 20, 30)
        assert hub.listener.state == "listening"
        subscription.leave()
    finally:
        await hub.close()
