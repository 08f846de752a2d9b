"""The public pages as a researcher meets them, in real Chromium with a real web and worker process."""

from __future__ import annotations

import asyncio
import re

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.db import connections
from playwright.async_api import expect

from tasks import fanout
from tasks.kinds.literature import samples
from tasks.kinds.literature.forms import editing
from tasks.models import Task
from tests.browser.watching import chromium, tab
from tests.integration.literature.ended import ended_set
from tests.integration.literature.papers import pdf_bytes
from tests.integration.streaming.watching import session_of
from tests.processes import Web, Worker

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

RECEIPT = "#receipt"


@pytest.fixture(scope="module")
def web(django_db_setup):
    with Web() as web:
        yield web


@pytest.fixture(autouse=True)
async def _no_connection_stays():
    yield
    await sync_to_async(connections.close_all)()


@pytest.fixture
def ana(transactional_db):
    return get_user_model().objects.create_user("ana", password="hay and straw")


@pytest.fixture
def cookie(ana):
    return session_of(ana)


@pytest.fixture
async def page(web, cookie):
    async with chromium() as browser, tab(browser, web, cookie, viewport={"width": 1280, "height": 900}) as page:
        yield page


async def draft_of(ana, title="Hay and its uses"):
    return await sync_to_async(fanout.create)("literature", ana, title)


@pytest.fixture(scope="module")
def papers(tmp_path_factory):
    return samples.build(tmp_path_factory.mktemp("papers"))


@pytest.fixture
def worker(transactional_db):
    with Worker(concurrency=2) as worker:
        yield worker


async def test_from_login_to_the_table_and_the_evidence(web, worker, ana, papers):
    """The main road: log in, make a set, give papers, start, watch, look a value up."""
    async with chromium() as browser:
        page = await browser.new_page(base_url=web.url)
        await page.goto("/")
        await page.get_by_label("User name").fill("ana")
        await page.get_by_label("Password").fill("hay and straw")
        await page.keyboard.press("Enter")
        await page.get_by_role("link", name="New literature set").first.click()
        await page.get_by_label("Title").fill("Everything about hay")
        await page.keyboard.press("Enter")
        await page.set_input_files("#choose", [str(sample.path) for sample in papers])
        accepted = sum(sample.outcome != "duplicate" for sample in papers)
        await page.get_by_role("button", name=f"Start with {accepted} papers").click()
        await expect(page).to_have_url(re.compile(r"/sets/\d+/$"))
        good = [sample for sample in papers if sample.outcome == "succeeded"]
        failed = sum(sample.outcome == "failed" for sample in papers)
        ended = f"{len(papers)} given = {len(good)} succeeded + {failed} failed"
        await expect(page.locator("#status .sum")).to_contain_text(ended, timeout=60_000)
        await expect(page.locator("#table tbody tr")).to_have_count(len(good))
        await expect(page.locator("#status")).not_to_contain_text("Retry these")  # their bytes stay as they are
        await page.locator("#filter-failed").click()
        await expect(page.locator("#papers li.paper")).to_have_count(failed)
        await page.locator("#table tbody a").first.click()
        doi = page.locator(".evidence", has_text="DOI").first
        await expect(doi).to_contain_text("verified")
        await doi.get_by_role("link").click()
        await expect(page.locator("#page rect")).to_be_visible()
        assert (
            await page.locator("#page image").evaluate(
                "image => fetch(image.href.baseVal).then(answer => answer.headers.get('content-type'))"
            )
            == "image/png"
        )


