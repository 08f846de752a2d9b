"""Verdicts of people on values: what they change, what they leave, and two who judge at once."""

from __future__ import annotations

import csv
import io
import json
import warnings

import pytest

from tasks.kinds.literature import outcomes, record
from tasks.kinds.literature.models import Note, Review, Verdict
from tasks.kinds.literature.record import machine
from tasks.models import SubTask
from tests.integration.literature.ended import ended_set
from tests.integration.literature.papers import JSON
from tests.markup import flat


@pytest.fixture
def task(people):
    return ended_set(people["ana"])


@pytest.fixture
def paper(task):
    return task.papers.get(position=1)


@pytest.fixture
def judge(client, people, task, paper):
    """Judge a value of the first paper as somebody; the answer."""

    def judge(name="year", act="corrected", value="", *, nth=0, seen=0, who="ana"):
        client.force_login(people[who])
        data = {"name": name, "nth": nth, "act": act, "value": value, "seen": seen}
        return client.post(f"/sets/{task.pk}/papers/{paper.pk}/verdict/", data, **JSON)

    return judge


def record_of(paper) -> dict:
    return record.effective(outcomes.items_of(paper.task).get(pk=paper.pk))


def body(response) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return b"".join(response)


def test_a_correction_takes_the_place_of_the_machines_value_which_stays_beside_it(judge, paper):
    answer = judge("year", value="2023")
    assert answer.status_code == 200
    record = record_of(paper)
    assert record["year"] == 2023
    (field,) = [one for one in record["fields"] if one["name"] == "year"]
    assert (field["value"], field["machine_value"], field["verified"]) == (2023, 2024, False)
    assert field["review"]["act"] == "corrected" and field["review"]["by"] == "ana" and field["review"]["at"]
    assert machine(outcomes.items_of(paper.task).get(pk=paper.pk))["year"] == 2024


def test_a_confirmed_value_stays_as_it_is_with_who_and_when(judge, paper):
    judge("design", "confirmed")
    (field,) = [one for one in record_of(paper)["fields"] if one["name"] == "design"]
    assert (field["value"], field["machine_value"], field["review"]["act"]) == ("cohort", "cohort", "confirmed")


def test_a_record_that_nobody_judged_is_the_machines(paper):
    assert record_of(paper)["fields"] == paper.subtask.result["parse"]["fields"]


def test_a_value_that_was_not_found_can_be_filled_in_and_one_that_is_wrong_be_emptied(judge, paper):
    judge("sample_size", value="1 234")
    judge("design", value="")
    fields = {one["name"]: one["value"] for one in record_of(paper)["fields"]}
    assert fields["sample_size"] == 1234 and fields["design"] is None


def test_the_corrected_value_is_in_table_and_files(judge, ana, task, paper):
    judge("authors", value="Müller, Eva; Bo, Li")
    judge("sample_size", value="42")
    page = ana.get(f"/sets/{task.pk}/table/").content.decode()
    assert "Müller, Eva; Bo, Li" in page and "Ríos" not in page
    text = body(ana.get(f"/sets/{task.pk}/export.csv")).decode("utf-8-sig")
    first = next(csv.DictReader(io.StringIO(text)))
    assert (first["authors"], first["sample_size"]) == ("Müller, Eva; Bo, Li", "42")
    found = json.loads(body(ana.get(f"/sets/{task.pk}/export.json")))[0]
    assert found["authors"] == [{"family": "Müller", "given": "Eva"}, {"family": "Bo", "given": "Li"}]


def test_the_one_of_several_values_is_judged_that_was_meant(judge, paper):
    child = paper.subtask
    fields = [
        {"name": "p_values", "value": value, "status": "found", "page": 1, "quote": "p"} for value in ("0.1", "0.2")
    ]
    child.result["parse"]["fields"] = fields
    child.save()
    judge("p_values", value="0.02", nth=1)
    assert [one["value"] for one in record_of(paper)["fields"]] == ["0.1", "0.02"]


