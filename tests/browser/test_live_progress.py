"""What the live page makes of time and colour: an estimate as a range, a stall, a notification, colours across lines,
a million lines."""

import re
from datetime import timedelta

import pgtrigger
import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone
from playwright.async_api import expect

from tasks.log import joblog
from tasks.log.colours import Colours
from tasks.log.joblog import Line
from tasks.models import Task
from tests.browser.test_live import (  # noqa: F401 - fixtures
    add,
    connection,
    log,
    numbers,
    open_page,
    rows,
    task,
)
from tests.integration.streaming.watching import many_lines

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

#: Instead of the desktop: what would be shown is kept. Permission as the test says.
NOTIFICATIONS = """
window.shown = [];
window.Notification = class {
    static permission = 'default';
    static async requestPermission() { return (Notification.permission = 'granted'); }
    constructor(title, options) { window.shown.push(`${title} / ${options.body}`); }
};
"""
HIDE = "Object.defineProperty(document, 'hidden', { get: () => true }); null"


async def test_the_time_left_is_a_range_and_hidden_at_the_start(open_page, task):  # noqa: F811
    ago = timezone.now() - timedelta(seconds=5)
    await Task.objects.filter(pk=task.pk).aupdate(total=100, succeeded=4, started_at=ago)
    eta = ".live-eta"
    async with open_page() as page:
        await expect(page.locator("[data-live=words]")).to_contain_text("4 of 100")
        await expect(page.locator(eta)).to_have_text("")
        ago = timezone.now() - timedelta(minutes=20)
        await Task.objects.filter(pk=task.pk).aupdate(succeeded=25, started_at=ago)
        # 20 min for 25: 60 min for the other 75, a fifth more or less
        await expect(page.locator(eta)).to_have_text(re.compile(r"^about 4[78] min to 7[123] min left$"))
        await Task.objects.filter(pk=task.pk).aupdate(paused=True)
        await expect(page.locator(eta)).to_have_text("")


def last_moved_ten_minutes_ago(row):
    with pgtrigger.ignore("tasks.Task:touch"):
        Task.objects.filter(pk=row.pk).update(updated_at=timezone.now() - timedelta(minutes=10))


async def test_a_stall_says_since_when(open_page, task):  # noqa: F811
    await sync_to_async(last_moved_ten_minutes_ago)(task)
    async with open_page() as page:
        await expect(page.locator(".live-eta")).to_have_text(re.compile(r"^No progress since \d+:\d\d:\d\d"))
        await Task.objects.filter(pk=task.pk).aupdate(succeeded=2)
        await expect(page.locator("[data-live=words]")).to_contain_text("2 of 10")
        await expect(page.locator(".live-eta")).not_to_have_attribute("data-stalled", "")


async def test_the_desktop_is_told_of_the_end_by_who_allowed_it(open_page, task):  # noqa: F811
    async with open_page() as page:
        await page.add_init_script(NOTIFICATIONS)
        await page.reload()
        await expect(connection(page)).to_have_text("live")
        await page.get_by_role("button", name="Tell me when it is done").click()
        await expect(page.locator("[data-live=notify]")).to_be_hidden()
        await page.evaluate(HIDE)
        await Task.objects.filter(pk=task.pk).aupdate(succeeded=9, failed=1, state="finalizing")
        await Task.objects.filter(pk=task.pk).aupdate(state="completed")
        await expect(page.locator("[data-live=words]")).to_contain_text("100 %")
        assert await page.evaluate("window.shown") == ["Ten papers: completed / 9 succeeded, 1 failed."]


def said_by_two_children(task) -> None:  # noqa: F811
    """Lines as an attempt writes them; between the first and the others stand more than a reader has in memory."""
    children = [task.children.create(position=n, key=f"{n}", stage="parse", queue="local") for n in (1, 2)]
    stored: list[Line] = []
    voices = [Colours(stored.append), Colours(stored.append)]
    for child, text in [
        (0, "\x1b[31mred begins"),
        (1, "plain, another child"),
        (0, "still red \x1b["),
        (0, "32mnow green"),
        (0, "10 %\r\x1b[0m20 %"),
        (0, "plain again"),
    ]:
        voices[child].add(Line(task.pk, text, subtask_id=children[child].pk, attempt=1))
    joblog.write(stored[:1])
    many_lines(task.pk, 3000)
    joblog.write(stored[1:])


async def test_a_colour_lasts_until_its_child_ends_it_wherever_reading_begins(open_page, task):  # noqa: F811
    await sync_to_async(said_by_two_children)(task)
    async with open_page() as page:
        last = page.locator(".live-row:nth-last-child(-n+5) .live-text")
        texts = ["plain, another child", "still red ", "now green", "20 %", "plain again"]
        await expect(last).to_have_text(texts, use_inner_text=True)
        coloured = "rows => rows.map(row => row.querySelector('[class^=ansi]')?.className ?? '')"
        expected = ["", "ansi-red", "ansi-green", "", ""]
        assert await last.evaluate_all(coloured) == expected
        await page.locator("[data-live=wrap]").click()  # drawn anew
        await expect(last).to_have_text(texts, use_inner_text=True)
        assert await last.evaluate_all(coloured) == expected
        await log(page).focus()
        await page.keyboard.press("Home")
        await expect(page.locator("[data-seq='1'] .ansi-red")).to_have_text("red begins")


async def test_a_million_lines_show_their_first_middle_and_last_in_a_bounded_window(open_page, task):  # noqa: F811
    await sync_to_async(many_lines)(task.id, 1_000_000)
    async with open_page(viewport={"width": 900, "height": 800}) as page:
        await page.locator("[data-live=wrap]").uncheck()
        await expect(page.locator(".live-row").last).to_have_attribute("data-seq", "1000000")
        await log(page).focus()
        await page.keyboard.press("Home")
        await expect(page.locator("[data-seq='1'] .live-text")).to_have_text("line number 1")
        await expect(page.locator("[data-seq='1']")).to_be_in_viewport()
        await log(page).evaluate("box => box.scrollTop = (box.scrollHeight - box.clientHeight) / 2")
        middle = page.locator("[data-seq='500000']")
        await expect(middle.locator(".live-text")).to_have_text("line number 500000")
        await expect(middle).to_be_in_viewport()
        seqs = await numbers(page)
        assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))
        assert await page.locator("[data-live=log] *").count() < 1500
        await log(page).focus()
        await page.keyboard.press("End")
        await expect(page.locator("[data-seq='1000000'] .live-text")).to_have_text("line number 1000000")
        await expect(page.locator("[data-seq='1000000']")).to_be_in_viewport()
        assert await page.locator("[data-live=log] *").count() < 1500
        await add(task.id, "one more")
        await expect(page.locator(".live-row").last.locator(".live-text")).to_have_text("one more")
