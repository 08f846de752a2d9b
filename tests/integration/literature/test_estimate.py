"""The estimate before the start: from the bytes and the pace lately, said as such, and kept for the report."""

from __future__ import annotations

import io
import uuid

import pytest
from django.utils import timezone, translation

from tasks.kinds.literature.intake import page_count
from tasks.kinds.literature.kind import Literature
from tasks.kinds.literature.models import Paper
from tasks.kinds.literature.report import estimate
from tasks.kinds.literature.report.models import Account
from tasks.models import Queue, Task, Worker
from tests.integration.literature.papers import JSON, pdf_bytes
from tests.integration.literature.test_report import set_of


@pytest.fixture
def heavy(draft):
    """The draft with 10 papers of 1.2 MB."""
    for number in range(1, 11):
        Paper.objects.create(
            task=draft,
            position=number,
            filename=f"{number}.pdf",
            key=f"{number}",
            sha256=f"{number:064}",
            size=10 * 120 * 1024,
            state="accepted",
        )
    Queue.objects.update_or_create(name="local", defaults={"limit": 2, "per_host": True})
    return draft


def worker(host="a", concurrency=4, queues=("local",), **more):
    return Worker.objects.create(
        token=uuid.uuid4(), host=host, pid=1, queues=list(queues), concurrency=concurrency, **more
    )


def test_until_something_was_read_pages_come_from_the_bytes_and_a_usual_pace(heavy):
    worker()
    found = estimate.of(heavy)
    assert (found.papers, found.pages, found.places, found.learned) == (10, 100, 2, 0)
    assert found.minutes == pytest.approx(100 * estimate.PAGE_S / 2 / 60, abs=0.01)


def test_a_pdf_is_believed_what_it_says_and_the_others_are_estimated(ana, draft, give, heavy):
    given = [give(pdf_bytes(f"hay {n}", n), f"hay {n}.pdf") for n in (3, 12)]
    assert {one.json()["paper"]["state"] for one in given} == {"accepted"}
    found = estimate.of(draft)
    assert (found.papers, found.counted, found.pages) == (12, 2, 100 + 15)
    Paper.objects.filter(pages_claimed=None).delete()
    assert estimate.of(draft).sentences()[0] == "15 pages."


@pytest.mark.parametrize(
    ("data", "pages"),
    [
        (pdf_bytes("hay", 7), 7),
        (b"%PDF-1.4 <</Linearized 1/L 9/N 12/T 3>>" + bytes(9000), 12),
        (b"%PDF-1.4" + b" " * (2**20 - 20) + b"1 0 obj<</Type /Pages /Kids[2 0 R] /Count 40>>" + bytes(9000), 40),
        (b"%PDF-1.4 <</Type/Pages/Count 3>> <</Count 90/Kids[1 0 R]/Type/Pages>>" + bytes(9000), 90),
        (b"%PDF-1.4 <</Type/Pages/Count 2000000>>" + bytes(9000), None),
        (b"%PDF-1.4 " + b"/Count " * 9000, None),
    ],
    ids=["plain", "linearized", "over the edge of a block", "the root of the tree", "a joke", "none"],
)
def test_pages_are_counted_without_opening_the_file(data, pages):
    assert page_count.claimed(io.BytesIO(data)) == pages


def test_what_was_read_lately_teaches_pages_and_minutes(heavy, people):
    set_of(people["ana"], [{"pages": 4}] * 12)  # 300,000 bytes and 4 pages in 2 s each
    worker()
    found = estimate.of(heavy)
    assert found.learned == 12
    assert found.pages == round(10 * 10 * 120 * 1024 / 75_000)
    assert found.minutes == pytest.approx(found.pages * 0.5 / 2 / 60, abs=0.01)


def test_places_are_those_of_living_workers_that_read_papers(heavy):
    worker("a", 4)
    worker("b", 1)
    worker("b", 8, queues=["mail"])
    worker("c", 8, stopping=True)
    worker("d", 8, seen_at=timezone.now() - timezone.timedelta(minutes=5))
    found = estimate.of(heavy)
    assert (found.workers, found.places) == (2, 3)


def test_people_are_told_that_it_is_an_estimate_and_that_nobody_works(ana, heavy):
    told = ana.get(f"/sets/{heavy.pk}/estimate/", **JSON).json()
    said = " ".join(told["sentences"])
    assert "About 100 pages (estimated from the size of the files)." in said
    assert "No cost" in said and "No worker is running" in said
    assert told["cost"] == 0


def test_an_empty_draft_has_no_estimate(ana, draft):
    assert ana.get(f"/sets/{draft.pk}/estimate/", **JSON).json()["sentences"] == []


def test_the_estimate_is_kept_once_when_the_set_starts(heavy):
    list(Literature().expand(heavy))
    first = Account.objects.get(task=heavy).estimate
    assert first["pages"] == 100
    Paper.objects.filter(task=heavy).update(size=1)
    list(Literature().expand(heavy))
    assert Account.objects.get(task=heavy).estimate == first
    assert Task.objects.get(pk=heavy.pk).params == {}


@pytest.mark.parametrize(("pages", "shown"), [(7, 7), (41, 41), (123, 120), (4567, 4600), (98_765, 99_000)])
def test_pages_are_said_by_two_figures(pages, shown):
    assert estimate.rounded(pages) == shown


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.4, "less than a second"),
        (1, "1 second"),
        (59.6, "60 seconds"),
        (90, "2 minutes"),
        (7200, "2 hours"),
        (None, ""),
    ],
)
def test_a_length_of_time_is_said_as_a_person_does(seconds, words):
    with translation.override("en"):
        assert estimate.took_words(seconds) == words
