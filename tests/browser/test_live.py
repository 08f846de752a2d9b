"""The live view as a reader meets it, in real Chromium: follow, reconnect, search, links, hostile text, a long log."""

import re
import time

import pytest
from asgiref.sync import sync_to_async
from playwright.async_api import expect

from tasks.models import Task
from tests.browser.conftest import QUICK
from tests.browser.watching import chromium, numbers, rows, tab, until_at
from tests.integration.streaming.watching import many_lines, person, running_task, session_of, write
from tests.processes import Web, free_port

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def task():
    return running_task(person(), kind="literature")


@pytest.fixture
async def open_page(web, task):
    """Opens the set's page in a fresh browser context; ``page`` is ready when the view says that it is live."""
    cookie = await sync_to_async(session_of)(task.owner)
    async with chromium() as browser:

        def opened(anchor="", **options):
            class Opened:
                async def __aenter__(self):
                    self.tab = tab(browser, web, cookie, **options)
                    page = await self.tab.__aenter__()
                    await page.goto(f"/sets/{task.pk}/{anchor}")
                    await expect(connection(page)).to_have_text("live")
                    return page

                async def __aexit__(self, *error):
                    await self.tab.__aexit__(*error)

            return Opened()

        yield opened


def connection(page):
    return page.locator("[data-live=connection]")


def log(page):
    return page.locator("[data-live=log]")


add = sync_to_async(write)


async def test_lines_and_progress_appear_as_they_happen(open_page, task):
    async with open_page() as page:
        await add(task.id, "one", "two")
        await expect(page.locator(".live-row")).to_have_count(2)
        assert await rows(page) == ["one", "two"]
        await Task.objects.filter(pk=task.pk).aupdate(succeeded=3, failed=1)
        await expect(page.locator("[data-live=words]")).to_have_text("40 % · 4 of 10 done · 1 failed")
        await expect(page.locator("[data-live=announce]")).to_have_text("40 percent done")
        assert await page.locator("[data-live=bar]").get_attribute("value") == "40"
        assert (await page.title()).startswith("40 % ")


async def test_the_end_is_shown_and_the_bar_is_full_only_then(open_page, task):
    async with open_page() as page:
        await Task.objects.filter(pk=task.pk).aupdate(succeeded=9, failed=1, state="finalizing")
        await expect(page.locator("[data-live=words]")).to_have_text("99 % · 10 of 10 done · 1 failed")
        await Task.objects.filter(pk=task.pk).aupdate(state="completed")
        await expect(page.locator("[data-live=words]")).to_have_text("100 % · 10 of 10 done · 1 failed")
        await expect(page.locator("[data-live=empty]")).to_have_text("It ended without a line.")
        assert (await page.title()).startswith("✓ ")


async def test_the_log_yields_to_the_reader_and_end_resumes(open_page, task):
    await add(task.id, *(f"line {n}" for n in range(1, 401)))
    async with open_page() as page:
        await expect(page.locator(".live-row").last).to_have_attribute("data-seq", "400")
        await until_at(page, 0)
        await log(page).hover()
        await page.mouse.wheel(0, -60)
        await expect(page.locator("[data-live=follow]")).to_have_attribute("aria-pressed", "false")
        await until_at(page, 60)
        before = await log(page).evaluate("box => box.scrollTop")
        for _ in range(10):
            await add(task.id, *(f"late {n}" for n in range(100)))
        await expect(page.locator("[data-live=pill]")).to_have_text("↓ 1,000 new lines")
        assert await log(page).evaluate("box => box.scrollTop") == before
        await log(page).focus()
        await page.keyboard.press("End")
        await expect(page.locator("[data-live=pill]")).to_be_hidden()
        await expect(page.locator(".live-row").last).to_have_attribute("data-seq", "1400")
        await until_at(page, 0)


