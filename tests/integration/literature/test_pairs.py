"""Items that are one work: joined by rule where it is certain, else by a person, and always taken apart again."""

from __future__ import annotations

import io

import pytest

from tasks import fanout
from tasks.kinds.literature import outcomes
from tasks.kinds.literature.intake import entry
from tasks.kinds.literature.kind import Literature
from tasks.kinds.literature.lifecycle import finishing
from tasks.kinds.literature.models import Pair, Report
from tasks.kinds.literature.pairing import listing
from tasks.kinds.literature.record import effective
from tasks.models import SubTask, Task
from tests.integration.literature.papers import JSON, pdf_bytes
from tests.markup import flat

TITLE = "On hay and its many uses in the barn of the north"


def ris(*records: dict) -> bytes:
    tags = {"title": "TI", "author": "AU", "year": "PY", "doi": "DO", "journal": "JO"}
    lines = []
    for record in records:
        lines += ["TY  - JOUR", *(f"{tags[name]}  - {value}" for name, value in record.items()), "ER  - ", ""]
    return "\n".join(lines).encode()


@pytest.fixture
def make(people):
    """A set that has ended: ``papers`` {name: record}, ``lists`` of records."""

    def make(papers: dict, *lists: list[dict]) -> Task:
        task = fanout.create("literature", people["ana"], "Pairs")
        for name in papers:
            entry.receive(task.pk, io.BytesIO(pdf_bytes(name)), filename=name)
        for number, given in enumerate(lists):
            entry.receive(task.pk, io.BytesIO(ris(*given)), filename=f"list{number}.ris")
        Task.objects.filter(pk=task.pk).update(state="expanding")
        task.refresh_from_db()
        fanout.add(task, Literature().expand(task))
        for name, record in papers.items():
            SubTask.objects.filter(task=task, key=name).update(state="succeeded", result={"parse": record})
        Task.objects.filter(pk=task.pk).update(succeeded=len(papers), sealed=True, state="running")
        Task.objects.filter(pk=task.pk).update(state="finalizing")
        task.refresh_from_db()
        Literature().complete(task)
        Task.objects.filter(pk=task.pk).update(state="completed")
        task.refresh_from_db()
        return task

    return make


def paper(title=TITLE, doi=None, year=2020, family="Rios", **more) -> dict:
    return {"title": title, "doi": doi, "year": year, "authors": [{"family": family, "given": "A"}], **more}


def reference(title=TITLE, doi=None, year=2020, author="Rios, Ana", **more) -> dict:
    given = {"title": title, "author": author, "year": year, **more}
    return given | ({"doi": doi} if doi else {})


def counts(task) -> dict:
    return {name: number for name, number in outcomes.counts(task).items() if number}


@pytest.mark.parametrize(("of_paper", "of_list"), [("10.5555/hay", "10.5555/HAY"), (None, None), ("10.5555/hay", None)])
def test_a_reference_and_its_paper_become_one_item_with_both_origins(make, of_paper, of_list):
    task = make(
        {"a.pdf": paper(doi=of_paper)},
        [reference(doi=of_list, journal="Barn Letters"), reference("Chaff, altogether another matter of the fields")],
    )
    assert counts(task) == {"given": 3, "succeeded": 1, "merged": 1, "listed": 1}
    report = Report.objects.get(task=task)
    assert (report.given, report.merged, report.listed, report.succeeded) == (3, 1, 1, 1)
    first = outcomes.items_of(task).get(filename="a.pdf")
    record = effective(first)
    assert record["listed"]["journal"] == "Barn Letters" and record["journal"] is None


def test_a_list_alone_is_a_set_of_items_without_full_text(make):
    task = make({}, [reference(), reference("Chaff, altogether another matter of the fields")])
    assert counts(task) == {"given": 2, "listed": 2}
    record = effective(outcomes.items_of(task).order_by("position").first())
    assert (record["status"], record["title"], record["file"]) == ("listed", TITLE, "list0.ris:1")


def test_a_set_of_nothing_but_references_can_start(ana, draft):
    ana.post(f"/sets/{draft.pk}/paste/", {"text": "10.5555/hay\n10.5555/straw"})
    assert ana.post(f"/sets/{draft.pk}/start/", **JSON).json()["done"] is True


def test_the_same_reference_in_two_lists_is_one_item(make):
    task = make({}, [reference(doi="10.5555/hay")], [reference(doi="10.5555/hay")])
    assert counts(task) == {"given": 2, "listed": 1, "merged": 1}


