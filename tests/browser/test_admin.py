"""The staff's pages in real Chromium: usable on a phone, by keyboard, in the dark, in Chinese, under a strict CSP."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone
from playwright.async_api import expect

from tasks.models import Finding, Lane, LogLine, Queue, Share, SubTask, Task, Worker
from tests.browser.watching import chromium, tab
from tests.integration.streaming.watching import session_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]

LONG = "Statins in heart failure with preserved ejection fraction: everything found on 2026-11-12"


def fill() -> tuple[str, int]:
    """An administrator's session, and the number of a running batch with children in every state."""
    boss = User.objects.create_superuser("boss", password="x")
    queue = Queue.objects.create(name="press", limit=2, breaker="open", breaker_reason="403 from the service")
    worker = Worker.objects.create(token="7" * 32, host="a-machine-with-a-long-name.example.org", pid=7, concurrency=4)
    lane = Lane.objects.create(queue=queue, slot=0, job_id=1, worker=worker.token, seen_at=timezone.now())
    task = Task.objects.create(
        kind="words", owner=boss, title=LONG, state="running", sealed=True, total=4, succeeded=1, failed=1, log_seq=1
    )
    for position, state in enumerate(("succeeded", "failed", "running", "pending")):
        more = {"lease": 1, "lane": lane, "started_at": timezone.now()} if state == "running" else {}
        more |= {"error_code": "timeout", "error_data": {"limit_s": 60}} if state == "failed" else {}
        key = f"Smith_{position}_a_file_name_as_long_as_publishers_make_them.pdf"
        SubTask.objects.create(task=task, position=position, key=key, stage="parse", queue="press", state=state, **more)
    Share.objects.create(task=task, queue="press")
    LogLine.objects.create(task=task, seq=1, level=40, code="child_failed", data={"key": "Smith", "reason": "too long"})
    Finding.objects.create(code="healed", task=task, data={"before": 1, "after": 2})
    return session_of(boss), task.pk


def pages(task) -> list[str]:
    models = ("task", "subtask", "queue", "lane", "worker", "logline", "finding")
    child = f"subtask/?task__id__exact={task}&state=failed"
    paths = [
        *(f"{model}/" for model in models),
        f"task/{task}/change/",
        f"task/{task}/do/cancel/",
        "queue/press/change/",
        child,
    ]
    return ["/admin/", *(f"/admin/tasks/{path}" for path in paths)]


#: The contrast of every badge with what lies behind it (WCAG 2.2), as [text, ratio].
CONTRASTS = """() => {
  const rgb = colour => { const c = document.createElement('canvas').getContext('2d'); c.fillStyle = colour;
                          c.fillRect(0, 0, 1, 1); return [...c.getImageData(0, 0, 1, 1).data]; };
  const light = ([r, g, b]) => { const [x, y, z] = [r, g, b].map(v => (v /= 255) <= 0.04045 ? v / 12.92
                                 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * x + 0.7152 * y + 0.0722 * z; };
  const behind = node => { for (; node; node = node.parentElement) {
                           const c = rgb(getComputedStyle(node).backgroundColor);
                           if (c[3] === 255) return c; } return [255, 255, 255]; };
  return [...document.querySelectorAll('.sheaf-badge, .sheaf-verbs .button')].map(node => {
    const [a, b] = [light(rgb(getComputedStyle(node).color)), light(behind(node))];
    return [node.innerText, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)]; });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_no_page_is_wider_than_a_phone_and_states_are_readable(web, scheme):
    cookie, task = await sync_to_async(fill)()
    async with chromium() as browser:
        async with tab(browser, web, cookie, viewport={"width": 360, "height": 740}, color_scheme=scheme) as page:
            for path in pages(task):
                answer = await page.goto(path)
                assert answer.status == 200, path
                wide = await page.evaluate("document.documentElement.scrollWidth")
                assert wide <= 360, f"{path} is {wide} px wide"
                faint = [(text, round(ratio, 2)) for text, ratio in await page.evaluate(CONTRASTS) if ratio < 4.5]
                assert not faint, f"{path} in the {scheme}: {faint}"


async def test_a_batch_is_cancelled_by_keyboard_and_only_after_a_question(web):
    cookie, task = await sync_to_async(fill)()

    def state():
        return Task.objects.get(pk=task).state

    async with chromium() as browser, tab(browser, web, cookie) as page:
        await page.goto(f"/admin/tasks/task/{task}/change/")
        await page.get_by_role("link", name="Cancel…").focus()
        await page.keyboard.press("Enter")
        await page.get_by_role("heading", name="Cancel 1 batch?").wait_for()
        assert await sync_to_async(state)() == "running"
        await page.get_by_role("button", name="Yes, cancel").focus()
        await page.keyboard.press("Enter")
        await page.get_by_text("Cancelled: 1 batch.").wait_for()
    assert await sync_to_async(state)() == "cancelling"


async def test_an_action_over_the_list_asks_and_keeps_the_selection(web):
    cookie, task = await sync_to_async(fill)()
    async with chromium() as browser, tab(browser, web, cookie) as page:
        await page.goto("/admin/tasks/task/")
        await page.locator(f"input[name=_selected_action][value='{task}']").check()
        await page.select_option("select[name=action]", "cancel")
        await page.locator("button[name=index]").click()
        await page.get_by_role("button", name="Yes, cancel").click()
        await page.get_by_text("Cancelled: 1 batch.").wait_for()


async def test_a_limit_is_changed_in_the_list_while_work_waits(web):
    cookie, _ = await sync_to_async(fill)()
    await sync_to_async(Queue.objects.update)(breaker="closed")

    def lanes():
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM procrastinate_jobs WHERE task_name = 'tasks.jobs.lane'")
            return Queue.objects.get(name="press").limit, cursor.fetchone()[0]

    async with chromium() as browser, tab(browser, web, cookie) as page:
        await page.goto("/admin/tasks/queue/")
        row = page.locator("#result_list tr", has=page.get_by_role("link", name="press", exact=True))
        await row.locator("input[type=number][name$=-limit]").fill("5")
        await page.get_by_role("button", name="Save").click()
        await page.locator(".messagelist .success").wait_for()
    assert await sync_to_async(lanes)() == (5, 4)  # the fifth lane is held already


async def test_the_language_is_switched_in_the_header_and_stays(web):
    cookie, task = await sync_to_async(fill)()
    async with chromium() as browser, tab(browser, web, cookie, locale="en-GB") as page:
        await page.goto(f"/admin/tasks/task/{task}/change/")
        assert await page.locator("html").get_attribute("lang") == "en"
        await page.get_by_role("button", name="简体中文").click()
        await expect(page.locator("html")).to_have_attribute("lang", "zh-hans")
        assert page.url.endswith(f"/task/{task}/change/")
        await page.goto("/admin/")
        assert await page.locator("html").get_attribute("lang") == "zh-hans"