@pytest.mark.parametrize("wrap", [False, True])
async def test_a_hundred_thousand_lines_scroll_back_to_the_first(open_page, task, wrap):
    await sync_to_async(many_lines)(task.id, 100_000)
    async with open_page(viewport={"width": 900, "height": 800}) as page:
        await expect(page.locator(".live-row").last).to_have_attribute("data-seq", "100000")
        await page.locator("[data-live=wrap]").set_checked(wrap)
        await log(page).evaluate("box => box.scrollIntoView()")
        for fraction in (0.5, 0.123):
            await log(page).evaluate("(box, f) => box.scrollTop = (box.scrollHeight - box.clientHeight) * f", fraction)
            middle = int(fraction * 100_000)
            await expect(page.locator(f"[data-seq='{middle}'] .live-text")).to_have_text(f"line number {middle}")
            await expect(page.locator(f"[data-seq='{middle}']")).to_be_in_viewport()
            seqs = await numbers(page)
            assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))
        await log(page).evaluate("box => box.scrollTop = 0")
        await expect(page.locator("[data-seq='1'] .live-text")).to_have_text("line number 1")
        assert await page.locator(".live-row").count() < 150


#: Scroll from the first line to the end in small steps: which rows were seen, the worst distance between neighbours,
#: and how far the last row's lower edge is from the window's at the end.
SCROLL_THROUGH = """async (box) => {
    const frame = () => new Promise(requestAnimationFrame);
    const seen = new Set();
    let joints = 0;
    box.scrollTop = 0;
    for (let turn = 0; turn < 2000; turn += 1) {
        await frame();
        await frame();
        const top = box.getBoundingClientRect().top;
        const place = (row) => [Number(row.dataset.seq), row.getBoundingClientRect()];
        const rows = [...box.querySelectorAll('.live-row')].map(place);
        rows.forEach(([seq, at], i) => {
            if (at.bottom > top && at.top < top + box.clientHeight) seen.add(seq);
            if (i) joints = Math.max(joints, Math.abs(at.top - rows[i - 1][1].bottom));
        });
        if (box.scrollTop >= box.scrollHeight - box.clientHeight - 1) {
            const [last, at] = rows.at(-1);
            return { seen: [...seen].sort((a, b) => a - b), joints, last, below: at.bottom - top - box.clientHeight };
        }
        box.scrollTop += 40;
    }
}"""


async def test_wrapped_lines_of_any_height_hide_nothing(open_page, task):
    texts = [f"{n} " + "long words " * (n * 37 % 90) + ("\nsecond line" if n % 3 == 0 else "") for n in range(1, 341)]
    await add(task.id, *texts)
    async with open_page(viewport={"width": 700, "height": 800}) as page:
        await page.locator("[data-live=wrap]").check()
        told = await log(page).evaluate(SCROLL_THROUGH)
        assert told["joints"] < 1, "rows overlap or leave a hole"
        assert told["seen"] == list(range(1, 341))
        assert told["last"] == 340 and abs(told["below"]) < 2


async def test_the_server_searches_the_whole_log_also_while_it_grows(open_page, task):
    await sync_to_async(many_lines)(task.id, 5000)
    await add(task.id, "a needle here")
    async with open_page() as page:
        await page.locator("[data-live=search]").fill("NEEDLE")
        hits = page.locator("[data-live=hits]")
        await expect(hits).to_have_text("1 of 5,001 lines match")
        await add(task.id, "another needle", "hay")
        await expect(hits).to_have_text("2 of 5,003 lines match")
        await page.keyboard.press("Enter")
        await expect(hits).to_have_text("1 of 2")
        await expect(page.locator(".live-current mark")).to_have_text("needle")
        await page.locator("[data-live=only]").check()
        await expect(page.locator(".live-row")).to_have_count(2)
        assert await numbers(page) == [5001, 5002]
        await page.locator("[data-live=search]").fill("another")
        await page.keyboard.press("Enter")
        await expect(hits).to_have_text("1 of 1")
        await page.locator("[data-live=search]").fill("line number 42")
        await expect(page.locator(".live-row").first.locator(".live-text")).to_have_text("line number 42")


