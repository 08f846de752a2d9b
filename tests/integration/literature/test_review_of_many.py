"""The review of many papers: how far it is, the next one that is open, neighbours, and the history of a value."""

from __future__ import annotations

import pytest

from tasks import fanout
from tasks.kinds.literature import outcomes
from tasks.kinds.literature.models import Paper
from tasks.kinds.literature.review import judging, progress
from tasks.models import SubTask
from tests.integration.literature.ended import ended_set
from tests.integration.literature.papers import JSON


@pytest.fixture
def task(people):
    """Five papers: 1, 2 and 4 were read, 3 and 5 failed."""
    task = fanout.create("literature", people["ana"], "Five")
    for n in range(1, 6):
        failed = n in (3, 5)
        Paper.objects.create(
            task=task, position=n, filename=f"{n}.pdf", key=f"{n}", sha256=f"{n:064}", size=1, state="accepted"
        )
        SubTask.objects.create(
            task=task,
            position=n,
            key=f"{n}",
            stage="parse",
            queue="local",
            state="failed" if failed else "succeeded",
            error_code="damaged" if failed else "",
            result={} if failed else {"parse": {"title": f"Hay {n}", "fields": []}},
        )
    return task


@pytest.fixture
def papers(task):
    return {paper.position: paper for paper in outcomes.items_of(task)}


def test_the_next_open_paper_is_the_next_of_the_set_and_after_the_last_the_first(people, task, papers):
    assert progress.of(task) == {"readable": 3, "reviewed": 0}
    assert progress.next_open(task) == papers[1].pk
    assert progress.next_open(task, papers[1]) == papers[2].pk
    judging.mark(papers[2], True, people["ana"])
    assert progress.next_open(task, papers[1]) == papers[4].pk
    assert progress.next_open(task, papers[4]) == papers[1].pk
    judging.mark(papers[1], True, people["ana"])
    assert progress.next_open(task, papers[4]) is None and progress.next_open(task) == papers[4].pk
    assert progress.of(task) == {"readable": 3, "reviewed": 2}


def test_done_marks_the_paper_and_goes_on(ana, people, task, papers):
    def done(number, **form):
        return ana.post(f"/sets/{task.pk}/papers/{papers[number].pk}/reviewed/", {"reviewed": "1", "next": "1"}, **form)

    assert done(1, **JSON).json() == {"done": True, "next": f"/sets/{task.pk}/papers/{papers[2].pk}/"}
    assert done(2)["Location"] == f"/sets/{task.pk}/papers/{papers[4].pk}/"
    page = ana.get(f"/sets/{task.pk}/papers/{papers[4].pk}/").content.decode()
    assert "2 of 3 reviewed" in page and 'id="mark-next"' not in page  # no other is left to go to
    assert "2 of 3 reviewed" in ana.get(f"/sets/{task.pk}/table/").content.decode()
    told = ana.post(
        f"/sets/{task.pk}/papers/{papers[4].pk}/reviewed/", {"reviewed": "1", "next": "1"}, follow=True
    ).content.decode()
    assert "Every paper of the set that has values is reviewed." in told and "3 of 3 reviewed" in told


def test_a_paper_without_values_has_neighbours_of_its_own(ana, task, papers):
    page = ana.get(f"/sets/{task.pk}/papers/{papers[3].pk}/").content.decode()
    assert f'id="later" href="/sets/{task.pk}/papers/{papers[5].pk}/"' in page and 'id="earlier"' not in page
    page = ana.get(f"/sets/{task.pk}/papers/{papers[2].pk}/").content.decode()
    assert f'id="later" href="/sets/{task.pk}/papers/{papers[4].pk}/"' in page
    assert f'id="earlier" href="/sets/{task.pk}/papers/{papers[1].pk}/"' in page


def test_the_history_of_a_value_is_told_and_a_correction_of_then_taken_again(ana, people, task):
    task = ended_set(people["ana"])
    paper = outcomes.items_of(task).get(position=1)
    first = judging.judge(paper, "design", 0, "corrected", "trial", people["ana"], seen=0)
    page = ana.get(f"/sets/{task.pk}/papers/{paper.pk}/").content.decode()
    assert "History:" not in page  # one verdict is told above
    second = judging.judge(paper, "design", 0, "corrected", "", people["boss"], seen=first.pk)
    third = judging.judge(paper, "design", 0, "withdrawn", "", people["boss"], seen=second.pk)
    page = ana.get(f"/sets/{task.pk}/papers/{paper.pk}/").content.decode()
    assert "History: 3 verdicts" in page and page.count("Take this one again") == 2
    told = page[page.index("History: 3 verdicts") :]
    assert told.index("taken back") < told.index("the paper has none") < told.index("<b>trial</b>")
    data = {"name": "design", "nth": 0, "act": "corrected", "value": "trial", "seen": third.pk}
    assert ana.post(f"/sets/{task.pk}/papers/{paper.pk}/verdict/", data, **JSON).status_code == 200


def test_columns_without_any_value_are_hidden_until_somebody_asks(ana, people, task):
    url = f"/sets/{task.pk}/table/"
    page = ana.get(url).content.decode()
    assert "empty columns hidden" in page and 'id="sort-country"' not in page and 'id="sort-title"' in page
    assert 'id="sort-country"' in ana.get(url + "?empty=1").content.decode()
    judging.judge(outcomes.items_of(task).get(position=1), "country", 0, "corrected", "Chile", people["ana"], seen=0)
    assert 'id="sort-country"' in ana.get(url).content.decode()
    ana.post(f"/sets/{task.pk}/columns/", {"column": ["title", "setting"]})
    assert 'id="sort-setting"' in ana.get(url).content.decode()  # whoever chose it sees it


def test_of_a_set_that_has_ended_the_count_of_the_report_says_which_columns_are_empty(ana, people, monkeypatch):
    from tasks.kinds.literature.table import grid

    task = ended_set(people["ana"])
    monkeypatch.setattr(grid, "PAGE", 1)
    Paper.objects.create(
        task=task, position=9, filename="l.ris", line=1, format="ris", size=1, state="listed", listed={"title": "x"}
    )
    page = ana.get(f"/sets/{task.pk}/table/").content.decode()
    assert 'id="sort-country"' not in page and 'id="sort-design"' in page and 'id="sort-volume"' in page


def test_what_stays_so_is_explained_and_may_be_read_again_all_the_same(ana, people):
    task = ended_set(people["ana"])
    page = ana.get(f"/sets/{task.pk}/").content.decode()
    assert "Reading the same file again gives the same." in page and 'id="again-damaged"' in page
    assert ana.post(f"/sets/{task.pk}/retry/", {"code": "damaged"}, **JSON).json()["generation"] == 2


def test_a_set_says_how_long_it_was_read_all_runs_together(people):
    from datetime import timedelta

    from django.utils import timezone

    from tasks.kinds.literature.report import numbers
    from tasks.models import Task

    task = ended_set(people["ana"])
    assert numbers.ran_s(task) is None  # nothing ran: the rows were made by hand
    began = timezone.now() - timedelta(days=2)
    Task.objects.filter(pk=task.pk).update(started_at=began)
    good, bad = task.children.order_by("position")
    SubTask.objects.filter(pk=good.pk).update(
        started_at=began + timedelta(seconds=1), finished_at=began + timedelta(seconds=30)
    )
    later = began + timedelta(days=1)
    SubTask.objects.filter(pk=bad.pk).update(generation=2, started_at=later, finished_at=later + timedelta(seconds=12))
    task.refresh_from_db()
    assert numbers.ran_s(task) == 42.0
