"""Columns of the files: those of the set's template in its words; people's values with the machine's beside them."""

from __future__ import annotations

import csv
import io
import json
import warnings

import jsonschema
import openpyxl
import pytest
from django.contrib.staticfiles import finders

from tasks.kinds.literature import outcomes
from tasks.kinds.literature.exports import layout
from tasks.kinds.literature.forms import editing
from tasks.kinds.literature.forms.questions import questions_of
from tasks.kinds.literature.models import TemplateVersion
from tasks.kinds.literature.review import judging
from tasks.models import Task
from tests.integration.literature.ended import ended_set
from tests.markup import flat

ROWS = [
    {"words": "Follow-up", "type": "number", "unit": "months", "description": "Until the last visit"},
    {"words": "=Design", "source": "design", "type": "choice", "choices": "Cohort; trial"},
    {"words": "Blinded", "type": "yes_no"},
    {"words": "File", "type": "list"},
    {"words": "Year", "source": "year"},
]
HEADS = ["file", "status", "Follow-up (months)", "=Design", "Blinded", "File (2)", "Year", "error_code", "error"]


@pytest.fixture
def task(people):
    """One paper was read; the set has a template of which reading finds the design and the year."""
    version = editing.make(people["ana"], "Trials", ROWS).latest
    task = ended_set(people["ana"])
    Task.objects.filter(pk=task.pk).update(params={"template": version.pk})
    task.refresh_from_db()
    return task


@pytest.fixture
def judge(people, task):

    def judge(name, value, act="corrected", nth=0):
        paper = outcomes.items_of(task).get(position=1)
        field = next((one for one in questions_of(TemplateVersion.of(task)) if one.key == name), None)
        seen = paper.verdicts.filter(name=name, nth=nth, current=True).values_list("pk", flat=True).first() or 0
        return judging.judge(paper, name, nth, act, value, people["ana"], seen=seen, question=field)

    return judge


@pytest.fixture
def get(ana, task):
    def get(ending: str, query: str = "") -> bytes:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return b"".join(ana.get(f"/sets/{task.pk}/export.{ending}?{query}"))

    return get


def table(get) -> list[dict]:
    return list(csv.DictReader(io.StringIO(get("csv").decode("utf-8-sig"))))


def test_the_files_have_the_templates_fields_with_their_units_in_their_order(get, judge):
    judge("follow_up", "1,200.5")
    judge("blinded", "no")
    judge("file", "a; b")
    rows = table(get)
    plain = [head for head in rows[0] if not head.endswith("_machine")]
    assert plain == [head if head != "=Design" else "'=Design" for head in HEADS]  # no head runs as a formula
    assert (rows[0]["Follow-up (months)"], rows[0]["'=Design"], rows[0]["Blinded"]) == ("1200.5", "Cohort", "no")
    assert (rows[0]["File (2)"], rows[0]["Year"], rows[1]["error_code"]) == ("a; b", "2024", "damaged")
    book = openpyxl.load_workbook(io.BytesIO(get("xlsx")))
    heads = [cell.value for cell in book["values"][1]]
    assert [head for head in heads if not head.endswith("_machine")] == HEADS
    first = dict(zip(heads, (cell for cell in book["values"][2]), strict=True))
    assert (first["Follow-up (months)"].value, first["Follow-up (months)"].data_type) == (1200.5, "n")
    assert book["values"]["D1"].data_type == "s"
    told = {row[1].value: row[3].value for row in book["dictionary"].iter_rows(min_row=2) if row[0].value == "values"}
    assert set(told) == set(heads)
    assert told["Follow-up (months)"] == "Until the last visit · number · filled in by people"
    assert told["=Design"] == "one of a list · Cohort; trial · taken from: Design"


def test_a_corrected_value_has_the_machines_beside_it_and_others_do_not(get, judge):
    judge("design", "trial")
    judge("year", "2024", "confirmed")
    judge("blinded", "yes")
    first, failed = table(get)[:2]
    assert list(first)[3:6] == ["'=Design", "'=Design_machine", "Blinded"]
    assert (first["'=Design"], first["'=Design_machine"]) == ("trial", "Cohort")
    assert (first["Blinded"], first["Blinded_machine"]) == ("yes", "(nothing found)")
    assert "Year_machine" not in first and failed["'=Design_machine"] == ""


