"""The staff's board in real Chromium: rows that change, the pause, narrow and dark, without websockets."""

import re

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Permission
from playwright.async_api import expect

from tasks.models import Task
from tests.browser.watching import chromium, tab
from tests.integration.streaming.watching import person, running_task, session_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NO_WEBSOCKETS = (
    "window.WebSocket = class { constructor() { setTimeout(() => this.onclose?.()); } close() {} send() {} };"
    "window.WebSocket.OPEN = 1;"
)


@pytest.fixture
def staff():
    user = person("grace", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_task"))
    return user


@pytest.fixture
def batches(staff):
    ada = person("ada")
    return [
        running_task(ada, title="<b>Sleep</b> and memory: a very long title of a set of papers " * 3),
        running_task(ada, title="Ten papers", succeeded=3, failed=1),
        running_task(staff, title="Held back", paused=True, succeeded=2),
    ]


@pytest.fixture
async def cookie(staff):
    return await sync_to_async(session_of)(staff)


def row(page, task):
    return page.locator(f".board-row[data-id='{task.pk}']")


async def open_board(page):
    await page.goto("/live/board/")
    await expect(page.locator("[data-live=connection]")).to_have_text(re.compile("^live"))


async def end(task):
    for state in ("finalizing", "completed"):
        await Task.objects.filter(pk=task.pk).aupdate(succeeded=task.total, failed=0, state=state)


async def test_rows_change_appear_and_end_by_themselves(web, cookie, batches):
    long, ten, held = batches
    async with chromium() as browser, tab(browser, web, cookie) as page:
        await page.goto("/sets/")
        await page.get_by_role("link", name="Under way").click()
        await expect(page.locator("[data-live=sum]")).to_have_text("3 batches under way · 6 of 30 done in all")
        await expect(row(page, ten).locator(".board-words")).to_have_text("40 % · 4 of 10 done · 1 failed")
        await expect(row(page, held).locator(".live-state")).to_have_text("running, paused")
        await expect(row(page, long).locator(".board-title")).to_contain_text("<b>Sleep</b>")
        await Task.objects.filter(pk=ten.pk).aupdate(succeeded=7)
        await expect(row(page, ten).locator(".board-words")).to_have_text("80 % · 8 of 10 done · 1 failed")
        late = await sync_to_async(running_task)(None, title="Late")
        await expect(page.locator(".board-row").first.locator(".board-title")).to_have_text(f"{late.pk} · Late")
        await end(ten)
        await expect(row(page, ten).locator(".live-state")).to_have_text("completed")
        await expect(page.locator("[data-live=sum]")).to_contain_text("3 batches under way")
        assert await row(page, late).locator("a").get_attribute("href") == f"/admin/tasks/task/{late.pk}/change/"


async def test_the_pause_keeps_what_changes_for_later(web, cookie, batches):
    _, ten, _ = batches
    async with chromium() as browser, tab(browser, web, cookie) as page:
        await open_board(page)
        await expect(page.locator(".board-row")).to_have_count(3)
        pause = page.get_by_role("button", name="Pause the refresh")
        await pause.focus()
        await page.keyboard.press("Enter")
        await expect(pause).to_have_attribute("aria-pressed", "true")
        await Task.objects.filter(pk=ten.pk).aupdate(succeeded=5)
        await expect(page.locator("[data-live=waits]")).to_have_text("Paused. 1 change waits.")
        await expect(row(page, ten).locator(".board-words")).to_contain_text("4 of 10")
        await page.keyboard.press("Enter")
        await expect(row(page, ten).locator(".board-words")).to_contain_text("6 of 10")
        await expect(page.locator("[data-live=waits]")).to_have_text("")


async def test_where_websockets_are_blocked_the_board_lives_on_events_and_polling(web, cookie, batches):
    _, ten, _ = batches
    async with chromium() as browser, tab(browser, web, cookie) as page:
        await page.add_init_script(NO_WEBSOCKETS)
        await page.goto("/live/board/")
        await expect(page.locator("[data-live=connection]")).to_have_text("live (event stream)")
        await Task.objects.filter(pk=ten.pk).aupdate(succeeded=5)
        await expect(row(page, ten).locator(".board-words")).to_contain_text("6 of 10")
        await page.add_init_script(
            "window.EventSource = class { constructor() { setTimeout(() => this.onerror?.()); } close() {} };"
        )
        await page.reload()
        await expect(page.locator("[data-live=connection]")).to_have_text("live (polling)")
        await Task.objects.filter(pk=ten.pk).aupdate(succeeded=6)
        await expect(row(page, ten).locator(".board-words")).to_contain_text("7 of 10")


async def test_narrow_dark_and_empty(web, cookie, batches):
    async with chromium() as browser:
        async with tab(browser, web, cookie, viewport={"width": 360, "height": 740}, color_scheme="dark") as page:
            await open_board(page)
            await expect(page.locator(".board-row")).to_have_count(3)
            assert await page.evaluate("document.documentElement.scrollWidth") <= 360
            assert await page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
            for task in batches:
                await end(task)
            await expect(page.locator("[data-live=sum]")).to_have_text("0 batches under way")
            await page.reload()
            await expect(page.locator("[data-live=empty]")).to_be_visible()
        async with tab(browser, web, cookie, locale="zh-CN", java_script_enabled=False) as page:
            await page.goto("/live/board/")
            assert await page.locator("html").get_attribute("lang") == "zh-hans"
