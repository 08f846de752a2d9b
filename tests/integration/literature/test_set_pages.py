"""The pages of a set and its exports: nothing is lost, nothing runs, everything says what to do."""

from __future__ import annotations

import csv
import io
import json
import re
import warnings

import pytest

from tasks import fanout
from tasks.kinds.literature.models import Paper, Report
from tasks.models import SubTask
from tests.integration.literature.ended import RECORD, ended_set
from tests.integration.literature.papers import JSON, pdf_bytes
from tests.markup import flat


@pytest.fixture
def task(people):
    return ended_set(people["ana"])


def body(response) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the test client is synchronous, the answer is not
        return b"".join(response)


def test_a_new_set_leads_to_its_upload_page_and_a_program_gets_its_addresses(ana):
    answer = ana.post("/sets/new/", {"title": "  Hay   and\x00 straw "})
    assert answer.status_code == 302 and answer["Location"].endswith("/upload/")
    made = ana.post("/sets/new/", {"title": "x"}, **JSON)
    assert made.status_code == 201
    assert set(made.json()) == {"id", "url", "upload_url", "files_url", "start_url"}
    assert ana.post("/sets/new/", {"title": " "}, **JSON).status_code == 400
    assert ana.post("/sets/new/", {"title": " "}).status_code == 400


def test_a_site_without_the_kind_says_so_on_the_page(ana, monkeypatch):
    monkeypatch.setattr("tasks.fanout.kind_named", lambda name: None)
    page = ana.post("/sets/new/", {"title": "Hay"})
    assert page.status_code == 503 and "literature" in page.content.decode()
    assert ana.post("/sets/new/", {"title": "Hay"}, **JSON).json()["code"] == "unknown_kind"


def test_the_counts_add_up_and_failures_carry_their_reason(ana, task):
    page = ana.get(f"/sets/{task.pk}/").content.decode()
    assert "4 given = 1 succeeded + 1 failed + 0 cancelled + 1 duplicate + 1 refused" in page
    assert "The file is damaged" in page
    report = Report.objects.get(task=task)
    assert report.given == report.succeeded + report.failed + report.cancelled + report.duplicate + report.refused == 4


def test_the_paper_list_puts_trouble_first_and_filters(ana, task):
    listed = ana.get(f"/sets/{task.pk}/papers/", **JSON).json()["papers"]
    assert [paper["state"] for paper in listed] == ["failed", "refused", "duplicate", "succeeded"]
    assert listed[0]["error_code"] == "damaged" and listed[0]["error"]

    def files(query):
        return [paper["file"] for paper in ana.get(f"/sets/{task.pk}/papers/?{query}", **JSON).json()["papers"]]

    assert files("state=failed") == ["barn/bad.pdf"]
    assert files("code=damaged") == ["barn/bad.pdf"]
    assert files("q=again") == ["barn/good again.pdf"]
    assert len(files("state=nonsense&page=99")) == 4


def test_the_table_is_sorted_by_a_column_and_back(ana, people):
    task = fanout.create("literature", people["ana"], "Years")
    for year in (2001, 1999, None, 2024):
        Paper.objects.create(
            task=task,
            position=(year or 1),
            filename=f"{year}.pdf",
            key=f"{year}",
            sha256=f"{year or 0:064}",
            size=1,
            state="accepted",
        )
        SubTask.objects.create(
            task=task,
            position=(year or 1),
            key=f"{year}",
            stage="parse",
            queue="local",
            state="succeeded",
            result={"parse": {"title": "t", "year": year}},
        )

    def files(sort):
        page = ana.get(f"/sets/{task.pk}/table/?sort={sort}").content.decode()
        return re.findall(r">(\w+)\.pdf<", page)

    assert files("year") == ["1999", "2001", "2024", "None"]
    assert files("-year") == ["2024", "2001", "1999", "None"]
    assert files("nonsense") == ["None", "1999", "2001", "2024"]
    assert 'aria-sort="descending"' in ana.get(f"/sets/{task.pk}/table/?sort=-year").content.decode()


@pytest.mark.parametrize("door", ["", "papers/", "table/", "papers/{paper}/"])
def test_what_papers_say_is_shown_and_never_executed(ana, task, door):
    paper = task.papers.order_by("position").first()
    page = ana.get(f"/sets/{task.pk}/" + door.format(paper=paper.pk)).content.decode()
    assert "Hay &amp; &lt;b&gt;straw&lt;/b&gt;" in page
    assert "<b>straw" not in page