def test_the_second_of_two_reviewers_is_told_and_nothing_is_lost(judge, paper):
    first = judge("year", value="2023", who="ana").json()["verdict"]
    late = judge("year", value="2022", who="boss")
    assert late.status_code == 409
    assert (late.json()["code"], late.json()["current"]["value"], late.json()["current"]["by"]) == (
        "review_overtaken",
        2023,
        "ana",
    )
    assert record_of(paper)["year"] == 2023
    assert judge("year", value="2022", who="boss", seen=first["id"]).status_code == 200
    assert record_of(paper)["year"] == 2022
    assert list(Verdict.objects.values_list("value", "current")) == [(2023, False), (2022, True)]


def test_a_verdict_taken_back_leaves_the_machines_value_and_the_history(judge, paper):
    seen = judge("year", value="2023").json()["verdict"]["id"]
    back = judge("year", "withdrawn", seen=seen).json()["verdict"]
    assert record_of(paper)["year"] == 2024 and Verdict.objects.count() == 2
    assert judge("year", "withdrawn", seen=back["id"]).json()["code"] == "nothing_there"
    assert judge("year", value="2020", seen=0).json()["code"] == "review_overtaken"
    assert judge("year", value="2020", seen=back["id"]).status_code == 200


def test_verdicts_outlive_a_second_reading(judge, paper):
    judge("year", value="2023")
    child = paper.subtask
    child.result["parse"]["year"] = 1999
    child.save()
    record = record_of(paper)
    assert record["year"] == 2023
    assert next(one for one in record["fields"] if one["name"] == "year")["machine_value"] == 2024


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("year", "soon", "bad_number"),
        ("doi", "none", "bad_doi"),
        ("pmid", "x", "bad_pmid"),
        ("title", "x" * 20_001, "bad_value"),
    ],
)
def test_what_can_not_be_the_value_is_refused_with_a_sentence(judge, name, value, code):
    answer = judge(name, value=value)
    assert (answer.status_code, answer.json()["code"]) == (409, code)
    assert "{" not in answer.json()["message"] and not Verdict.objects.exists()


def test_a_doi_is_kept_without_its_address(judge, paper):
    judge("doi", value="https://doi.org/10.5555/NEW")
    assert record_of(paper)["doi"] == "10.5555/new"


def test_nothing_can_be_confirmed_that_is_not_there_and_no_failed_paper_judged(judge, client, people, task):
    assert judge("journal", "confirmed").status_code == 200
    assert judge("pmid", "confirmed").json()["code"] == "nothing_there"
    bad = task.papers.get(position=2)
    data = {"name": "year", "nth": 0, "act": "corrected", "value": "2020", "seen": 0}
    assert client.post(f"/sets/{task.pk}/papers/{bad.pk}/verdict/", data, **JSON).json()["code"] == "not_read"
    for wrong in ({"nth": "x"}, {"act": "eaten"}, {"name": ""}, {"seen": "-1"}):
        assert client.post(f"/sets/{task.pk}/papers/{bad.pk}/verdict/", {**data, **wrong}).status_code == 404


def test_a_paper_is_marked_as_reviewed_once_and_unmarked(ana, task, paper):
    url = f"/sets/{task.pk}/papers/{paper.pk}/reviewed/"
    assert ana.post(url, {"reviewed": "1"}, **JSON).json() == {"done": True}
    assert ana.post(url, {"reviewed": "1"}, **JSON).json() == {"done": False}
    assert record_of(paper)["reviewed"]["by"] == "ana"
    assert "Reviewed by ana" in ana.get(f"/sets/{task.pk}/papers/{paper.pk}/").content.decode()
    assert "reviewed</span>" in ana.get(f"/sets/{task.pk}/table/").content.decode()
    ana.post(url, {"reviewed": "0"}, **JSON)
    assert not Review.objects.exists()


def test_notes_are_shown_as_text_and_deleted_by_their_author_alone(client, people, task, paper):
    url = f"/sets/{task.pk}/papers/{paper.pk}/note/"
    client.force_login(people["ana"])
    assert client.post(url, {"text": " "}, **JSON).json()["code"] == "note_empty"
    client.post(url, {"text": "<b>look</b>\nat table 2"})
    note = Note.objects.get()
    assert "&lt;b&gt;look&lt;/b&gt;<br>" in client.get(f"/sets/{task.pk}/papers/{paper.pk}/").content.decode()
    assert record_of(paper)["notes"][0]["by"] == "ana"
    client.force_login(people["boss"])
    client.post(url, {"remove": note.pk})
    assert Note.objects.exists()
    client.force_login(people["ana"])
    client.post(url, {"remove": note.pk})
    assert not Note.objects.exists()


