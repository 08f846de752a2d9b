"""The files of a set through the door: whole, a selection, what a filter shows, verified only; large sets stream."""

from __future__ import annotations

import io
import json
import tracemalloc
import warnings
import zipfile

import bibtexparser
import openpyxl
import pytest
import rispy
from asgiref.sync import async_to_sync
from django.http import StreamingHttpResponse

from tasks import fanout
from tasks.kinds.literature import outcomes
from tasks.kinds.literature.exports import selection, text_archive
from tasks.kinds.literature.models import Paper
from tasks.models import SubTask
from tests.integration.literature.ended import RECORD, ended_set
from tests.integration.literature.papers import keep_json


@pytest.fixture
def task(people):
    return ended_set(people["ana"])


@pytest.fixture
def get(ana, task):
    def get(ending: str, query: str = "") -> bytes:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the test client is synchronous, the answer is not
            return b"".join(ana.get(f"/sets/{task.pk}/export.{ending}?{query}"))

    return get


def read_set(owner, papers: list[tuple[str, str, str]]):
    """A set of papers that were read: (folder, file name, Markdown)."""
    task = fanout.create("literature", owner, "Names")
    for number, (folder, name, text) in enumerate(papers, 1):
        Paper.objects.create(
            task=task,
            position=number,
            filename=name,
            folder=folder,
            key=f"{number}",
            sha256=f"{number:064}",
            size=1,
            state="accepted",
        )
        artefact = keep_json({"markdown": text})
        SubTask.objects.create(
            task=task,
            position=number,
            key=f"{number}",
            stage="parse",
            queue="local",
            state="succeeded",
            result={"parse": {**RECORD, "artefact": artefact}},
        )
    return task


def test_the_workbook_holds_every_paper_and_its_failures(get):
    book = openpyxl.load_workbook(io.BytesIO(get("xlsx")))
    assert [row[1].value for row in book["values"].iter_rows(min_row=2)] == [
        "succeeded",
        "failed",
        "duplicate",
        "refused",
    ]
    assert book["provenance"].max_row == 1 + len(RECORD["fields"])
    assert [row[2].value for row in book["failures"].iter_rows(min_row=2)] == ["damaged", "same_file", "not_a_pdf"]


def test_ris_and_bibtex_hold_the_papers_that_were_read(get):
    (found,) = rispy.loads(get("ris").decode())
    assert (found["title"], found["doi"]) == (RECORD["title"], RECORD["doi"])
    (entry,) = bibtexparser.parse_string(get("bib").decode()).entries
    assert (entry.key, entry["title"]) == ("Rios2024hay", r"Hay \& <b>straw</b>")


def test_the_zip_holds_a_text_for_every_paper_read_and_an_index_that_names_the_others(get):
    zipped = zipfile.ZipFile(io.BytesIO(get("md.zip")))
    assert zipped.testzip() is None
    assert zipped.namelist() == ["barn/good.md", "index.md"]
    text = zipped.read("barn/good.md").decode()
    assert text.startswith('---\ntitle: "Hay & <b>straw</b>"\n') and text.endswith("---\n\n# Hay")
    index = zipped.read("index.md").decode()
    assert "1. [barn/good.pdf](<barn/good.md>)" in index
    assert "2. barn/bad.pdf: The file is damaged" in index and "4. barn/page.pdf: This is not a PDF" in index


def test_names_in_the_zip_are_safe_and_none_is_there_twice(people):
    names = [
        ("..", "a.pdf"),
        ("", "../../etc/passwd.pdf"),
        ("x", "CON.pdf"),
        ("x", "con.PDF"),
        ("", "index.pdf"),
        ("", "a:b?.pdf"),
        ("", "a_b_.pdf"),
        ("X", "A.pdf"),
        ("x", "a.pdf"),
        ("", "长" * 200 + ".pdf"),
        ("", ".pdf"),
        ("", "\u202efdp.exe.pdf"),
        ("c:\\", "t. "),
    ]
    task = read_set(people["ana"], [(folder, name, f"text {n}") for n, (folder, name) in enumerate(names)])
    data = b"".join(text_archive.blocks(outcomes.items_of(task).order_by("position"), "t"))
    zipped = zipfile.ZipFile(io.BytesIO(data))
    found = zipped.namelist()
    assert len({name.casefold() for name in found}) == len(found) == len(names) + 1
    for name in found:
        parts = name.split("/")
        assert not {"", ".", ".."} & set(parts) and not name.startswith("/")
        assert all(len(part.encode()) < 255 and not set(part) & set('<>:"|?*\\') for part in parts)
        assert not any(part.split(".")[0].lower() == "con" for part in parts)
    assert [zipped.read(name).decode().splitlines()[-1] for name in found[:-1]] == [
        f"text {n}" for n in range(len(names))
    ]


