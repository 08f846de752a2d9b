"""Archives and lists on the upload page, and reviewing by keyboard, in real Chromium."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.db import connections
from playwright.async_api import expect

from tasks import fanout
from tasks.kinds.literature import outcomes, record
from tasks.kinds.literature.models import Template
from tasks.kinds.literature.review import judging
from tasks.models import SubTask
from tests.browser.watching import chromium, tab
from tests.integration.literature.ended import ended_set
from tests.integration.literature.papers import pdf_bytes
from tests.integration.literature.test_mixed_intake import HAY, RIS, zipped
from tests.integration.streaming.watching import session_of
from tests.processes import Web

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


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
    return get_user_model().objects.create_user("ana")


@pytest.fixture
def cookie(ana):
    return session_of(ana)


@pytest.fixture
async def page(web, cookie):
    async with chromium() as browser, tab(browser, web, cookie, viewport={"width": 1280, "height": 900}) as page:
        yield page


@pytest.fixture
def paper(ana):
    return ended_set(ana).papers.get(position=1)


async def record_of(paper) -> dict:
    return await sync_to_async(lambda: record.effective(outcomes.items_of(paper.task).get(pk=paper.pk)))()


async def test_archive_list_and_pasted_numbers_are_on_one_receipt_and_come_off_it_again(page, ana, tmp_path):
    draft = await sync_to_async(fanout.create)("literature", ana, "All mixed")
    (tmp_path / "pile.zip").write_bytes(zipped(("a.pdf", HAY), ("b.pdf", HAY), ("c.txt", b"prose")))
    (tmp_path / "list.ris").write_bytes(RIS)
    (tmp_path / "own.pdf").write_bytes(pdf_bytes("own"))
    await page.goto(f"/sets/{draft.pk}/upload/")
    await page.set_input_files("#choose", [str(path) for path in sorted(tmp_path.iterdir())])
    receipt = page.locator("#receipt")
    await expect(receipt).to_have_text("Given 7 = accepted 4 + duplicate 1 + refused 2")
    await page.get_by_text("Paste DOIs or PubMed numbers").click()
    await page.locator("#pasted").fill("10.5555/one\n10.5555/two")
    await page.get_by_role("button", name="Add to the set").click()
    await expect(receipt).to_have_text("Given 9 = accepted 6 + duplicate 1 + refused 2")
    await expect(page.locator("#pasted")).to_have_value("")
    of_list = page.locator("li.upload", has_text="list.ris")
    await of_list.get_by_text("Not taken: 1").click()
    await expect(of_list).to_contain_text("line 8")
    await page.reload()
    await expect(receipt).to_have_text("Given 9 = accepted 6 + duplicate 1 + refused 2")
    await page.locator("li.upload", has_text="pile.zip").get_by_title("Remove").click()
    await expect(receipt).to_have_text("Given 6 = accepted 5 + duplicate 0 + refused 1")
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Download the receipt").click()
    assert (await download.value).suggested_filename.endswith("receipt.csv")
    await expect(page.get_by_role("button", name="Start with 5 papers")).to_be_enabled()


async def test_values_are_judged_by_keyboard_alone(page, paper):
    await page.goto(f"/sets/{paper.task_id}/papers/{paper.pk}/")
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog")).to_contain_text("confirm it")
    await page.keyboard.press("Escape")
    await page.keyboard.press("j")
    await page.keyboard.press("c")
    await expect(page.locator("#v-doi-0")).to_contain_text("confirmed by ana")
    await page.keyboard.press("j")
    await page.keyboard.press("e")
    await page.keyboard.type("case series")
    await page.keyboard.press("Enter")
    design = page.locator("#v-design-0")
    await expect(design).to_contain_text("corrected by ana")
    await expect(design.locator(".value")).to_have_text("case series")
    await expect(design).to_contain_text("the machine says: cohort")
    await page.keyboard.press("u")
    await expect(design.locator(".value")).to_have_text("cohort")
    await page.keyboard.press("r")
    await expect(page.locator("#reviewed-by")).to_contain_text("Reviewed by ana")
    record = await record_of(paper)
    assert record["reviewed"]["by"] == "ana"
    assert [one.get("review", {}).get("act") for one in record["fields"]] == ["confirmed", None]


async def test_two_reviewers_at_once_see_each_other_and_lose_nothing(page, ana, paper):
    other = await sync_to_async(get_user_model().objects.create_superuser)("boss")
    await page.goto(f"/sets/{paper.task_id}/papers/{paper.pk}/")
    design = page.locator("#v-design-0")
    await design.get_by_text("Correct", exact=True).click()
    await design.get_by_role("textbox").fill("case series")
    item = await sync_to_async(lambda: outcomes.items_of(paper.task).get(pk=paper.pk))()
    await sync_to_async(judging.judge)(item, "design", 0, "corrected", "trial", other, seen=0)
    await page.keyboard.press("Enter")
    await expect(design.locator(".said")).to_contain_text("boss has judged this value meanwhile")
    await expect(design.locator(".value")).to_have_text("trial")
    await expect(design.get_by_role("textbox")).to_have_value("case series")
    await design.get_by_role("button", name="Keep this value").click()
    await expect(design.locator(".value")).to_have_text("case series")


async def test_a_value_that_was_not_found_is_filled_in(page, paper):
    await page.goto(f"/sets/{paper.task_id}/papers/{paper.pk}/")
    await page.get_by_text("Not found:").click()
    size = page.locator("#v-sample_size-0")
    await size.get_by_text("Correct", exact=True).click()
    await size.get_by_role("textbox").fill("many")
    await page.keyboard.press("Enter")
    await expect(size.locator(".said")).to_contain_text("no whole number")
    await size.get_by_role("textbox").fill("120")
    await page.keyboard.press("Enter")
    await expect(page.locator("#missing #v-sample_size-0")).to_have_count(0)
    await expect(page.locator("#v-sample_size-0 .value")).to_have_text("120")


async def test_the_table_is_filtered_its_columns_chosen_and_its_rows_walked_by_keyboard(page, paper):
    await page.goto(f"/sets/{paper.task_id}/")
    await page.get_by_role("button", name="Columns", exact=True).click()
    for box in await page.get_by_role("dialog").get_by_role("checkbox").all():
        await box.set_checked(await box.get_attribute("value") in ("title", "abstract"))
    await page.get_by_role("button", name="Show these").click()
    heads = page.locator("#table thead th")
    await expect(heads).to_have_text(["File", "Title", "Abstract"])
    await page.keyboard.press("/")
    await page.keyboard.type("nothing has this")
    await page.keyboard.press("Enter")
    await expect(page.locator("#table")).to_contain_text("No row matches.")
    await page.locator("#table-all").click()
    await expect(page.locator("#table tbody tr")).to_have_count(1)
    await page.locator("#only").select_option("reviewed")
    await expect(page.locator("#table")).to_contain_text("No row matches.")
    await page.locator("#only").select_option("")
    await page.locator("h1").click()
    await page.keyboard.press("j")  # the rows may still be on their way: it waits for them
    await expect(page.locator("#table tbody th a")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(f"{page.url.split('/sets/')[0]}/sets/{paper.task_id}/papers/{paper.pk}/")


async def test_a_template_is_made_reordered_and_chosen(page, ana):
    await page.goto("/templates/new/")
    await page.get_by_label("Name of the template").fill("Trials")
    rows = page.locator(".wanted")
    for n, words in enumerate(("Blinding", "Design")):
        await rows.nth(n).get_by_label("Field", exact=True).fill(words)
    await rows.nth(1).get_by_label("Taken from").select_option("design")
    await rows.nth(1).get_by_role("button", name="Move up").click()
    await page.get_by_role("button", name="Make the template").click()
    await expect(page.locator("h1")).to_have_text("Trials")
    template = await Template.objects.aget()
    version = await template.versions.aget()
    assert [field["words"] for field in version.fields] == ["Design", "Blinding"]
    await page.goto("/sets/new/")
    await page.get_by_label("Title").fill("x")
    await page.get_by_label("Fields wanted").select_option("Trials")
    await page.get_by_role("button", name="Go on to the papers").click()
    await expect(page.locator("#template")).to_have_value(str(template.pk))


async def test_a_table_with_verdicts_and_marks_scrolls_inside_and_never_widens_its_page(page, ana, paper):
    item = await sync_to_async(lambda: outcomes.items_of(paper.task).get(pk=paper.pk))()
    await sync_to_async(judging.judge)(item, "data_availability", 0, "corrected", "on request", ana, seen=0)
    await sync_to_async(judging.mark)(item, True, ana)
    for width in (360, 1280):
        await page.set_viewport_size({"width": width, "height": 900})
        await page.goto(f"/sets/{paper.task_id}/")
        await expect(page.locator("#table .mark")).to_have_count(2)
        assert await page.evaluate("document.documentElement.scrollWidth") <= width


async def test_the_page_of_a_paper_that_is_still_to_be_read_shows_its_values_without_a_reload(page, paper):
    child = SubTask.objects.filter(task=paper.task_id, key="barn/good.pdf")
    (result,) = [one async for one in child.values_list("result", flat=True)]
    await child.aupdate(state="pending", result={})
    await page.goto(f"/sets/{paper.task_id}/papers/{paper.pk}/")
    await expect(page.locator("#awaited")).to_be_visible()
    await SubTask.objects.filter(task=paper.task_id, state="pending").aupdate(state="succeeded", result=result)
    await expect(page.locator("#v-doi-0")).to_contain_text("10.5555/hay.1")


async def test_what_two_sources_said_stands_side_by_side_and_fits_a_phone(page, paper):
    child = await sync_to_async(lambda: SubTask.objects.get(task=paper.task, key="barn/good.pdf"))()
    said = {"name": "design", "value": "trial", "page": 1, "quote": "a trial", "verified": True, "status": "found"}
    child.result["grobid"] = {"fields": [said]}
    await child.asave(update_fields=["result"])
    await page.set_viewport_size({"width": 360, "height": 800})
    await page.goto(f"/sets/{paper.task_id}/papers/{paper.pk}/")
    design = page.locator("#v-design-0")
    summary = design.get_by_text("2 readings")
    await summary.focus()
    await page.keyboard.press("Enter")
    await expect(design.locator("li", has_text="read from the file:")).to_contain_text("cohort")
    await expect(design.locator("li", has_text="GROBID:")).to_contain_text("stands")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
