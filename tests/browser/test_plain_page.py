"""The page that every batch has, in real Chromium: it follows the batch, narrows its children, shows the log of one."""

from __future__ import annotations

import re

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from playwright.async_api import expect

from tasks import fanout
from tasks.models import LogLine, SubTask, Task
from tests.browser.watching import chromium, tab
from tests.integration.streaming.watching import session_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def task(transactional_db, monkeypatch):
    """Two children wait; a line of the log for each."""
    from tasks.kinds import base
    from tests.kinds import Noop

    known = {**base._kinds(), "noop": Noop()}
    monkeypatch.setattr(base, "_kinds", lambda: known)
    task = fanout.create("noop", get_user_model().objects.create_user("ana"), "Of any Kind", {"n": 2})
    Task.objects.filter(pk=task.pk).update(state="expanding")
    for n, key in enumerate(("first", "second"), 1):
        child = SubTask.objects.create(task=task, position=n, key=key, stage="noop", queue="noop", state="pending")
        LogLine.objects.create(task=task, seq=n, subtask=child, text=f"about the {key}")
    Task.objects.filter(pk=task.pk).update(state="running", total=2, log_seq=2, sealed=True)
    return task


def end(task) -> None:
    SubTask.objects.filter(task=task, key="first").update(state="succeeded")
    SubTask.objects.filter(task=task, key="second").update(state="failed", error_code="crashed")
    Task.objects.filter(pk=task.pk).update(succeeded=1, failed=1)
    Task.objects.filter(pk=task.pk).update(state="finalizing")
    Task.objects.filter(pk=task.pk).update(state="completed")


async def test_it_follows_the_batch_and_its_owner_retries_by_hand(web, task):
    cookie = await sync_to_async(lambda: session_of(task.owner))()
    async with chromium() as browser, tab(browser, web, cookie, viewport={"width": 360, "height": 900}) as page:
        await page.goto(f"/tasks/{task.pk}/")
        await expect(page.locator("#children li")).to_have_count(2)
        await page.get_by_role("button", name="Log of second").click()
        await expect(page.locator(".live-row .live-text")).to_have_text(["about the second"])
        await page.evaluate("window.unreloaded = true")
        await sync_to_async(end)(task)
        await expect(page.locator("#retry-crashed")).to_be_visible(timeout=20_000)
        await expect(page.locator("#children li").nth(1)).to_contain_text("crashed the reader")
        await page.locator("#filter-failed").click()
        await expect(page.locator("#children li")).to_have_count(1)
        await expect(page).to_have_url(re.compile(r"\?state=failed"))
        assert await page.evaluate("window.unreloaded")
        assert await page.evaluate("document.documentElement.scrollWidth") <= 360
        await page.locator("#retry-crashed").click()
        await expect(page.locator("#head")).to_contain_text("run 2")
    assert (await Task.objects.aget(pk=task.pk)).generation == 2
