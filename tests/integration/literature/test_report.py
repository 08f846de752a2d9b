"""The report: made when the last paper has ended, the same again if made again, and the same numbers in each form."""

from __future__ import annotations

import io
import re
import warnings
from datetime import timedelta

import docx
import openpyxl
import pytest
from django.utils import timezone

from tasks import fanout
from tasks.kinds.literature.kind import Literature
from tasks.kinds.literature.models import Paper
from tasks.kinds.literature.report import content, numbers
from tasks.kinds.literature.report.models import Account
from tasks.models import SubTask, Task
from tests.integration.literature.ended import ended_set
from tests.integration.literature.papers import JSON


@pytest.fixture
def task(people):
    return ended_set(people["ana"])


def body(response) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return b"".join(response)


def set_of(owner, records: list[dict]) -> Task:
    """A set whose papers were read and gave these records, each in 2 s."""
    task = fanout.create("literature", owner, "Many")
    began = timezone.now() - timedelta(seconds=60)
    for number, record in enumerate(records, 1):
        Paper.objects.create(
            task=task,
            position=number,
            filename=f"{number}.pdf",
            key=f"{number}",
            sha256=f"{number:064}",
            size=300_000,
            state="accepted",
        )
        SubTask.objects.create(
            task=task,
            position=number,
            key=f"{number}",
            stage="parse",
            queue="local",
            state="succeeded",
            result={"parse": record},
            input={"size": 300_000},
            started_at=began,
            finished_at=began + timedelta(seconds=2),
        )
    Task.objects.filter(pk=task.pk).update(state="expanding", started_at=began)
    Task.objects.filter(pk=task.pk).update(state="running", total=len(records), succeeded=len(records), sealed=True)
    Task.objects.filter(pk=task.pk).update(state="finalizing")
    task.refresh_from_db()
    Literature().complete(task)
    Task.objects.filter(pk=task.pk).update(state="completed")
    task.refresh_from_db()
    return task


def fact(name, value, **more):
    return {"name": name, "value": value, "status": "found", "verified": True, "page": 1, "quote": "q", **more}


def test_closing_twice_writes_the_same_numbers_once(task):
    before = Account.objects.values("generation", "numbers").get(task=task)
    Literature().complete(task)
    assert Account.objects.values("generation", "numbers").get(task=task) == before
    assert before["generation"] == 1


def test_the_page_says_what_became_of_every_paper(ana, task):
    page = ana.get(f"/sets/{task.pk}/report/").content.decode()
    assert "4 given = 1 succeeded + 1 failed + 1 duplicate + 1 refused" in page
    assert "The file is damaged" in page and "This is not a PDF" in page
    assert "barn/bad.pdf" in page and "&lt;b&gt;" not in page.split("<main")[0]
    assert " style=" not in page and "<script>" not in page
    assert "default-src 'self'" in ana.get(f"/sets/{task.pk}/report/")["Content-Security-Policy"]


def test_what_papers_say_is_counted_with_what_is_missing(people, ana):
    records = [
        {
            "title": "a",
            "year": 2019,
            "journal": "Hay  Letters",
            "pages": 10,
            "fields": [fact("design", "cohort"), fact("sample_size", 127), fact("title", "a")],
        },
        {
            "title": "b",
            "year": 2021,
            "journal": "Hay Letters",
            "pages": 20,
            "fields": [fact("design", "cohort", verified=False), fact("sample_size", "1200")],
        },
        {
            "title": None,
            "year": None,
            "journal": None,
            "pages": 3,
            "fields": [fact("sample_size", 5, status="ambiguous"), fact("doi", None, status="ambiguous")],
        },
    ]
    task = set_of(people["ana"], records)
    found = Account.objects.get(task=task).numbers
    assert (found["papers"], found["pages"]) == (3, 33)
    assert found["have"]["design"] == 2 and found["verified"]["design"] == 1
    assert found["have"]["sample_size"] == 2 and found["have"]["title"] == 2 and found["verified"]["title"] == 1
    parts = {part.name: part for part in content.of(task).distributions}
    assert parts["years"].bars == [("2019", 1), ("2020", 0), ("2021", 1)] and parts["years"].without == 1
    assert parts["journals"].bars == [("Hay Letters", 2)] and parts["journals"].without == 1
    assert parts["designs"].bars == [("cohort", 2)]
    assert dict(parts["sizes"].bars)["100–299"] == dict(parts["sizes"].bars)["1,000–2,999"] == 1
    assert [words for words, *_n in content.of(task).completeness[:4]] == ["Title", "Authors", "DOI", "Year"]
    for part in parts.values():
        assert sum(number for _words, number in part.bars) + part.without == 3
    told = ana.get(f"/sets/{task.pk}/report/", **JSON).json()
    assert told["distributions"]["years"] == {"papers": {"2019": 1, "2020": 0, "2021": 1}, "without": 1}