async def test_a_template_is_tried_on_five_papers_before_the_whole_set(page, worker, ana, tmp_path):
    rows = [
        {"words": "Participants", "type": "number", "unit": "people", "source": "sample_size"},
        {"words": "Blinded", "type": "yes_no"},
    ]
    template = await sync_to_async(editing.make)(ana, "Trials", rows)
    draft = await draft_of(ana)
    for number in range(6):
        (tmp_path / f"{number}.pdf").write_bytes(pdf_bytes(f"paper {number}"))
    await page.goto(f"/sets/{draft.pk}/upload/")
    await page.set_input_files("#choose", [str(path) for path in sorted(tmp_path.iterdir())])
    await expect(page.locator(RECEIPT)).to_contain_text("accepted 6")
    async with page.expect_response("**/template/"):  # the choice is kept without a press
        await page.locator("#template").select_option(str(template.pk))
    await page.get_by_role("button", name="Try it on 5 papers first").click()
    await expect(page.locator("#status .sum")).to_contain_text("5 given = 5 succeeded", timeout=60_000)
    await expect(page.locator("#table thead th")).to_have_text(["File", "Participants (people)", "Blinded"])
    await expect(page.locator("#table tbody tr")).to_have_count(5)
    await expect(page.locator("#table tbody")).to_contain_text("left to people")
    await page.get_by_role("link", name="Back to the whole set").click()
    await expect(page.get_by_role("button", name="Start with 6 papers")).to_be_enabled()


async def test_the_receipt_adds_up_and_start_waits_for_an_accepted_paper(page, ana, tmp_path):
    draft = await draft_of(ana)
    for name, data in (("a.pdf", pdf_bytes()), ("b.pdf", pdf_bytes()), ("page.pdf", b"<html>"), ("nil.pdf", b"")):
        (tmp_path / name).write_bytes(data)
    await page.goto(f"/sets/{draft.pk}/upload/")
    await expect(page.get_by_role("button", name="Start")).to_be_disabled()
    await page.set_input_files("#choose", [str(path) for path in (tmp_path / "nil.pdf", tmp_path / "page.pdf")])
    await expect(page.locator(RECEIPT)).to_have_text("Given 2 = accepted 0 + duplicate 0 + refused 2")
    await expect(page.get_by_role("button", name="Start")).to_be_disabled()
    await page.set_input_files("#choose", str(tmp_path / "a.pdf"))
    await expect(page.locator(RECEIPT)).to_contain_text("accepted 1")
    await page.set_input_files("#choose", str(tmp_path / "b.pdf"))
    await expect(page.locator(RECEIPT)).to_have_text("Given 4 = accepted 1 + duplicate 1 + refused 2")
    await expect(page.get_by_role("button", name="Start with 1 paper")).to_be_enabled()
    await page.reload()
    await expect(page.locator(RECEIPT)).to_have_text("Given 4 = accepted 1 + duplicate 1 + refused 2")
    await page.locator("li.upload", has=page.get_by_text("a.pdf", exact=True)).get_by_title("Remove").click()
    await expect(page.locator(RECEIPT)).to_have_text("Given 3 = accepted 1 + duplicate 0 + refused 2")
    await expect(page.locator("li.upload", has_text="b.pdf")).to_contain_text("accepted")


async def test_a_duplicate_is_read_all_the_same_at_the_press_of_a_button(page, ana, tmp_path):
    draft = await draft_of(ana)
    for name in ("a.pdf", "b.pdf"):
        (tmp_path / name).write_bytes(pdf_bytes())
    await page.goto(f"/sets/{draft.pk}/upload/")
    await page.set_input_files("#choose", str(tmp_path / "a.pdf"))
    await expect(page.locator(RECEIPT)).to_contain_text("accepted 1")
    await page.set_input_files("#choose", str(tmp_path / "b.pdf"))
    await expect(page.locator(RECEIPT)).to_contain_text("duplicate 1")
    await page.get_by_role("button", name="Read it all the same").click()
    await expect(page.locator(RECEIPT)).to_have_text("Given 2 = accepted 2 + duplicate 0 + refused 0")
    await expect(page.get_by_role("button", name="Start with 2 papers")).to_be_enabled()
    await expect(page.get_by_role("button", name="Read it all the same")).to_be_hidden()


