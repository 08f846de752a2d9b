"""Exports of the papers that a person chose, and of what the table shows; keys of citations that stay."""

from __future__ import annotations

import csv
import io
import json
import warnings

import bibtexparser
import pytest

from tasks import fanout
from tasks.kinds.literature import outcomes
from tasks.kinds.literature.models import Paper
from tasks.kinds.literature.review import judging
from tasks.models import SubTask
from tests.integration.literature.ended import ended_set
from tests.integration.literature.papers import JSON


@pytest.fixture
def task(people):
    """Four papers that were read, and one that is waiting: two would have one citation key."""
    task = fanout.create("literature", people["ana"], "Keys")
    found = [
        ("Hay", 2001, "Ríos", "10.5555/a"),
        ("Straw and hay", 1999, "Bo", None),
        ("Hay", 2001, "Ríos", "10.5555/b"),
        ("人参2型皂苷", 2023, "沈", "10.5555/jlsqyx.2023.06.402"),
        None,
    ]
    for n, one in enumerate(found, 1):
        Paper.objects.create(
            task=task, position=n, filename=f"{n}.pdf", key=f"{n}", sha256=f"{n:064}", size=1, state="accepted"
        )
        if one:
            title, year, family, doi = one
            record = {"title": title, "year": year, "authors": [{"family": family}], "doi": doi, "fields": []}
            SubTask.objects.create(
                task=task,
                position=n,
                key=f"{n}",
                stage="parse",
                queue="local",
                state="succeeded",
                result={"parse": record},
            )
    return task


@pytest.fixture
def ids(task):
    return list(task.papers.order_by("position").values_list("pk", flat=True))


@pytest.fixture
def send(ana, task):
    def send(ending: str, query: str = "", **posted) -> bytes:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            url = f"/sets/{task.pk}/export.{ending}?{query}"
            return b"".join(ana.post(url, posted) if posted else ana.get(url))

    return send


def files(data: bytes) -> list[str]:
    return [row["file"] for row in csv.DictReader(io.StringIO(data.decode("utf-8-sig")))]


def test_a_choice_is_posted_because_no_address_takes_ten_thousand(send, ids):
    assert files(send("csv", papers=f"{ids[2]},{ids[0]}")) == ["1.pdf", "3.pdf"]
    many = ",".join(str(one) for one in [*range(10**9, 10**9 + 10_000), ids[1]])
    assert files(send("csv", papers=many)) == ["2.pdf"]
    assert [one["file"] for one in json.loads(send("json", "verified=1", papers=str(ids[1])))] == ["2.pdf"]


def test_a_choice_of_nothing_gives_nothing(send):
    assert files(send("csv", papers="")) == [] and files(send("csv", "papers=")) == []


def test_what_the_table_shows_goes_out_in_its_order(send, people, task, ids):
    assert files(send("csv", "table=1")) == ["1.pdf", "2.pdf", "3.pdf", "4.pdf"]
    assert files(send("csv", "table=1&sort=year")) == ["2.pdf", "1.pdf", "3.pdf", "4.pdf"]
    assert files(send("csv", "table=1&has=hay&col=title&sort=-title")) == ["2.pdf", "1.pdf", "3.pdf"]
    judging.mark(outcomes.items_of(task).get(pk=ids[3]), True, people["ana"])
    assert files(send("csv", "table=1&only=reviewed")) == ["4.pdf"]
    assert files(send("csv", f"table=1&has=hay&col=title&papers={ids[0]},{ids[3]}")) == ["1.pdf"]


def test_the_ids_of_all_that_match_are_told_whatever_the_page(ana, task, ids):
    told = ana.get(f"/sets/{task.pk}/table/?table=1&has=hay&col=title&sort=-title", **JSON).json()
    assert told == {"papers": [ids[1], ids[0], ids[2]]}


def test_a_strangers_choice_is_not_found(client, people, task, ids):
    client.force_login(people["ben"])
    assert client.post(f"/sets/{task.pk}/export.csv", {"papers": str(ids[0])}).status_code == 404
    assert client.get(f"/sets/{task.pk}/table/", **JSON).status_code == 404


def test_a_selection_says_so_in_the_name_of_its_file(ana, task, ids):
    answer = ana.post(f"/sets/{task.pk}/export.csv", {"papers": str(ids[0])})
    assert f'filename="keys-{task.pk}-selection.csv"' in answer["Content-Disposition"]
    assert f'filename="keys-{task.pk}.csv"' in ana.get(f"/sets/{task.pk}/export.csv")["Content-Disposition"]


def keys(data: bytes) -> list[str]:
    return [entry.key for entry in bibtexparser.parse_string(data.decode()).entries]


def test_a_citation_key_is_the_same_in_every_export(send, people, task, ids):
    whole = keys(send("bib"))
    assert whole == ["Rios2001hay", "Bo1999straw", "Rios2001hay-2", "Shen2023jlsqyx402"]
    assert keys(send("bib", papers=f"{ids[2]},{ids[3]}")) == whole[2:]
    assert keys(send("bib", "verified=1")) == whole
    assert keys(send("bib", "table=1&sort=-year&has=hay&col=title")) == [whole[0], whole[2], whole[1]]
    judging.judge(outcomes.items_of(task).get(pk=ids[1]), "year", 0, "corrected", "2002", people["ana"], seen=0)
    assert keys(send("bib", papers=str(ids[1]))) == ["Bo2002straw"] == [keys(send("bib"))[1]]


def test_a_listed_reference_keeps_its_key_too(people, ana):
    task = ended_set(people["ana"])
    paper = Paper.objects.create(
        task=task,
        position=9,
        filename="l.ris",
        line=1,
        format="ris",
        size=1,
        state="listed",
        listed={"title": "Of barns", "authors": [{"family": "Ødegård", "given": "E"}], "year": 1990},
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        alone = keys(b"".join(ana.post(f"/sets/{task.pk}/export.bib", {"papers": str(paper.pk)})))
        whole = keys(b"".join(ana.get(f"/sets/{task.pk}/export.bib")))
    assert alone == ["Odegard1990barns"] == whole[1:]
