"""What a reader does with the log: copies it, reads its times in a zone of their choice, turns the device."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone
from playwright.async_api import expect

from tasks.log import joblog
from tasks.log.joblog import Line
from tasks.models import LogLine, Task
from tests.browser.test_live import add, connection, log, open_page, rows, task  # noqa: F401 - fixtures
from tests.integration.streaming.test_order_and_completeness import set_back
from tests.integration.streaming.watching import many_lines

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}


async def clipboard(page) -> list[str]:
    return (await page.evaluate("navigator.clipboard.readText()")).split("\n")


async def test_marked_lines_are_copied_clean_and_whole_however_far_apart_they_are(open_page, task):  # noqa: F811
    await sync_to_async(many_lines)(task.id, 3000)
    await add(task.id, "\x1b[31mred\x1b[0m 10 %\r90 %", "<b>last</b>", level=30)
    async with open_page("#L990", **CLIPBOARD) as page:
        await expect(page.locator("[data-seq='990']")).to_be_in_viewport()
        await log(page).evaluate("box => box.scrollTop = box.scrollHeight")
        await page.locator("[data-seq='3002'] .live-no").click(modifiers=["Shift"])
        await page.get_by_role("button", name="Copy the marked lines").click()
        await expect(page.locator("[data-live=told]")).to_have_text("2,013 lines copied.")
        copied = await clipboard(page)
        assert copied == [*(f"line number {n}" for n in range(990, 3001)), "90 %", "<b>last</b>"]
        await log(page).focus()
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("button", name="Copy the marked lines")).to_be_hidden()
        await expect(page).not_to_have_url(re.compile("#"))


async def test_the_keys_for_all_and_copy_mean_the_whole_log_and_only_what_is_shown(open_page, task):  # noqa: F811
    await sync_to_async(many_lines)(task.id, 1500)
    async with open_page(**CLIPBOARD) as page:
        await expect(page.locator(".live-row").last).to_have_attribute("data-seq", "1500")
        await log(page).focus()
        await page.keyboard.press("Control+a")
        await page.keyboard.press("Control+c")
        await expect(page.locator("[data-live=told]")).to_have_text("1,500 lines copied.")
        assert await clipboard(page) == [f"line number {n}" for n in range(1, 1501)]
        await page.locator("[data-live=search]").fill("number 14")
        await page.locator("[data-live=only]").check()
        await expect(page.locator("[data-live=hits]")).to_have_text("111 of 1,500 lines match")
        await log(page).focus()
        await page.keyboard.press("Control+a")
        await page.keyboard.press("Control+c")
        await expect(page.locator("[data-live=told]")).to_have_text("111 lines copied.")
        assert len([line for line in await clipboard(page) if "number 14" in line]) == 111


async def test_over_plain_http_the_old_way_of_copying_works_and_a_failure_is_said(open_page, task):  # noqa: F811
    await add(task.id, "one", "two")
    async with open_page(**CLIPBOARD) as page:
        await page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        await page.reload()
        await expect(page.locator(".live-row")).to_have_count(2)
        await page.evaluate("document.addEventListener('copy', () => (window.copied = getSelection().toString()))")
        await log(page).focus()
        await page.keyboard.press("Control+a")
        await page.keyboard.press("Control+c")
        await expect(page.locator("[data-live=told]")).to_have_text("2 lines copied.")
        assert (await page.evaluate("window.copied")).split() == ["one", "two"]
        await page.route("**/log.json*", lambda route: route.abort())
        await page.get_by_role("button", name="Copy the marked lines").click()
        await expect(page.locator("[data-live=told]")).to_contain_text("could not be copied")


def said_at(task, *moments: datetime) -> None:  # noqa: F811
    Task.objects.filter(pk=task.pk).update(log_seq=len(moments))
    for seq, moment in enumerate(moments, 1):
        LogLine.objects.create(task=task, seq=seq, text="x", at=moment)


async def test_times_are_local_or_utc_and_say_which_also_across_the_end_of_summer(open_page, task):  # noqa: F811
    before = datetime(2026, 10, 25, 0, 59, 59, 500_000, tzinfo=UTC)  # clocks in Vienna go back at 01:00 UTC
    after = datetime(2026, 10, 25, 1, 0, 1, tzinfo=UTC)
    await sync_to_async(said_at)(task, before, after)
    async with open_page(timezone_id="Europe/Vienna") as page:
        times = page.locator(".live-time")
        await expect(times).to_have_text(["02:59:59.500", "02:00:01.000"])
        assert "+02:00" in await times.first.get_attribute("title") or "GMT+2" in await times.first.get_attribute(
            "title"
        )
        await page.locator("[data-live=time]").select_option("utc")
        await expect(times).to_have_text(["00:59:59.500Z", "01:00:01.000Z"])
        await page.locator("[data-live=time]").select_option("relative")
        await expect(times.first).to_have_text(re.compile("ago$"))
        await page.reload()
        await expect(page.locator("[data-live=time]")).to_have_value("relative")
        await page.locator("[data-live=time]").select_option("none")
        await expect(times).to_have_count(0)


async def test_turning_the_device_neither_ends_nor_begins_the_following(open_page, task):  # noqa: F811
    await sync_to_async(many_lines)(task.id, 2000)
    follow = "[data-live=follow]"
    async with open_page(viewport={"width": 360, "height": 740}) as page:
        for size in ({"width": 740, "height": 360}, {"width": 360, "height": 740}, {"width": 1200, "height": 900}):
            await page.set_viewport_size(size)
            await add(task.id, "turned")
            await expect(page.locator(".live-row").last.locator(".live-text")).to_have_text("turned")
            await expect(page.locator(follow)).to_have_attribute("aria-pressed", "true")
        await log(page).focus()
        await page.keyboard.press("Home")
        await expect(page.locator(follow)).to_have_attribute("aria-pressed", "false")
        await expect(page.locator("[data-seq='1']")).to_be_in_viewport()
        await page.set_viewport_size({"width": 360, "height": 740})
        await add(task.id, "unseen")
        await expect(page.locator("[data-live=pill]")).to_be_visible()
        await expect(page.locator(follow)).to_have_attribute("aria-pressed", "false")


async def test_a_line_that_comes_between_a_key_and_the_browsers_scrolling_does_not_take_the_key_back(open_page, task):  # noqa: F811
    await sync_to_async(many_lines)(task.id, 500)
    async with open_page() as page:
        await log(page).focus()
        await expect(page.locator("[data-seq='500']")).to_be_in_viewport()
        await log(page).evaluate(  # a key that the browser does not scroll for: the view has to do it by itself
            "box => box.dispatchEvent(new KeyboardEvent('keydown', {key: 'Home', cancelable: true}))"
        )
        await expect(page.locator("[data-live=follow]")).to_have_attribute("aria-pressed", "false")
        await expect(page.locator("[data-seq='1']")).to_be_in_viewport()


async def test_the_bar_never_goes_back_within_a_run_and_begins_anew_with_a_retry(open_page, task):  # noqa: F811
    bar = "[data-live=bar]"
    await Task.objects.filter(pk=task.pk).aupdate(sealed=False, succeeded=5)
    async with open_page() as page:
        await expect(page.locator(bar)).to_have_attribute("value", "50")
        await Task.objects.filter(pk=task.pk).aupdate(total=40)
        await expect(page.locator("[data-live=words]")).to_have_text("50 % · 5 of 40 done")
        await Task.objects.filter(pk=task.pk).aupdate(generation=2)
        await expect(page.locator("[data-live=words]")).to_have_text(re.compile("^12 %|^13 %"))


async def test_what_is_not_there_yet_is_told_apart_from_what_never_was(open_page, task):  # noqa: F811
    empty = "[data-live=empty]"
    async with open_page() as page:
        await expect(page.locator(empty)).to_have_text("Nothing has been written yet.")
        await add(task.id, "a line")
        await expect(page.locator(empty)).to_be_hidden()
        await page.locator("[data-live=search]").fill("nowhere")
        await page.locator("[data-live=only]").check()
        await expect(page.locator(empty)).to_have_text("nothing found")
        await expect(connection(page)).to_have_text("live")
        assert await rows(page) == []


async def test_no_clock_goes_on_while_nothing_is_known(open_page, task):  # noqa: F811
    async with open_page() as page:
        eta = page.locator(".live-eta")
        ago = timezone.now() - timedelta(minutes=20)
        await Task.objects.filter(pk=task.pk).aupdate(total=100, succeeded=25, started_at=ago)
        await expect(eta).to_have_text(re.compile("^about"))
        before = await eta.inner_text()
        await page.context.set_offline(True)
        await expect(connection(page)).to_have_text(re.compile(r"offline since \d"))
        # an hour later, and after more than one look at the clock
        await page.evaluate("const real = Date.now; Date.now = () => real() + 3_600_000;")
        await page.evaluate("new Promise(resolve => setTimeout(resolve, 2500))")
        assert await eta.inner_text() == before
        await expect(connection(page)).to_have_text(re.compile(r"offline since \d"))


def an_ended_batch(task) -> None:  # noqa: F811
    child = task.children.create(position=1, key="smith.pdf", stage="parse", queue="local")
    many_lines(task.pk, 900)
    joblog.write(
        [
            Line(
                task.pk,
                code="child_failed",
                level=40,
                data={"key": child.key, "reason_code": "damaged"},
                subtask_id=child.pk,
                attempt=1,
            )
        ]
    )
    for state in ("finalizing", "completed"):
        Task.objects.filter(pk=task.pk).update(succeeded=9, failed=1, state=state)


async def test_the_log_of_what_has_ended_is_folded_and_a_link_to_a_line_opens_it(open_page, task):  # noqa: F811
    await sync_to_async(an_ended_batch)(task)
    async with open_page() as page:
        await expect(page.locator("[data-live=words]")).to_have_text("100 % · 10 of 10 done · 1 failed")
        await expect(log(page)).to_be_hidden()
        await page.get_by_text("How it went: the log").click()
        await log(page).scroll_into_view_if_needed()
        await expect(page.locator(".live-row").last).to_be_in_viewport()
        last = page.locator(".live-row").last
        await expect(last.locator(".live-key")).to_have_text("smith.pdf")
        await expect(last.locator(".live-text")).to_contain_text(re.compile("^failed: The file is damaged"))
    async with open_page("#L450") as page:
        await expect(page.locator("[data-seq='450']")).to_be_in_viewport()
        await expect(page.locator("[data-seq='450'] .live-text")).to_have_text("line number 450")


async def test_a_log_that_was_set_back_is_shown_as_it_is_now(open_page, task):  # noqa: F811
    await add(task.id, *(f"lost {n}" for n in range(10)))
    await Task.objects.filter(pk=task.pk).aupdate(succeeded=5)
    async with open_page() as page:
        await expect(page.locator(".live-row")).to_have_count(10)
        await page.context.set_offline(True)
        await expect(connection(page)).to_have_text(re.compile("^reconnecting|^offline since"))
        await sync_to_async(set_back)(task.id, 3, *(f"new {n}" for n in range(20)))
        await page.context.set_offline(False)
        await expect(page.locator(".live-row")).to_have_count(23)
        assert await rows(page) == [*(f"lost {n}" for n in range(3)), *(f"new {n}" for n in range(20))]
        await expect(connection(page)).to_have_text("live")