async def test_files_chosen_before_the_script_arrived_are_taken(page, ana, tmp_path):
    draft = await draft_of(ana)
    (tmp_path / "a.pdf").write_bytes(pdf_bytes())
    chosen = asyncio.Event()

    async def late(route):
        await chosen.wait()
        await route.continue_()

    await page.route("**/upload*.js", late)
    await page.goto(f"/sets/{draft.pk}/upload/", wait_until="commit")
    await page.set_input_files("#choose", str(tmp_path / "a.pdf"))
    chosen.set()
    await expect(page.locator(RECEIPT)).to_have_text("Given 1 = accepted 1 + duplicate 0 + refused 0")


async def test_an_upload_that_broke_is_tried_again_and_what_is_here_is_not_sent_again(page, ana, tmp_path):
    draft = await draft_of(ana)
    paths = []
    for number in range(3):
        paths.append(str(tmp_path / f"{number}.pdf"))
        (tmp_path / f"{number}.pdf").write_bytes(pdf_bytes(f"paper {number}"))
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.url.endswith("/files/") else None)
    await page.route("**/files/", lambda route: route.abort())
    await page.goto(f"/sets/{draft.pk}/upload/")
    await page.set_input_files("#choose", paths)
    broken = page.get_by_role("button", name="Try again")
    await expect(broken).to_have_count(3)
    await expect(page.locator("#list")).to_contain_text("The connection broke")
    await page.unroute("**/files/")
    await broken.first.click()
    await expect(page.locator(RECEIPT)).to_contain_text("accepted 1")
    await page.reload()
    sent.clear()
    await page.set_input_files("#choose", paths)  # chosen again after a break: two travel, the third is here
    await expect(page.locator(RECEIPT)).to_have_text("Given 3 = accepted 3 + duplicate 0 + refused 0")
    assert len(sent) == 2


async def test_three_files_travel_at_once_and_leaving_the_page_is_asked_about(page, ana, tmp_path):
    draft = await draft_of(ana)
    paths = []
    for number in range(8):
        paths.append(str(tmp_path / f"{number}.pdf"))
        (tmp_path / f"{number}.pdf").write_bytes(pdf_bytes(f"paper {number}"))
    waiting, open_road = [], asyncio.Event()

    async def hold(route):
        waiting.append(route)
        await open_road.wait()
        await route.continue_()

    await page.route("**/files/", hold)
    await page.goto(f"/sets/{draft.pk}/upload/")
    await page.set_input_files("#choose", paths)
    await expect(page.locator("li.upload", has_text="uploading")).to_have_count(3)
    await expect(page.locator("li.upload", has_text="waiting")).to_have_count(5)
    assert len(waiting) == 3
    asked = []

    async def stay(dialog):
        asked.append(dialog.type)
        await dialog.dismiss()

    page.on("dialog", stay)
    await page.close(run_before_unload=True)
    open_road.set()
    await expect(page.locator(RECEIPT)).to_contain_text("accepted 8")
    assert asked == ["beforeunload"]


async def test_a_folder_is_given_with_its_inner_folders(page, ana, tmp_path):
    draft = await draft_of(ana)
    (tmp_path / "pile" / "inner").mkdir(parents=True)
    (tmp_path / "pile" / "inner" / "a.pdf").write_bytes(pdf_bytes("a"))
    (tmp_path / "pile" / ".DS_Store").write_bytes(b"x")
    await page.goto(f"/sets/{draft.pk}/upload/")
    await page.set_input_files("#choose-folder", str(tmp_path / "pile"))
    await expect(page.locator("li.upload .name")).to_have_text(["pile/inner/a.pdf"])


async def test_cancelling_is_asked_about_and_escape_keeps_the_set(page, ana, tmp_path):
    draft = await draft_of(ana)
    (tmp_path / "a.pdf").write_bytes(pdf_bytes())
    await page.goto(f"/sets/{draft.pk}/upload/")
    await page.set_input_files("#choose", str(tmp_path / "a.pdf"))
    await page.get_by_role("button", name="Start with 1 paper").click()
    await page.get_by_role("button", name="Cancel", exact=True).click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_be_hidden()
    assert (await Task.objects.aget(pk=draft.pk)).cancelled_at is None
    await page.get_by_role("button", name="Cancel", exact=True).click()
    await page.get_by_role("button", name="Cancel the set").click()
    await expect(page.locator("#status .state").first).to_have_text(re.compile("ancelled"))
    assert (await Task.objects.aget(pk=draft.pk)).cancelled_at is not None


