"""Who may watch: nobody else sees a byte, and who may no longer is cut off."""

import asyncio

import pytest
import websockets
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Permission
from django.contrib.sessions.models import Session

from streaming.messages import MAX_INBOUND_CHARS
from tasks.models import Member
from tests.integration.streaming.watching import Watcher, person, running_task, session_of, write

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def task():
    task = running_task(person())
    write(task.id, "secret")
    return task


async def refused(web, task, cookie) -> int:
    async with Watcher(web.port, task.id, cookie) as watcher:
        code = await watcher.until_closed()
        assert [message["type"] for message in watcher.messages] == ["bye"]
        return code


@pytest.mark.parametrize("origin", ["http://evil.example", "null", None, "file://", "http://127.0.0.1:1"])
async def test_a_page_of_another_origin_gets_403_and_no_websocket(web, task, origin):
    cookie = await sync_to_async(session_of)(task.owner)
    with pytest.raises(websockets.InvalidStatus) as refusal:
        async with Watcher(web.port, task.id, cookie, origin=origin):
            pass
    assert refusal.value.response.status_code == 403


async def test_without_a_session_nothing_is_shown(web, task):
    assert await refused(web, task, "") == 4401
    assert await refused(web, task, "sessionid=nonsense") == 4401


async def test_another_researchers_task_and_no_task_at_all_look_alike(web, task):
    eve = await sync_to_async(session_of)(await sync_to_async(person)("eve"))
    assert await refused(web, task, eve) == 4403
    task.id += 1000
    assert await refused(web, task, eve) == 4403


async def test_staff_need_the_permission_to_view_batches(web, task):
    staff = await sync_to_async(person)("staff", is_staff=True)
    cookie = await sync_to_async(session_of)(staff)
    assert await refused(web, task, cookie) == 4403
    permission = await Permission.objects.aget(content_type__app_label="tasks", codename="view_task")
    await staff.user_permissions.aadd(permission)
    async with Watcher(web.port, task.id, cookie) as watcher:
        await watcher.until(lambda w: w.texts == ["secret"])


async def test_an_inactive_user_sees_nothing(web, task):
    cookie = await sync_to_async(session_of)(task.owner)
    task.owner.is_active = False
    await task.owner.asave()
    assert await refused(web, task, cookie) == 4401


async def _log_out(task):
    await Session.objects.all().adelete()


async def _deactivate(task):
    task.owner.is_active = False
    await task.owner.asave()


async def _change_password(task):
    task.owner.set_password("another")
    await task.owner.asave()


async def _give_away(task):
    task.owner = await sync_to_async(person)("new owner")
    await task.asave(update_fields=["owner"])


@pytest.mark.parametrize(
    ("revoke", "code"), [(_log_out, 4401), (_deactivate, 4401), (_change_password, 4401), (_give_away, 4403)]
)
async def test_who_may_no_longer_watch_is_cut_off_while_streaming(web, task, revoke, code):
    cookie = await sync_to_async(session_of)(task.owner)
    async with Watcher(web.port, task.id, cookie) as watcher:
        await watcher.until(lambda w: w.seqs == [1])
        await revoke(task)
        assert await watcher.until_closed() == code
        await sync_to_async(write)(task.id, "later")
        assert "later" not in watcher.texts
        assert await refused(web, task, cookie) == code


async def test_a_colleague_watches_what_is_shared_and_is_cut_off_when_taken_out(web, task):
    eve = await sync_to_async(person)("eve")
    cookie = await sync_to_async(session_of)(eve)
    assert await refused(web, task, cookie) == 4403
    member = await Member.objects.acreate(task=task, user=eve, role="reader")
    async with Watcher(web.port, task.id, cookie) as watcher:
        await watcher.until(lambda w: w.texts == ["secret"])
        await member.adelete()
        assert await watcher.until_closed(timeout=20) == 4403


async def test_too_much_too_large_and_nonsense_from_a_client_close_its_socket(web, task):
    cookie = await sync_to_async(session_of)(task.owner)
    for said, code in [
        (["x" * (MAX_INBOUND_CHARS + 1)], 4413),
        (["nonsense"], 4400),
        (['{"type":"ack","frames":999}'], 4400),
        (["[" * 1000], 4400),
        (['{"type":"hello"}'] * 100, 4429),
    ]:
        async with Watcher(web.port, task.id, cookie, acks=False) as watcher:
            await watcher.until(lambda w: w.of("task"))
            for text in said:
                try:
                    await watcher.socket.send(text)
                except websockets.ConnectionClosed:
                    break
            assert await watcher.until_closed() == code, said[0][:30]


async def test_a_client_that_confirms_nothing_is_closed_and_the_others_go_on(web, task):
    cookie = await sync_to_async(session_of)(task.owner)
    async with Watcher(web.port, task.id, cookie, acks=False) as mute, Watcher(web.port, task.id, cookie) as good:
        for turn in range(30):
            await sync_to_async(write)(task.id, *(f"{turn} {'x' * 1000}" for _ in range(50)))
        await good.until(lambda w: len(w.seqs) == 1501)
        assert await mute.until_closed() == 4409
        assert len(mute.seqs) < 1501
        await asyncio.wait_for(mute.socket.wait_closed(), 20)
    async with Watcher(web.port, task.id, cookie, after=mute.seqs[-1]) as again:
        await again.until(lambda w: len(w.seqs) == 1501 - mute.seqs[-1])
