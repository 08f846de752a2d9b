"""A tired reviewer with a bad connection: what could not be kept is said and stays typed; done means the next paper."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from playwright.async_api import expect

from tasks.kinds.literature.models import Note, Paper, Review, Verdict
from tasks.models import SubTask
from tests.browser.watching import chromium, tab
from tests.integration.literature.ended import ended_set
from tests.integration.streaming.watching import session_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def ana(transactional_db):
    return get_user_model().objects.create_user("ana")


@pytest.fixture
def paper(ana):
    """The first of two papers that were read."""
    task = ended_set(ana)
    second = Paper.objects.create(
        task=task, position=8, filename="second.pdf", key="second", sha256="8" * 64, size=1, state="accepted"
    )
    SubTask.objects.create(
        task=task,
        position=8,
        key="second",
        stage="parse",
        queue="local",
        state="succeeded",
        result={"parse": {"title": "The second", "fields": []}},
    )
    assert second.pk
    return task.papers.get(position=1)


@pytest.fixture
async def page(web, ana, paper):
    cookie = await sync_to_async(session_of)(ana)
    async with chromium() as browser, tab(browser, web, cookie, viewport={"width": 1280, "height": 900}) as page:
        await page.goto(f"/sets/{paper.task_id}/papers/{paper.pk}/")
        yield page


async def type_a_design(page, words: str):
    design = page.locator("#v-design-0")
    await design.get_by_text("Correct", exact=True).click()
    await design.get_by_role("textbox").fill(words)
    await page.keyboard.press("Enter")
    return design


async def test_a_correction_without_a_connection_is_not_lost(page):
    await page.route("**/verdict/", lambda route: route.abort())
    design = await type_a_design(page, "case series")
    await expect(design.locator(".said")).to_contain_text("Not kept: the server could not be reached")
    await expect(design.get_by_role("textbox")).to_have_value("case series")
    assert not await Verdict.objects.aexists()
    await page.unroute("**/verdict/")
    await design.get_by_role("button", name="Keep this value").click()
    await expect(design.locator(".value")).to_have_text("case series")


async def test_a_session_that_ended_is_said_and_after_a_new_login_the_same_form_goes_out(page, ana):
    await Session.objects.all().adelete()
    design = await type_a_design(page, "case series")
    await expect(design.locator(".said")).to_contain_text("your session has ended")
    name, _, value = (await sync_to_async(session_of)(ana)).partition("=")
    await page.context.add_cookies([{"name": name, "value": value, "url": page.url}])
    await page.context.clear_cookies(name="csrftoken")  # logging in makes a new one
    await design.get_by_role("button", name="Keep this value").click()
    await expect(design.locator(".value")).to_have_text("case series")


async def test_a_note_and_a_mark_without_a_connection_are_not_lost(page, paper):
    for door in ("**/note/", "**/reviewed/"):
        await page.route(door, lambda route: route.abort())
    note = page.locator("#note-text")
    await note.fill("look at table 2")
    await page.get_by_role("button", name="Add the note").click()
    await expect(page.locator("#not-kept")).to_contain_text("What you typed is still here")
    await expect(note).to_have_value("look at table 2")
    await page.locator("h1").click()
    await page.keyboard.press("r")
    await expect(page.locator("#not-kept")).to_be_visible()
    assert not await Review.objects.aexists()
    await page.unroute("**/note/")
    await page.get_by_role("button", name="Add the note").click()
    await expect(page.locator(".remark")).to_contain_text("look at table 2")
    assert await Note.objects.acount() == 1


async def test_done_leads_through_the_papers_that_are_open(page, paper):
    await expect(page.locator("#how-far")).to_contain_text("0 of 2 reviewed")
    await page.keyboard.press("d")
    await expect(page.locator("h1")).to_have_text("The second")
    await expect(page.locator("#how-far")).to_contain_text("1 of 2 reviewed")
    await page.keyboard.press("r")
    await expect(page.locator("#reviewed-by")).to_contain_text("Reviewed by ana")
    await expect(page.locator("#how-far")).to_contain_text("2 of 2 reviewed")
    assert await Review.objects.acount() == 2