async def test_the_set_page_follows_another_persons_pause_without_a_reload(page, ana, tmp_path):
    draft = await draft_of(ana)
    (tmp_path / "a.pdf").write_bytes(pdf_bytes())
    await page.goto(f"/sets/{draft.pk}/upload/")
    await page.set_input_files("#choose", str(tmp_path / "a.pdf"))
    await page.get_by_role("button", name="Start with 1 paper").click()
    await expect(page.get_by_role("button", name="Pause")).to_be_visible()
    await page.evaluate("window.unreloaded = true")
    await sync_to_async(fanout.pause)(draft, ana)
    await expect(page.get_by_role("button", name="Resume")).to_be_visible()
    assert await page.evaluate("window.unreloaded")


PAGES = [
    "/login/",
    "/sets/",
    "/sets/new/",
    "/sets/{draft}/upload/",
    "/sets/{ended}/",
    "/sets/{ended}/papers/{paper}/",
    "/sets/{ended}/share/",
    "/sets/{ended}/delete/",
    "/sets/{ended}/tell/",
    "/templates/",
    "/templates/new/",
]


#: Controls that a screen reader would have no name for.
NAMELESS = """() => [...document.querySelectorAll('button, a[href], input:not([type=hidden]), select, progress')]
    .filter(one => one.checkVisibility())
    .filter(one => !(one.innerText || one.ariaLabel || one.title || one.labels?.length))
    .map(one => one.outerHTML)"""


@pytest.mark.parametrize("language", ["en", "zh-hans"])
async def test_every_page_fits_its_window_has_one_heading_and_names_its_controls(web, ana, cookie, language):
    draft = await draft_of(ana, "A-title-that-goes-on-and-on-without-any-place-to-break-because-somebody-liked-hyphens")
    ended = await sync_to_async(ended_set)(ana)
    paper = await ended.papers.order_by("position").afirst()
    async with chromium() as browser:
        for width, theme in ((1280, "light"), (360, "dark")):
            async with tab(browser, web, cookie, viewport={"width": width, "height": 800}) as page:
                given = [("theme", theme), ("django_language", language)]
                await page.context.add_cookies(
                    [{"name": name, "value": value, "url": web.url} for name, value in given]
                )
                for path in PAGES:
                    await page.goto(path.format(draft=draft.pk, ended=ended.pk, paper=paper.pk))
                    assert await page.evaluate("document.documentElement.scrollWidth") <= width, path
                    assert await page.locator("h1").count() == 1, path
                    assert await page.locator("html").get_attribute("lang") == language
                    assert await page.evaluate(NAMELESS) == [], path


async def test_the_theme_stays_and_is_worn_before_the_first_paint(page, ana):
    await page.goto("/sets/")
    switch = page.locator("#theme")
    for theme in ("light", "dark"):
        await switch.click()
        await expect(page.locator("html")).to_have_attribute("data-theme", theme)
    await page.route("**/*.js", lambda route: route.abort())
    await page.reload()
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert await page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 24, 26)"


async def test_a_reader_without_a_mouse_reaches_everything_on_the_set_page(page, ana):
    ended = await sync_to_async(ended_set)(ana)
    await page.goto(f"/sets/{ended.pk}/")
    await page.keyboard.press("Tab")
    assert await page.evaluate("document.activeElement.className") == "skip"
    reached = set()
    for _step in range(80):
        await page.keyboard.press("Tab")
        reached.add(await page.evaluate("document.activeElement.id || document.activeElement.className"))
    paper = await ended.papers.order_by("position").afirst()
    wanted = {
        "filter-failed",
        "reason-damaged",
        "columns-button",
        "has",
        "sort-title",
        "q",
        f"paper-{paper.pk}",
        f"row-{paper.pk}",
        "wide",
    }
    assert wanted <= reached
