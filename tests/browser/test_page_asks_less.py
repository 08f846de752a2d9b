"""The pages of a running batch, in real Chromium: what changes comes over the live connection and is not asked for."""

from __future__ import annotations

import re

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import expect

from tasks.models import SubTask, Task
from tests.browser.watching import chromium, tab
from tests.integration.literature.ended import ended_set
from tests.integration.streaming.watching import person, session_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PARTS = re.compile(r"/(status|papers|table)/\?")


@pytest.fixture
def task(transactional_db):
    """A set of which one paper is read again, so that its page has something to follow."""
    task = ended_set(person())
    SubTask.objects.filter(task=task, state="failed").update(state="pending", error_code="")
    Task.objects.filter(pk=task.pk).update(failed=0, state="running", generation=2)
    return Task.objects.select_related("owner").get(pk=task.pk)


def fail(task) -> None:
    SubTask.objects.filter(task=task, state="pending").update(state="failed", error_code="damaged")
    Task.objects.filter(pk=task.pk).update(failed=1)


@pytest.fixture
async def page(web, task):
    cookie = await sync_to_async(session_of)(task.owner)
    async with chromium() as browser, tab(browser, web, cookie) as page:
        page.asked = []
        page.on("request", lambda request: PARTS.search(request.url) and page.asked.append(request.url))
        yield page


async def test_a_set_follows_its_papers_without_asking(page, task):
    await page.goto(f"/sets/{task.pk}/")
    await expect(page.locator("[data-live=connection]")).to_have_attribute("data-state", "live")
    await expect(page.locator("#filter-pending")).to_be_visible()
    await sync_to_async(fail)(task)
    await expect(page.locator("#reason-damaged")).to_be_visible()
    await expect(page.locator("#filter-pending")).to_have_count(0)
    assert page.asked == []
    # what came for everybody has the page's own token in its forms
    tokens = await page.locator("#status form [name=csrfmiddlewaretoken]").evaluate_all(
        "all => all.map(one => one.value)"
    )
    assert len(tokens) == await page.locator("#status form").count() > 0 and all(tokens)
    await page.locator("#pause-button").click()
    await expect(page.locator("#resume-button")).to_be_visible()
    assert (await Task.objects.aget(pk=task.pk)).paused


async def test_a_filter_is_asked_for_once_and_then_followed(page, task):
    await page.goto(f"/sets/{task.pk}/")
    await expect(page.locator("[data-live=connection]")).to_have_attribute("data-state", "live")
    await page.locator("#filter-pending").click()
    await expect(page.locator("#papers li")).to_have_count(1)
    await sync_to_async(fail)(task)
    await expect(page.locator("#papers")).to_contain_text("No paper matches.")
    assert len(page.asked) == 1 and "papers/?state=pending" in page.asked[0]


async def test_where_websockets_are_blocked_the_page_asks_as_it_always_did(page, task):
    await page.route_web_socket(re.compile("/ws/"), lambda socket: socket.close())
    await page.goto(f"/sets/{task.pk}/")
    await expect(page.locator("[data-live-task]")).not_to_have_attribute("data-carrier", "websocket")
    await sync_to_async(fail)(task)
    await expect(page.locator("#reason-damaged")).to_be_visible()
    assert {PARTS.search(url)[1] for url in page.asked} == {"status", "papers", "table"}