def test_the_page_of_a_paper_shows_page_quote_and_mark_of_each_value(ana, task):
    paper = task.papers.order_by("position").first()
    page = ana.get(f"/sets/{task.pk}/papers/{paper.pk}/?field=0").content.decode()
    assert "doi 10.5555/hay.1" in page and "1 of 2 verified" in page and "not verified" in page
    assert f'href="/sets/{task.pk}/papers/{paper.pk}/pages/1.png"' in page
    assert '<rect x="70" y="58" width="132" height="19"' in page


def test_the_picture_of_a_page_is_a_png_with_the_box_and_is_asked_for_once(ana, task):
    paper = task.papers.order_by("position").first()
    url = f"/sets/{task.pk}/papers/{paper.pk}/pages/1.png"
    plain, marked = ana.get(url), ana.get(url + "?box=72,60,200,75")
    assert plain.content.startswith(b"\x89PNG") and marked.content != plain.content
    assert ana.get(url, HTTP_IF_NONE_MATCH=plain["ETag"]).status_code == 304
    assert ana.get(url.replace("/1.png", "/3.png")).status_code == 404
    assert ana.get(url + "?box=1,2,x,4").status_code == ana.get(url + "?box=nan,2,3,4").status_code == 404


def test_a_file_goes_out_as_a_download_under_its_own_name(ana, task):
    paper = task.papers.order_by("position").first()
    answer = ana.get(f"/sets/{task.pk}/file/{paper.pk}.pdf")
    assert body(answer) == pdf_bytes("good", 2)
    assert answer["Content-Disposition"].startswith('attachment; filename="good.pdf"')
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_the_csv_has_a_line_for_every_paper_given(ana, task):
    text = body(ana.get(f"/sets/{task.pk}/export.csv")).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["status"] for row in rows] == ["succeeded", "failed", "duplicate", "refused"]
    assert rows[0]["journal"] == "'=Journal of Hay"
    assert all(row["error"] for row in rows[1:])


def test_the_json_has_a_record_for_every_paper_given(ana, task):
    found = json.loads(body(ana.get(f"/sets/{task.pk}/export.json")))
    assert [record["file"] for record in found] == [
        "barn/good.pdf",
        "barn/bad.pdf",
        "barn/good again.pdf",
        "barn/page.pdf",
    ]
    assert found[0]["fields"] == RECORD["fields"]
    assert {tuple(record) for record in found} == {tuple(found[0])}
    chosen = json.loads(body(ana.get(f"/sets/{task.pk}/export.json?outcome=failed")))
    assert [record["error_code"] for record in chosen] == ["damaged"]


def test_an_empty_set_can_not_start_and_says_why(ana, draft):
    answer = ana.post(f"/sets/{draft.pk}/start/", **JSON)
    assert (answer.status_code, answer.json()["code"]) == (409, "set_empty")
    page = ana.post(f"/sets/{draft.pk}/start/", follow=True).content.decode()
    assert "nothing to start" in page


def test_starting_twice_is_one_start(ana, give, draft):
    give(pdf_bytes())
    assert ana.post(f"/sets/{draft.pk}/start/", **JSON).json()["done"] is True
    assert ana.post(f"/sets/{draft.pk}/start/", **JSON).json()["done"] is False


def test_pause_resume_and_cancel_are_one_press_each(ana, give, draft):
    give(pdf_bytes())
    fanout.start(draft)
    for verb in ("pause", "resume", "cancel"):
        assert ana.post(f"/sets/{draft.pk}/{verb}/", **JSON).json()["done"] is True
        assert ana.get(f"/sets/{draft.pk}/{verb}/").status_code == 405


def test_retry_opens_the_next_run_with_the_papers_of_one_reason(ana, task):
    assert ana.post(f"/sets/{task.pk}/retry/", {"code": "password"}, **JSON).json()["code"] == "nothing_failed"
    answer = ana.post(f"/sets/{task.pk}/retry/", {"code": "damaged"}, **JSON).json()
    assert (answer["done"], answer["generation"], answer["state"]) == (True, 2, "running")


def test_a_page_obeys_the_theme_and_language_of_its_reader(ana, task):
    ana.cookies["theme"] = "dark"
    ana.cookies["django_language"] = "zh-hans"
    page = flat(ana.get(f"/sets/{task.pk}/"))
    assert '<html lang="zh-hans" data-theme="dark">' in page
    ana.cookies["theme"] = '"><script>'
    assert 'data-theme="auto"' in ana.get(f"/sets/{task.pk}/").content.decode()
