"""The parts of a batch's page over the live connection: who is shown what, and how often it is rendered."""

from __future__ import annotations

import asyncio
import json

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Permission

from tasks.models import Member, Task
from tests.integration.literature.ended import ended_set
from tests.integration.streaming.watching import Watcher, person, session_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def task():
    return Task.objects.select_related("owner").get(pk=ended_set(person()).pk)


class Page(Watcher):
    """A watcher that shows parts as web/parts.js does."""

    async def show(self, query: str = "", *, language: str = "en", version: int = 0) -> None:
        self.query, self.lines, self.taken, self.base = query, {}, 0, None
        wish = {"type": "show", "query": query, "language": language, "version": version}
        await self.socket.send(json.dumps(wish))

    def take(self) -> dict[str, str]:
        """{part: its HTML} after all messages so far."""
        for message in self.of("parts")[self.taken :]:
            self.taken += 1
            if message["query"] != self.query:
                continue
            assert message["base"] in (None, self.base)
            self.base = message["version"]
            for name, part in message["parts"].items():
                if "html" in part:
                    self.lines[name] = part["html"].split("\n")
                for begin, end, lines in part.get("edits", []):
                    self.lines[name][begin:end] = lines
        return {name: "\n".join(lines) for name, lines in self.lines.items()}

    async def until_shown(self, part: str, words: str) -> str:
        return await self.until(lambda page: words in (html := page.take().get(part, "")) and html)


async def cookie_of(user) -> str:
    return await sync_to_async(session_of)(user)


async def test_a_page_gets_its_parts_and_then_only_the_lines_that_changed(web, task):
    async with Page(web.port, task.pk, await cookie_of(task.owner)) as page:
        await page.show()
        await page.until_shown("table", "Hay &amp; &lt;b&gt;straw&lt;/b&gt;")
        await Task.objects.filter(pk=task.pk).aupdate(title="Oats")
        await page.until_shown("status", "<h1>Oats</h1>")
        (whole, change) = page.of("parts")
        assert set(whole["parts"]) == {"status", "papers", "table"} and set(change["parts"]) == {"status"}
        assert len(json.dumps(change)) < len(json.dumps(whole)) / 5


async def test_who_has_the_latest_version_is_sent_nothing_until_there_is_another(web, task):
    async with Page(web.port, task.pk, await cookie_of(task.owner)) as page:
        await page.show(version=task.version)
        await Task.objects.filter(pk=task.pk).aupdate(title="Oats")
        await page.until_shown("status", "Oats")
        assert [message["version"] > task.version for message in page.of("parts")] == [True]


async def test_each_sees_the_buttons_that_are_theirs_in_their_language(web, task):
    bob = await sync_to_async(person)("bob")
    await Member.objects.acreate(task=task, user=bob)
    async with (
        Page(web.port, task.pk, await cookie_of(task.owner)) as owner,
        Page(web.port, task.pk, await cookie_of(bob)) as guest,
    ):
        await asyncio.gather(owner.show(language="zh-hans"), guest.show("state=failed"))
        chinese, shared = (
            await owner.until_shown("status", "again-damaged"),
            await guest.until_shown("papers", "bad.pdf"),
        )
        assert "Finished" not in chinese and "csrfmiddlewaretoken" not in chinese
        status = guest.take()["status"]
        assert "Finished" in status and "again-damaged" not in status
        assert "good.pdf" not in shared


async def test_a_filter_takes_the_place_of_the_one_before(web, task):
    async with Page(web.port, task.pk, await cookie_of(task.owner)) as page:
        await page.show()
        await page.until_shown("papers", "good.pdf")
        await page.show("state=failed")
        assert "good.pdf" not in await page.until_shown("papers", "bad.pdf")


async def test_a_set_that_its_owner_deleted_shows_nothing_to_staff_either(web, task):
    from tasks.kinds.literature.lifecycle.models import Deletion

    staff = await sync_to_async(person)("staff", is_staff=True)
    may = await Permission.objects.aget(content_type__app_label="tasks", codename="view_task")
    await staff.user_permissions.aadd(may)
    await Deletion.objects.acreate(task=task)
    async with Page(web.port, task.pk, await cookie_of(staff)) as page:
        await page.show()
        await Task.objects.filter(pk=task.pk).aupdate(title="Oats")
        await page.until(lambda w: any(message["title"] == "Oats" for message in w.of("task")))
        await asyncio.sleep(2)  # a rendering would have come within its pace of one second
        assert not page.of("parts")