def test_a_person_without_script_is_told_the_same(ana, task, paper):
    data = {"name": "year", "nth": 0, "act": "corrected", "value": "soon", "seen": 0}
    answer = ana.post(f"/sets/{task.pk}/papers/{paper.pk}/verdict/", data, follow=True)
    assert "no whole number" in answer.content.decode()
    assert answer.redirect_chain[0][0].endswith("#v-year-0")


class TestTable:
    def titles(self, ana, task, query):
        import re

        page = flat(ana.get(f"/sets/{task.pk}/table/?{query}"))
        return re.findall(r'<td class="title[^"]*"><div>([^<]*)', page)

    @pytest.fixture
    def task(self, people):
        """Three papers that were read: years 2001, 1999 and none, two sample sizes."""
        from tasks import fanout
        from tasks.kinds.literature.models import Paper

        task = fanout.create("literature", people["ana"], "Years")
        for n, (title, year, size) in enumerate(
            [("alpha", 2001, 10), ("Beta", 1999, 9), ("gamma 100%", None, None)], 1
        ):
            Paper.objects.create(
                task=task, position=n, filename=f"{n}.pdf", key=f"{n}", sha256=f"{n:064}", size=1, state="accepted"
            )
            fields = [{"name": "sample_size", "value": size, "status": "found"}] if size else []
            fields.append({"name": "groups", "value": 5 - n, "status": "ambiguous"})
            SubTask.objects.create(
                task=task,
                position=n,
                key=f"{n}",
                stage="parse",
                queue="local",
                state="succeeded",
                result={"parse": {"title": title, "year": year, "fields": fields}},
            )
        return task

    @pytest.fixture
    def paper(self, task):
        return task.papers.get(position=1)

    def test_it_is_sorted_by_facts_and_by_what_people_corrected(self, judge, ana, task):
        assert self.titles(ana, task, "sort=sample_size") == ["Beta", "alpha", "gamma 100%"]
        assert self.titles(ana, task, "sort=-title") == ["gamma 100%", "Beta", "alpha"]
        assert self.titles(ana, task, "sort=groups") == ["alpha", "Beta", "gamma 100%"]
        judge("sample_size", value="2")
        judge("year", value="")
        assert self.titles(ana, task, "sort=sample_size") == ["alpha", "Beta", "gamma 100%"]
        assert self.titles(ana, task, "sort=-year") == ["Beta", "alpha", "gamma 100%"]

    def test_it_is_filtered_by_words_in_a_column_and_by_what_people_did(self, judge, ana, task, paper):
        assert self.titles(ana, task, "has=BETA&col=title") == ["Beta"]
        assert self.titles(ana, task, "has=100%25&col=title") == ["gamma 100%"]
        assert self.titles(ana, task, "has=2.pdf") == ["Beta"]
        assert self.titles(ana, task, "has=null&col=year") == []
        judge("title", value="omega")
        assert self.titles(ana, task, "has=omega&col=title") == self.titles(ana, task, "only=corrected") == ["omega"]
        ana.post(f"/sets/{task.pk}/papers/{paper.pk}/reviewed/", {"reviewed": "1"})
        assert self.titles(ana, task, "only=reviewed") == ["omega"]
        assert self.titles(ana, task, "only=unreviewed") == ["Beta", "gamma 100%"]
        assert len(self.titles(ana, task, "only=nonsense&col=nonsense&sort=nonsense")) == 3

    def test_columns_are_chosen_by_each_person_for_herself(self, client, people, task):
        client.force_login(people["ana"])
        client.post(f"/sets/{task.pk}/columns/", {"column": ["title", "year", "nonsense"]})
        assert client.get(f"/sets/{task.pk}/table/").content.decode().count('scope="col"') == 3
        client.force_login(people["boss"])
        assert client.get(f"/sets/{task.pk}/table/?empty=1").content.decode().count('scope="col"') > 10