async def test_levels_and_papers_filter_the_log(open_page, task):
    child = await task.children.acreate(position=1, key="smith.pdf", stage="parse", queue="local")
    await add(task.id, "quiet")
    await add(task.id, "loud", level=40)
    await Task.objects.filter(pk=task.pk).aupdate(log_seq=3)
    await task.log.acreate(seq=3, subtask=child, text="of smith")
    async with open_page() as page:
        await page.locator("[data-live=level]").select_option("40")
        await expect(page.locator(".live-row")).to_have_count(1)
        assert await rows(page) == ["loud"]
        await page.locator("[data-live=level]").select_option("")
        await page.locator(".live-key", has_text="smith.pdf").click()
        await expect(page.locator(".live-row")).to_have_count(1)
        assert await rows(page) == ["of smith"]
        await page.get_by_role("button", name="Show all papers").click()
        await expect(page.locator(".live-row")).to_have_count(3)


async def test_a_link_to_a_range_survives_reload(open_page, task):
    await sync_to_async(many_lines)(task.id, 3000)
    async with open_page("#L1200-L1203") as page:
        for _ in range(2):
            await expect(page.locator(".live-selected")).to_have_count(4)
            await expect(page.locator("[data-seq='1200']")).to_be_in_viewport()
            await expect(page.locator("[data-seq='1200'] .live-text")).to_have_text("line number 1200")
            await page.reload()
        await page.locator("[data-seq='1205'] .live-no").click()
        await expect(page).to_have_url(re.compile("#L1205$"))
        await page.locator("[data-seq='1207'] .live-no").click(modifiers=["Shift"])
        await expect(page).to_have_url(re.compile("#L1205-L1207$"))


HOSTILE = [
    "<img src=x onerror=\"document.title='owned'\">",
    "</script><script>document.title='owned'</script>",
    "\x1b]8;;javascript:document.title='owned'\x07click\x1b]8;;\x07",
    "\x1b[31mred\x1b[0m plain \x1b[2K\x1b[1;1H",
    "10 %\r50 %\r100 %",
    "NUL was \ufffd here, a surrogate \ufffd there",
    "x" * 1_000_000,
    "{code} {{braces}} %s",
]


async def test_hostile_text_is_only_ever_text(open_page, task):
    task.title = "<img src=x onerror=alert(1)></title><script>alert(2)</script>"
    await task.asave(update_fields=["title"])
    async with open_page() as page:
        await add(task.id, *HOSTILE)
        await add(task.id, "", code="paused", data={"who": "<b>eve</b>"})
        await expect(page.locator(".live-row")).to_have_count(9)
        shown = await rows(page)
        assert shown[:2] == HOSTILE[:2]
        assert shown[2:6] == ["click", "red plain ", "100 %", HOSTILE[5]]
        assert shown[7:] == ["{code} {{braces}} %s", "Paused by <b>eve</b>."]
        assert "owned" not in await page.title()
        assert await page.locator(".live-log :is(img, script, b, a:not(.live-no))").count() == 0
        await expect(page.locator(".live-text .ansi-red")).to_have_text("red")


async def test_a_lost_server_is_said_and_every_line_comes_once_after_it(task):
    cookie = await sync_to_async(session_of)(task.owner)
    port = free_port()
    async with chromium() as browser:
        web = await sync_to_async(Web(port, env=QUICK).__enter__)()
        async with tab(browser, web, cookie) as page:
            await page.goto(f"/sets/{task.pk}/")
            await add(task.id, "before")
            await expect(page.locator(".live-row")).to_have_count(1)
            await sync_to_async(web.kill)()
            await expect(connection(page)).to_have_text(re.compile("^reconnecting|^offline since"))
            await add(task.id, *(f"meanwhile {n}" for n in range(100)))
            await expect(connection(page)).to_have_text(re.compile(r"offline since \d"))
            web = await sync_to_async(Web(port, env=QUICK).__enter__)()
            await expect(connection(page)).to_have_text(re.compile("^live"), timeout=45_000)
            await expect(page.locator("[data-live=size]")).to_have_text("101 lines")
            assert await numbers(page) == list(range(1, 102))
            assert await rows(page) == ["before", *(f"meanwhile {n}" for n in range(100))]
        await sync_to_async(web.__exit__)()