def test_a_plain_set_too_shows_what_the_machine_had_read(people, ana):
    task = ended_set(people["ana"])
    paper = outcomes.items_of(task).get(position=1)
    judging.judge(paper, "authors", 0, "corrected", "Bo, Li; WHO", people["ana"], seen=0)
    judging.judge(paper, "design", 0, "corrected", "", people["ana"], seen=0)
    judging.mark(paper, True, people["ana"])
    judging.note(paper, "=look", people["ana"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = b"".join(ana.get(f"/sets/{task.pk}/export.csv")).decode("utf-8-sig")
    row = next(csv.DictReader(io.StringIO(text)))
    assert (row["authors"], row["authors_machine"]) == ("Bo, Li; WHO", "Ríos, Ana")
    assert (row["design"], row["design_machine"]) == ("", "cohort")
    assert row["reviewed"].startswith("ana 20") and row["notes"] == "ana: =look"


def test_the_machines_record_comes_back_out_of_the_effective_one(people):
    from tasks.kinds.literature import record

    task = ended_set(people["ana"])
    paper = outcomes.items_of(task).get(position=1)
    plain = record.effective(paper)
    for name, value in (("title", "Other"), ("year", ""), ("design", "trial"), ("doi", "10.5555/other")):
        judging.judge(paper, name, 0, "corrected", value, people["ana"], seen=0)
    found = layout.before(record.effective(outcomes.items_of(task).get(position=1)))
    assert {name: found[name] for name in ("title", "year", "doi", "authors")} == {
        name: plain[name] for name in ("title", "year", "doi", "authors")
    }
    assert [field["value"] for field in found["fields"] if field["name"] == "design"] == ["cohort"]


def test_the_json_has_the_wanted_fields_and_is_what_its_schema_says(get, judge):
    judge("follow_up", "12")
    judge("blinded", "yes")
    with open(finders.find("literature/records.schema.json")) as file:
        schema = jsonschema.Draft202012Validator(json.load(file))
    found = json.loads(get("json"))
    schema.validate(found)
    schema.validate(json.loads(get("json", "verified=1")))
    assert found[0]["wanted"] == {
        "follow_up": {"words": "Follow-up", "value": 12, "unit": "months"},
        "design": {"words": "=Design", "value": "Cohort", "unit": None},
        "blinded": {"words": "Blinded", "value": True, "unit": None},
        "file": {"words": "File", "value": None, "unit": None},
        "year": {"words": "Year", "value": 2024, "unit": None},
    }
    assert found[1]["wanted"]["year"]["value"] is None


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("follow_up", "a year", "bad_decimal"),
        ("follow_up", "3,5", "bad_decimal"),
        ("design", "survey", "bad_choice"),
        ("blinded", "perhaps", "bad_yes_no"),
    ],
)
def test_a_value_that_its_type_does_not_allow_is_refused(judge, name, text, code):
    from tasks.errors import Refused

    with pytest.raises(Refused) as refused:
        judge(name, text)
    assert refused.value.code == code


def test_the_form_of_a_value_offers_the_choices_of_its_field(ana, task, judge):
    paper = task.papers.get(position=1)
    page = flat(ana.get(f"/sets/{task.pk}/papers/{paper.pk}/"))
    assert "<option selected>Cohort</option><option>trial</option>" in page
    assert '<option value="yes">yes</option>' in page and 'inputmode="decimal"' in page


def test_the_report_counts_the_wanted_fields_and_what_people_said(ana, task, judge):
    judge("follow_up", "12")
    judge("design", "", "confirmed")
    judge("year", "1999")
    said = ana.get(f"/sets/{task.pk}/report/", headers={"Accept": "application/json"}).json()
    found = {one["field"]: one for one in said["completeness"]}
    assert [one["field"] for one in said["completeness"]][:5] == ["Follow-up", "=Design", "Blinded", "File", "Year"]
    assert (found["Follow-up"]["papers"], found["Follow-up"]["corrected"]) == (1, 1)
    assert (found["=Design"]["papers"], found["=Design"]["verified"], found["=Design"]["confirmed"]) == (1, 1, 1)
    assert found["Blinded"]["papers"] == 0
    assert said["distributions"]["years"] == {"papers": {"1999": 1}, "without": 0}
    page = ana.get(f"/sets/{task.pk}/report/").content.decode()
    assert "People judged values of 1 paper: 1 confirmed, 2 corrected." in page
    judge("year", "", "withdrawn")
    said = ana.get(f"/sets/{task.pk}/report/", headers={"Accept": "application/json"}).json()
    assert said["distributions"]["years"]["papers"] == {"2024": 1}