def test_a_selection_and_a_filter_narrow_every_format_down(get, task):
    ids = dict(task.papers.values_list("filename", "pk"))

    def files(query):
        return [record["file"].removeprefix("barn/") for record in json.loads(get("json", query))]

    assert files(f"papers={ids['good.pdf']},{ids['page.pdf']}") == ["good.pdf", "page.pdf"]
    assert files(f"papers={ids['bad.pdf']}&papers={ids['good.pdf']}&outcome=failed") == ["bad.pdf"]
    assert files("code=damaged") == ["bad.pdf"] and files("state=refused") == ["page.pdf"]
    assert files("q=again") == ["good again.pdf"]
    assert files("outcome=failed&outcome=refused") == ["bad.pdf", "page.pdf"]
    assert openpyxl.load_workbook(io.BytesIO(get("xlsx", f"papers={ids['bad.pdf']}")))["values"].max_row == 2
    assert get("ris", "state=failed") == b"" and b"@article" in get("bib", f"papers={ids['good.pdf']}")
    assert zipfile.ZipFile(io.BytesIO(get("md.zip", "state=failed"))).namelist() == ["index.md"]


@pytest.mark.parametrize("query", ["papers=x", "papers=99999999999999999999", "papers=-1", "state=nonsense", "code=x"])
def test_what_is_no_paper_and_no_outcome_gives_nothing_rather_than_everything(get, query):
    assert json.loads(get("json", query)) == []


def test_a_paper_of_another_set_is_not_in_a_selection(get, people):
    other = ended_set(people["ben"], "other")
    assert json.loads(get("json", f"papers={other.papers.first().pk}")) == []


def test_verified_only_leaves_what_is_proven(get, ana, task):
    record = json.loads(get("json", "verified=1&state=succeeded"))[0]
    assert [field["name"] for field in record["fields"]] == ["doi"]
    assert (record["doi"], record["title"], record["year"]) == ("10.5555/hay.1", None, None)
    answer = ana.get(f"/sets/{task.pk}/export.csv?verified=1")
    assert f'filename="hay-and-its-uses-{task.pk}-verified.csv"' in answer["Content-Disposition"]


def test_the_words_are_in_the_language_of_the_reader_to_the_last_line(ana, get):
    ana.cookies["django_language"] = "zh-hans"
    assert all("一" <= record["error"][0] <= "龥" for record in json.loads(get("json", "state=failed")))


@pytest.mark.parametrize("ending", ["csv", "json", "xlsx", "ris", "bib", "md.zip"])
def test_a_large_set_is_never_in_memory_whole(people, ana, monkeypatch, ending):
    """100 papers of 100 KB of abstract each: 10 MB go out, and the memory they need is that of a few."""
    monkeypatch.setattr(selection, "CHUNK", 4)
    task = read_set(people["ana"], [("", f"{n}.pdf", "x" * 100_000) for n in range(2)])
    rest = range(3, 101)
    Paper.objects.bulk_create(
        Paper(task=task, position=n, filename=f"{n}.pdf", key=f"{n}", sha256=f"{n:064}", size=1, state="accepted")
        for n in rest
    )
    long = {
        "parse": {**SubTask.objects.filter(task=task).first().result["parse"], "abstract": "hay and straw " * 7_000}
    }
    SubTask.objects.bulk_create(
        SubTask(task=task, position=n, key=f"{n}", stage="parse", queue="local", state="succeeded", result=long)
        for n in rest
    )
    tracemalloc.start()
    try:
        answer = ana.get(f"/sets/{task.pk}/export.{ending}")
        assert isinstance(answer, StreamingHttpResponse)
        size = _length(answer)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert size > (10_000 if ending in ("xlsx", "md.zip") else 9_000_000)
    assert peak < 6_000_000, f"{peak / 1e6:.0f} MB for an answer of {size / 1e6:.0f} MB"


def _length(answer) -> int:
    async def count() -> int:
        return sum([len(part) async for part in answer.streaming_content])

    return async_to_sync(count)()