@pytest.mark.parametrize(
    ("value", "group"),
    [(1, 1), (9, 1), (10, 10), (29.5, 10), ("300", 300), (10**9, 10_000), (0, 0), ("", 0), ("3; 4", 0), (True, 0)],
)
def test_a_sample_size_belongs_to_one_group(value, group):
    assert numbers._size_group(value) == group


def test_many_years_are_drawn_by_fives(people):
    task = set_of(people["ana"], [{"year": year} for year in (1931, 1990, 2024)])
    bars = next(part for part in content.of(task).distributions if part.name == "years").bars
    assert bars[0] == ("1930–1934", 1) and bars[-1] == ("2020–2024", 1) and sum(n for _w, n in bars) == 3


def test_what_it_took_stands_beside_what_was_expected(people, ana):
    task = set_of(people["ana"], [{"pages": 10}] * 3)
    Account.objects.filter(task=task).update(estimate={"pages": 41, "minutes": 0.5})
    facts = dict(content.of(task).facts)
    assert facts["Pages read"] == "30 (expected: about 41)"
    assert facts["Time taken"] == "2 seconds (expected: about 30 seconds)"
    assert facts["Pace"] == "90 papers a minute"


def test_the_workbook_has_the_same_numbers_and_runs_nothing(ana, task):
    Paper.objects.filter(task=task, filename="page.pdf").update(filename="=cmd|'x'!A0", folder="")
    book = openpyxl.load_workbook(io.BytesIO(body(ana.get(f"/sets/{task.pk}/report.xlsx"))))
    overview = {row[0].value: row[1].value for row in book["Overview"].iter_rows()}
    assert (overview["given"], overview["succeeded"], overview["failed"], overview["refused"]) == (4, 1, 1, 1)
    failures = {row[0].value: row[0].data_type for row in book["Failures"].iter_rows(min_row=2)}
    assert failures == {"barn/bad.pdf": "s", "=cmd|'x'!A0": "s"}
    assert {"Completeness", "Years of publication", "Journals", "Study designs", "Sample sizes"} < set(book.sheetnames)
    assert len(book["Completeness"]._charts) == 1


def test_the_document_has_the_same_numbers(ana, task):
    opened = docx.Document(io.BytesIO(body(ana.get(f"/sets/{task.pk}/report.docx"))))
    text = "\n".join(paragraph.text for paragraph in opened.paragraphs)
    assert "4 given = 1 succeeded + 1 failed + 1 duplicate + 1 refused." in text
    assert "barn/bad.pdf" in text and "The file is damaged" in text
    cells = [[cell.text for cell in row.cells] for table in opened.tables for row in table.rows]
    assert ["succeeded", "1"] in cells and ["Title", "1", "0"] in cells


@pytest.mark.parametrize("form", ["xlsx", "docx"])
def test_words_of_papers_that_xml_can_not_hold_do_not_stop_a_form(people, ana, form):
    task = set_of(people["ana"], [{"journal": "a\x0bb\x1f", "year": 2020, "fields": [fact("design", "人参 \ufffe")]}])
    assert len(body(ana.get(f"/sets/{task.pk}/report.{form}"))) > 4000


def test_before_the_end_there_is_a_page_that_says_so_and_no_files(ana, draft):
    page = ana.get(f"/sets/{draft.pk}/report/")
    assert page.status_code == 200 and "when the last paper has ended" in page.content.decode()
    assert ana.get(f"/sets/{draft.pk}/report/", **JSON).json()["code"] == "not_ended"
    assert ana.get(f"/sets/{draft.pk}/report.xlsx").status_code == 404


def test_while_a_later_run_is_under_way_the_report_says_which_it_is(ana, task):
    Task.objects.filter(pk=task.pk).update(state="running", generation=2)
    assert "This is the report of run 1" in ana.get(f"/sets/{task.pk}/report/").content.decode()


def test_a_set_of_which_nothing_could_be_read_has_a_report_too(people, ana):
    task = set_of(people["ana"], [])
    for form in ("report/", "report.xlsx", "report.docx"):
        assert ana.get(f"/sets/{task.pk}/{form}").status_code == 200
    assert "No paper could be read" in ana.get(f"/sets/{task.pk}/report/").content.decode()


def test_in_chinese_the_words_of_the_report_are_chinese(ana, task):
    ana.cookies["django_language"] = "zh-hans"
    page = ana.get(f"/sets/{task.pk}/report/").content.decode()
    headings = re.findall(r"<h2>(.*?)</h2>", page)
    assert headings and all(re.search("[一-龥]", heading) for heading in headings)
