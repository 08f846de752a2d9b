"""A paper that two sources have read: one record, and everything that either of them said."""

from __future__ import annotations

import json

import jsonschema
import pytest

from tasks.kinds.literature import outcomes, record
from tasks.kinds.literature.exports import schema
from tasks.kinds.literature.models import Paper
from tasks.models import SubTask
from tests.integration.literature.ended import RECORD, ended_set
from tests.integration.literature.papers import JSON


@pytest.fixture
def people(django_user_model):
    return {"ana": django_user_model.objects.create_user("ana", password="x")}


@pytest.fixture
def task(people, db):
    """The set of ``ended_set``; of its good paper GROBID says another year, with a quote, and another design."""
    task = ended_set(people["ana"])
    child = SubTask.objects.get(task=task, key="barn/good.pdf")
    evidence = {"unit": None, "page": 1, "box": None, "boxes": [], "verified": True, "confidence": 0.8}
    year = {"name": "year", "value": 2023, "quote": "June 2023", "status": "found", **evidence}
    design = {"name": "design", "value": "trial", "quote": "a trial", "status": "found", **evidence}
    child.result["grobid"] = {**RECORD, "year": 2023, "fields": [year, design]}
    child.save(update_fields=["result"])
    return task


@pytest.fixture
def ana(client, people):
    client.force_login(people["ana"])
    return client


def good(task) -> Paper:
    return outcomes.items_of(task).get(filename="good.pdf")


def test_the_record_holds_the_value_that_wins_and_what_both_said(task):
    found = record.effective(good(task))
    entry = next(one for one in found["fields"] if one["name"] == "design")
    assert (found["year"], entry["value"], entry["source"], entry["why"]) == (2023, "trial", "grobid", "verified")
    assert [(one["source"], one["value"]) for one in entry["sources"]] == [("parse", "cohort"), ("grobid", "trial")]


def test_the_page_shows_both_beside_one_another_and_says_why_one_stands(ana, task):
    page = ana.get(f"/sets/{task.pk}/papers/{good(task).pk}/").content.decode()
    assert "2 readings" in page and "its quote was found on the page" in page
    assert "read from the file:" in page and "GROBID:" in page
    assert page.index("<b>cohort</b>") < page.index("<b>trial</b>")


def test_a_paper_that_one_source_has_read_shows_no_readings(ana, task):
    SubTask.objects.filter(task=task, key="barn/good.pdf").update(result={"parse": RECORD})
    assert "readings" not in ana.get(f"/sets/{task.pk}/papers/{good(task).pk}/").content.decode()
    assert all("source" not in entry for entry in record.effective(good(task))["fields"])


def test_the_json_export_is_what_the_schema_says(ana, task):
    found = json.loads(b"".join(ana.get(f"/sets/{task.pk}/export.json")))
    jsonschema.Draft202012Validator(schema.document()).validate(found)
    assert next(one for one in found if one["file"] == "barn/good.pdf")["year"] == 2023


def test_a_person_who_corrects_it_judges_the_value_that_stands(ana, task):
    paper = good(task)
    given = {"name": "design", "nth": "0", "act": "corrected", "value": "case series", "seen": "0"}
    assert ana.post(f"/sets/{task.pk}/papers/{paper.pk}/verdict/", given, **JSON).status_code == 200
    entry = next(one for one in record.effective(good(task))["fields"] if one["name"] == "design")
    assert (entry["value"], entry["machine_value"]) == ("case series", "trial")


def test_one_pass_gives_every_paper_that_was_read_with_its_merged_record(task):
    ((paper, found),) = record.each_read(task)
    assert (paper.pk, paper.position, found["year"]) == (good(task).pk, good(task).position, 2023)
