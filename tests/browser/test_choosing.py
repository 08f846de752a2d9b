"""Papers chosen in the table by mouse and keyboard, kept while it is drawn anew, and exported, in real Chromium."""

from __future__ import annotations

import asyncio
import csv
import io

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from playwright.async_api import expect

from tasks import fanout
from tasks.kinds.literature.models import Paper
from tasks.kinds.literature.table import grid
from tasks.models import SubTask, Task
from tests.browser.watching import chromium, tab
from tests.integration.streaming.watching import session_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PAPERS = grid.PAGE + 5


@pytest.fixture
def task(transactional_db):
    """A set that has ended: more papers than one page of the table holds, no country in any of them."""
    ana = get_user_model().objects.create_user("ana")
    task = fanout.create("literature", ana, "Many")
    numbers = range(1, PAPERS + 1)
    Paper.objects.bulk_create(
        Paper(task=task, position=n, filename=f"{n:03}.pdf", key=f"{n}", sha256=f"{n:064}", size=1, state="accepted")
        for n in numbers
    )
    SubTask.objects.bulk_create(
        SubTask(
            task=task,
            position=n,
            key=f"{n}",
            stage="parse",
            queue="local",
            state="succeeded",
            result={"parse": {"title": f"Hay {n}", "year": 2000 + n % 7, "fields": []}},
        )
        for n in numbers
    )
    Task.objects.filter(pk=task.pk).update(state="expanding")
    Task.objects.filter(pk=task.pk).update(state="running", total=PAPERS, succeeded=PAPERS, sealed=True)
    Task.objects.filter(pk=task.pk).update(state="finalizing")
    Task.objects.filter(pk=task.pk).update(state="completed")
    return task


@pytest.fixture
async def page(web, task):
    cookie = await sync_to_async(lambda: session_of(task.owner))()
    async with chromium() as browser, tab(browser, web, cookie, viewport={"width": 1280, "height": 900}) as page:
        await page.goto(f"/sets/{task.pk}/")
        await expect(page.locator("#choose-page")).to_be_visible()  # the script is there
        yield page


async def exported(page, scope: str | None = None) -> list[str]:
    """The files in the CSV that the menu gives."""
    await page.locator(".downloads summary").click()
    if scope:
        await page.locator(f"#scope [value={scope}]").check()
    async with page.expect_download() as download:
        await page.locator("#export-csv").click()
    path = await (await download.value).path()
    text = await asyncio.to_thread(path.read_text, encoding="utf-8-sig")
    await page.locator(".downloads summary").click()
    return [row["file"] for row in csv.DictReader(io.StringIO(text))]


async def sort_downwards(page) -> None:
    for order in ("ascending", "descending"):
        await page.locator("#sort-file").click()
        await expect(page.locator("th.c-file")).to_have_attribute("aria-sort", order)


async def test_rows_are_chosen_by_keyboard_and_the_choice_outlives_sorting_and_a_look_at_a_paper(page, task):
    await page.locator("h1").click()
    for key in ("j", "x", "j", "j", "Shift+X"):
        await page.keyboard.press(key)
    said = page.locator("#chosen [data-n]")
    await expect(said).to_have_text("Chosen: 3")
    await page.keyboard.press("x")  # the row under the keys again: it goes
    await expect(said).to_have_text("Chosen: 2")
    await sort_downwards(page)  # the chosen ones are on the second page
    await expect(page.locator("#table tbody th a").first).to_have_text(f"{PAPERS:03}.pdf")
    await expect(page.locator("#table tr.chosen-row")).to_have_count(0)
    await expect(said).to_have_text("Chosen: 2")
    await page.locator("#table tbody th a").first.click()
    await expect(page.locator("#how-far")).to_be_visible()
    await page.go_back()
    await expect(page.locator("#chosen [data-n]")).to_have_text("Chosen: 2")
    assert await exported(page, "chosen") == ["001.pdf", "002.pdf"]


async def test_a_range_by_mouse_a_whole_page_and_all_that_match(page, task):
    boxes = page.locator("#table tbody input.choose")
    await boxes.nth(1).click()
    await boxes.nth(4).click(modifiers=["Shift"])
    said = page.locator("#chosen [data-n]")
    await expect(said).to_have_text("Chosen: 4")
    await page.locator("#choose-page").click()
    await expect(said).to_have_text(f"Chosen: {grid.PAGE}")
    await page.get_by_role("button", name=f"Choose all {PAPERS} that match").click()
    await expect(said).to_have_text(f"Chosen: {PAPERS}")
    await boxes.first.click()
    await expect(said).to_have_text(f"Chosen: {PAPERS - 1}")
    assert await exported(page) == [f"{n:03}.pdf" for n in range(2, PAPERS + 1)]
    await page.get_by_role("button", name="Choose none").click()
    await expect(page.locator("#chosen")).to_be_hidden()
    await expect(page.locator("#table tr.chosen-row")).to_have_count(0)


async def test_what_the_table_shows_is_exported_as_it_is_shown(page, task):
    await page.locator("#col").select_option("year")
    await page.locator("#has").fill("2003")
    await page.keyboard.press("Enter")
    shown = [f"{n:03}.pdf" for n in range(1, PAPERS + 1) if 2000 + n % 7 == 2003]
    await expect(page.locator("#table tbody th a")).to_have_text(shown)
    await sort_downwards(page)
    await expect(page.locator("#table tbody th a")).to_have_text(shown[::-1])
    assert await exported(page, "shown") == shown[::-1]
    assert len(await exported(page, "all")) == PAPERS
