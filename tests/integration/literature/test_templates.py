"""Templates: the fields wanted, versioned, shared, tried on five papers before the whole set."""

from __future__ import annotations

import io

import pytest

from tasks import fanout
from tasks.kinds.literature import outcomes
from tasks.kinds.literature.forms import editing
from tasks.kinds.literature.intake import entry
from tasks.kinds.literature.models import Template, TemplateVersion
from tasks.kinds.literature.table import view
from tasks.models import SubTask, Task
from tests.integration.literature.ended import ended_set
from tests.integration.literature.papers import JSON, pdf_bytes
from tests.markup import flat

ROWS = [
    {"words": "Study design", "source": "design", "type": "choice", "choices": "Cohort; trial"},
    {"words": "Blinding", "description": "Who did not know?", "type": "yes_no"},
    {"words": "DOI", "source": "doi"},
]


def form(rows=ROWS, title="Hay trials", **more) -> dict:
    parts = ("name", "words", "description", "type", "choices", "unit", "source")
    return {"title": title, **{part: [row.get(part, "") for row in rows] for part in parts}, **more}


@pytest.fixture
def template(people):
    return editing.make(people["ana"], "Hay trials", ROWS)


def test_a_template_is_made_in_the_form_and_its_blank_rows_are_passed_over(ana):
    made = ana.post("/templates/new/", form([*ROWS, {}, {}]), **JSON).json()
    assert (made["version"], [field["name"] for field in made["fields"]]) == (1, ["study_design", "blinding", "doi"])
    assert made["fields"][0]["choices"] == ["Cohort", "trial"]
    page = ana.get(made["url"]).content.decode()
    assert "Who did not know?" in page and "Cohort; trial" in page


@pytest.mark.parametrize(
    ("rows", "title", "code"),
    [
        ([{}], "x", "template_empty"),
        (ROWS, " ", "template_name"),
        ([ROWS[0], {**ROWS[0], "words": "Other"}], "x", "field_twice"),
        ([{"words": "a"}, {"words": "A"}], "x", "field_twice"),
        ([{"words": "a", "type": "choice", "choices": "one"}], "x", "field_choices"),
        ([{"words": "a", "type": "poem"}], "x", "field_type"),
        ([{"words": "a", "source": "password"}], "x", "field_source"),
        ([{"words": f"{n}"} for n in range(101)], "x", "template_long"),
    ],
)
def test_what_is_no_template_is_refused_and_what_was_typed_stays(ana, rows, title, code):
    assert ana.post("/templates/new/", form(rows, title), **JSON).json()["code"] == code
    page = ana.post("/templates/new/", form(rows, title))
    assert page.status_code == 400 and 'role="alert"' in page.content.decode()
    if "words" in rows[0]:
        assert f'value="{rows[0]["words"]}"' in page.content.decode()
    assert not Template.objects.exists()


def test_a_change_of_fields_is_a_new_version_and_a_change_of_name_is_not(ana, template):
    url = f"/templates/{template.pk}/"
    same = [{**row, "name": name} for row, name in zip(ROWS, ("study_design", "blinding", "doi"), strict=True)]
    assert ana.post(url, form(same, "Other name", seen=1), **JSON).json()["version"] == 1
    changed = ana.post(url, form([*same[::-1], {"words": "Country", "source": "country"}], seen=1), **JSON).json()
    assert (changed["version"], changed["name"]) == (2, "Hay trials")
    assert [field["name"] for field in changed["fields"]] == ["doi", "blinding", "study_design", "country"]
    assert ana.post(url, form(same, seen=1), **JSON).json()["code"] == "template_overtaken"
    assert template.versions.count() == 2


def test_a_set_keeps_the_version_it_was_made_with(ana, template):
    made = ana.post("/sets/new/", {"title": "x", "template": template.pk}, **JSON).json()
    editing.change(template, template.owner, "Hay trials", ROWS[:1], False, seen=1)
    task = Task.objects.get(pk=made["id"])
    assert [column.name for column in view.of(task)] == ["study_design", "blinding", "doi"]