async def test_where_websockets_are_blocked_events_and_then_polling_carry_the_same_log(open_page, task):
    await add(task.id, "one")
    async with open_page() as page:
        await expect(page.locator(".live-row")).to_have_count(1)
        await page.add_init_script("window.WebSocket = class { constructor() { throw new Error('blocked'); } };")
        await page.add_init_script(
            "window.WebSocket = class { constructor() { setTimeout(() => this.onclose?.()); } close() {} send() {} };"
            "window.WebSocket.OPEN = 1;"
        )
        await page.reload()
        await expect(connection(page)).to_have_text("live (event stream)")
        await add(task.id, "two")
        await expect(page.locator(".live-row")).to_have_count(2)
        await page.add_init_script(
            "window.EventSource = class { constructor() { setTimeout(() => this.onerror?.()); } close() {} };"
        )
        await page.reload()
        await expect(connection(page)).to_have_text("live (polling)")
        await add(task.id, "three")
        await expect(page.locator(".live-row")).to_have_count(3)
        await add(task.id, "four")
        await expect(page.locator(".live-row")).to_have_count(4)
        assert await numbers(page) == [1, 2, 3, 4]


async def test_a_tab_that_slept_catches_up_within_two_seconds_also_over_the_end(open_page, task):
    async with open_page() as page:
        spent, lines = [], 0
        for turn in range(3):  # the best counts: a busy machine may take its time
            await page.context.set_offline(True)
            await expect(connection(page)).to_have_text(re.compile("offline since|reconnecting"))
            await add(task.id, *(f"slept {n}" for n in range(20)))
            lines += 20
            if turn == 2:
                await Task.objects.filter(pk=task.pk).aupdate(succeeded=10, state="finalizing")
                await Task.objects.filter(pk=task.pk).aupdate(state="completed")
            began = time.monotonic()
            await page.context.set_offline(False)
            await expect(page.locator(".live-row")).to_have_count(lines)
            spent.append(time.monotonic() - began)
            await expect(connection(page)).to_have_text(re.compile("^live"))
        assert min(spent) < 2, spent
        await expect(page.locator("[data-live=state]")).to_have_text("completed")
        await expect(page.locator("[data-live=words]")).to_have_text("100 % · 10 of 10 done")


async def test_a_session_that_ends_is_said(open_page, task):
    async with open_page() as page:
        task.owner.is_active = False
        await task.owner.asave(update_fields=["is_active"])
        await expect(connection(page)).to_have_text(re.compile("Your session has ended"))


async def test_keyboard_screen_reader_and_a_narrow_screen(open_page, task):
    await add(task.id, *("a long line " * 30 for _ in range(60)))
    async with open_page(viewport={"width": 360, "height": 740}) as page:
        await expect(page.locator(".live-row").last).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") <= 360
        await expect(page.get_by_role("log", name="Log of the batch")).to_have_attribute("aria-live", "off")
        await expect(page.get_by_role("progressbar", name="Progress")).to_be_visible()
        await log(page).focus()
        await page.keyboard.press("Home")
        await expect(page.locator("[data-live=follow]")).to_have_attribute("aria-pressed", "false")
        await page.keyboard.press("End")
        await expect(page.locator("[data-live=follow]")).to_have_attribute("aria-pressed", "true")
        await page.locator("[data-live=wrap]").focus()
        await page.keyboard.press("Space")
        assert await page.evaluate("document.documentElement.scrollWidth") <= 360