def test_two_papers_of_one_doi_are_flagged_and_never_joined_by_themselves(make):
    task = make({"a.pdf": paper(doi="10.5555/hay"), "b.pdf": paper(doi="10.5555/hay")}, [reference(doi="10.5555/hay")])
    assert counts(task) == {"given": 3, "succeeded": 2, "merged": 1}
    (pair,) = [one for one in listing.of_set(task)["open"] if one["right"].filename == "b.pdf"]
    assert pair["pair"].reason == "same_doi" and "{" not in pair["reason"]


def test_a_preprint_is_flagged_with_its_reason(make):
    task = make({"a.pdf": paper(doi="10.5555/hay"), "b.pdf": paper(doi="10.1101/2020.01.02.123456", journal="bioRxiv")})
    (pair,) = listing.of_set(task)["open"]
    assert pair["pair"].reason == "preprint" and counts(task)["succeeded"] == 2


def test_a_person_joins_keeps_apart_and_takes_it_back(ana, make):
    task = make({"a.pdf": paper(doi="10.5555/hay"), "b.pdf": paper(doi="10.5555/hay")})
    pair = Pair.objects.get()
    url = f"/sets/{task.pk}/pairs/{pair.pk}/"
    assert ana.post(url, {"decision": "joined"}, **JSON).json() == {"done": True}
    assert ana.post(url, {"decision": "joined"}, **JSON).json() == {"done": False}
    assert counts(task) == {"given": 2, "succeeded": 1, "merged": 1}
    page = ana.get(f"/sets/{task.pk}/").content.decode()
    assert "joined by ana" in page and page.count('id="row-') == 1
    ana.post(url, {"decision": "open"})
    assert counts(task) == {"given": 2, "succeeded": 2} and listing.of_set(task)["open_count"] == 1
    ana.post(url, {"decision": "apart"})
    assert listing.of_set(task)["open_count"] == 0 and counts(task)["succeeded"] == 2
    assert ana.post(url, {"decision": "eaten"}).status_code == 404


def test_what_the_rule_joined_is_taken_apart_and_stays_so(ana, make):
    task = make({"a.pdf": paper()}, [reference()])
    pair = Pair.objects.get()
    assert (pair.decision, pair.by) == ("joined", None)
    ana.post(f"/sets/{task.pk}/pairs/{pair.pk}/", {"decision": "apart"})
    finishing.finish(task)  # the next generation closes
    assert counts(task) == {"given": 2, "succeeded": 1, "listed": 1}


def test_a_chain_of_joined_items_has_one_that_stands_for_all(ana, make):
    task = make({"b.pdf": paper(doi="10.5555/hay")}, [reference(doi="10.5555/hay")], [reference(doi="10.5555/hay")])
    assert counts(task) == {"given": 3, "succeeded": 1, "merged": 2}
    assert set(task.papers.filter(state="listed").values_list("merged_into__filename", flat=True)) == {"b.pdf"}
    assert listing.of_set(task)["open_count"] == 0


def test_the_page_shows_where_list_and_paper_differ_and_the_lists_value_can_be_taken(ana, make):
    task = make(
        {"a.pdf": paper(doi="10.5555/hay", journal="Barn Lett.")},
        [reference(doi="10.5555/hay", journal="Barn Letters")],
    )
    first = task.papers.get(filename="a.pdf")
    page = flat(ana.get(f"/sets/{task.pk}/papers/{first.pk}/"))
    assert "1 difference<" in page and page.count('class="differs"') == 1
    data = {"name": "journal", "nth": 0, "act": "corrected", "value": "Barn Letters", "seen": 0}
    ana.post(f"/sets/{task.pk}/papers/{first.pk}/verdict/", data)
    assert "no difference" in ana.get(f"/sets/{task.pk}/papers/{first.pk}/").content.decode()


def test_a_reference_has_a_page_and_its_values_can_be_judged(ana, make):
    task = make({}, [reference(doi="10.5555/hay")])
    item = task.papers.get()
    page = ana.get(f"/sets/{task.pk}/papers/{item.pk}/").content.decode()
    assert "there is no full text" in page and "10.5555/hay" in page and 'id="page"' not in page
    data = {"name": "year", "nth": 0, "act": "corrected", "value": "2019", "seen": 0}
    assert ana.post(f"/sets/{task.pk}/papers/{item.pk}/verdict/", data, **JSON).status_code == 200
    assert "2019" in ana.get(f"/sets/{task.pk}/table/").content.decode()