def test_the_table_has_the_fields_wanted_in_their_order_and_says_what_was_not_found(ana, people, template):
    task = ended_set(people["ana"])
    Task.objects.filter(pk=task.pk).update(params={"template": template.latest.pk})
    page = flat(ana.get(f"/sets/{task.pk}/table/"))
    assert page.index("Study design") < page.index("Blinding") < page.index("DOI") and "Journal" not in page
    assert "<div>Cohort</div>" in page and "10.5555/hay.1" in page
    assert page.count("left to people") == 1 and "not found locally" not in page
    paper = task.papers.get(position=1)
    shown = ana.get(f"/sets/{task.pk}/papers/{paper.pk}/").content.decode()
    assert "left to people: 1" in shown
    data = {"name": "blinding", "nth": 0, "act": "corrected", "value": "yes", "seen": 0}
    assert ana.post(f"/sets/{task.pk}/papers/{paper.pk}/verdict/", data, **JSON).status_code == 200
    page = flat(ana.get(f"/sets/{task.pk}/table/?sort=blinding&has=yes&col=blinding"))
    assert "<div>yes<" in page and "left to people" not in page


def test_an_empty_cell_says_whether_anything_looked_for_it(ana, people):
    rows = [
        {"words": "Country", "source": "country"},
        {"words": "Blinding", "type": "yes_no"},
        {"words": "Design", "source": "design", "type": "choice", "choices": "trial; survey"},
    ]
    version = editing.make(people["ana"], "Honest", rows).latest
    task = ended_set(people["ana"])
    Task.objects.filter(pk=task.pk).update(params={"template": version.pk})
    page = ana.get(f"/sets/{task.pk}/table/").content.decode()
    assert page.index("not found locally") < page.index("left to people") < page.index("none of the choices")
    assert "cohort" in page
    shown = ana.get(f"/sets/{task.pk}/papers/{task.papers.get(position=1).pk}/").content.decode()
    assert "Not found locally: 1 of the fields wanted" in shown and "left to people: 1" in shown


def test_a_shared_template_is_used_by_colleagues_and_changed_by_its_owner_alone(client, people, template):
    client.force_login(people["ben"])
    url = f"/templates/{template.pk}/"
    assert client.get(url).status_code == 404
    assert client.post("/sets/new/", {"title": "x", "template": template.pk}, **JSON).json()["code"] == "template_gone"
    editing.change(template, people["ana"], "Hay trials", ROWS, True, seen=1)
    assert client.get(url).status_code == 200
    assert client.post(url, form(seen=1)).status_code == 404
    assert client.post(url + "retire/", {"retired": 1}).status_code == 404
    assert client.post("/sets/new/", {"title": "x", "template": template.pk}, **JSON).status_code == 201
    copied = client.get(f"/templates/new/?from={template.pk}").content.decode()
    assert 'value="Study design"' in copied
    editing.retire(template, True)
    assert client.post("/sets/new/", {"title": "x", "template": template.pk}).status_code == 400


def test_a_stranger_is_sent_to_the_login_page(client, template):
    for door in ("/templates/", "/templates/new/", f"/templates/{template.pk}/"):
        assert client.get(door)["Location"].startswith("/login/")
        assert client.get(door, **JSON).status_code == 401


def test_a_draft_may_change_its_template_and_a_started_set_may_not(ana, draft, template):
    url = f"/sets/{draft.pk}/template/"
    ana.post(url, {"template": template.pk})
    draft.refresh_from_db()
    assert TemplateVersion.of(draft) == template.latest
    ana.post(url, {"template": ""})
    draft.refresh_from_db()
    assert draft.params == {}
    fanout.start(draft)
    assert ana.post(url, {"template": template.pk}, **JSON).json()["code"] == "not_draft"


def test_a_try_reads_the_first_five_papers_in_a_set_of_its_own(ana, draft, template):
    editing.use(draft, template.latest)
    for number in range(7):
        entry.receive(draft.pk, io.BytesIO(pdf_bytes(f"paper {number}")), filename=f"{number}.pdf")
    trial_id = ana.post(f"/sets/{draft.pk}/try/", **JSON).json()["id"]
    trial = Task.objects.get(pk=trial_id)
    draft.refresh_from_db()
    assert (trial.state, trial.expected, trial.owner, draft.state) == ("expanding", 5, draft.owner, "draft")
    assert list(trial.papers.values_list("filename", flat=True)) == [f"{number}.pdf" for number in range(5)]
    assert TemplateVersion.of(trial) == template.latest
    assert "Back to the whole set" in ana.get(f"/sets/{trial_id}/").content.decode()
    assert outcomes.counts(draft)["given"] == 7 and not SubTask.objects.filter(task=draft).exists()


def test_an_empty_draft_has_nothing_to_try(ana, draft):
    assert ana.post(f"/sets/{draft.pk}/try/", **JSON).json()["code"] == "set_empty"


def test_a_try_is_as_private_as_its_set(client, people, draft, template):
    client.force_login(people["ben"])
    for door in ("try/", "template/"):
        assert client.post(f"/sets/{draft.pk}/{door}").status_code == 404
