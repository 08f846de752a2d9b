"""Upload to report in real Chromium, with a real web and worker process: nothing the CSP blocks, nothing too wide."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.db import connections
from playwright.async_api import expect

from tasks import fanout
from tasks.kinds.literature import samples
from tasks.kinds.literature.intake import given
from tasks.models import Task
from tests.browser.watching import chromium, tab
from tests.integration.streaming.watching import session_of
from tests.processes import Web, Worker

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

#: A folder for pictures, for a person to look at; none are made without it.
PICTURES = os.environ.get("SHEAF_TEST_PICTURES", "")


@pytest.fixture(autouse=True)
async def _no_connection_stays():
    yield
    await sync_to_async(connections.close_all)()


@pytest.fixture
def ana(transactional_db):
    return get_user_model().objects.create_user("ana", password="hay and straw")


@pytest.fixture
def draft(ana, tmp_path):
    """A draft with the sample papers, of which some can't be read."""
    task = fanout.create("literature", ana, "Hay, straw and chaff: a review of reviews")
    samples.build(tmp_path)
    given.take_in(task, given.find([tmp_path]), lambda _n: None)
    return task


async def picture(page, name: str) -> None:
    if PICTURES:
        await page.screenshot(path=Path(PICTURES, f"{name}.png"), full_page=True)


async def fits(page) -> None:
    wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{wide} px too wide"


@pytest.fixture
def cookie(ana):
    return session_of(ana)


@pytest.fixture
def running(draft):
    """A web process and a worker."""
    with Web() as web, Worker():
        yield web


async def test_from_the_estimate_to_the_report(cookie, draft, running):
    blocked = []
    web = running
    async with chromium() as browser, tab(browser, web, cookie, viewport={"width": 1280, "height": 900}) as page:
        page.on("console", lambda said: blocked.append(said.text) if said.type == "error" else None)
        await page.goto(f"{web.url}/sets/{draft.pk}/upload/")
        await expect(page.locator("#estimate")).to_contain_text("No cost: the papers are read on our own machines.")
        await picture(page, "upload")
        await page.goto(f"{web.url}/sets/{draft.pk}/tell/")
        await page.fill("#address-webhook", "https://hooks.example.org/x")
        await page.click("#save-webhook")
        await expect(page.locator("#secret")).to_contain_text("whsec_")
        await picture(page, "tell")
        await page.click("#take-back-webhook")
        await page.goto(f"{web.url}/sets/{draft.pk}/report/")
        await expect(page.locator("main")).to_contain_text("when the last paper has ended")
        await sync_to_async(fanout.start)(draft)
        await page.goto(f"{web.url}/sets/{draft.pk}/")
        await expect(page.locator(".sum").first).to_be_visible(timeout=90_000)
        await page.click(".menu > summary")
        await expect(page.locator("#export-xlsx")).to_be_visible()
        await picture(page, "menu")
        await page.click("#report-link")
        await expect(page.locator("#completeness tbody tr").first).to_be_visible()
        heights = await page.eval_on_selector_all(
            "svg.columns rect", "all => all.map(one => one.getBoundingClientRect().height)"
        )
        assert max(heights) > 100
        await fits(page)
        await picture(page, "report")
        async with page.expect_download() as download:
            await page.click("#report-xlsx")
        assert (await download.value).suggested_filename.endswith(".report.xlsx")
        if PICTURES:
            await page.pdf(path=Path(PICTURES, "report.pdf"), format="A4")
        await page.set_viewport_size({"width": 360, "height": 780})
        await fits(page)
        await picture(page, "report-360")
        await page.emulate_media(color_scheme="dark")
        await page.set_viewport_size({"width": 1280, "height": 900})
        await picture(page, "report-dark")
        await page.click('button[name="language"][value="zh-hans"]')
        await expect(page.locator("h1")).to_have_text("报告")
        await fits(page)
        await picture(page, "report-zh")
    task = await Task.objects.aget(pk=draft.pk)
    assert task.state == "completed" and not blocked, blocked
