"""What a person may not see, they can't see by any door; what they may only look at, they can't change."""

from __future__ import annotations

import pytest

from tasks.models import Task
from tests.integration.literature.ended import ended_set
from tests.integration.literature.papers import JSON

DOORS = [
    "",
    "status/",
    "upload/",
    "have/?sha256=" + "0" * 64,
    "papers/",
    "table/",
    "export.csv",
    "export.json",
    "export.xlsx",
    "export.ris",
    "export.bib",
    "export.md.zip",
    "report/",
    "report.xlsx",
    "report.docx",
    "estimate/",
    "receipt.csv",
    "papers/{paper}/",
    "papers/{paper}/pages/1.png",
    "file/{paper}.pdf",
]
VERBS = [
    "tell/",
    "files/",
    "files/{paper}/remove/",
    "start/",
    "pause/",
    "resume/",
    "cancel/",
    "retry/",
    "finalize-again/",
    "discard/",
    "paste/",
    "sources/0/remove/",
    "papers/{paper}/verdict/",
    "papers/{paper}/reviewed/",
    "papers/{paper}/note/",
    "papers/{paper}/password/",
    "pairs/0/",
    "papers/{paper}/replace/",
    "papers/{paper}/read-all-the-same/",
    "delete/",
    "read-the-rest/",
]


@pytest.fixture
def task(people):
    return ended_set(people["ana"])


def address(task, door):
    return f"/sets/{task.pk}/" + door.format(paper=task.papers.order_by("position").first().pk)


@pytest.mark.parametrize("door", DOORS)
def test_somebody_elses_set_is_not_there(client, people, task, door):
    client.force_login(people["ben"])
    assert client.get(address(task, door)).status_code == 404


@pytest.mark.parametrize("door", VERBS)
def test_somebody_elses_set_can_not_be_changed(client, people, task, door):
    client.force_login(people["ben"])
    assert client.post(address(task, door)).status_code == 404
    before = Task.objects.values().get(pk=task.pk)
    client.force_login(people["staff"])
    assert client.post(address(task, door)).status_code == 403
    assert Task.objects.values().get(pk=task.pk) == before


@pytest.mark.parametrize("door", DOORS)
def test_a_stranger_is_sent_to_the_login_page_and_a_program_gets_401(client, task, door):
    answer = client.get(address(task, door))
    assert answer.status_code == 302 and answer["Location"].startswith("/login/?next=/sets/")
    assert client.get(address(task, door), **JSON).status_code == 401


@pytest.mark.parametrize("door", [door for door in DOORS if door not in ("upload/",)])
def test_the_owner_and_staff_with_the_permission_see_it(client, people, task, door):
    for who in ("ana", "staff", "boss"):
        client.force_login(people[who])
        assert client.get(address(task, door)).status_code == 200, who


def test_a_person_who_was_made_inactive_sees_nothing(client, people, task):
    client.force_login(people["ana"])
    people["ana"].is_active = False
    people["ana"].save()
    assert client.get(address(task, "")).status_code in (302, 404)


def test_a_paper_of_another_set_is_not_in_this_one(ana, people, task):
    other = ended_set(people["ana"], "other")
    paper = other.papers.first().pk
    for door in ("papers/{}/", "papers/{}/pages/1.png", "file/{}.pdf"):
        assert ana.get(f"/sets/{task.pk}/" + door.format(paper)).status_code == 404


def test_a_post_without_its_token_is_refused(people, task):
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(people["ana"])
    for door in VERBS:
        assert client.post(address(task, door)).status_code == 403


def test_the_list_shows_ones_own_and_staff_may_ask_for_all(client, people, task):
    ended_set(people["ben"], "Straw of ben")
    client.force_login(people["ana"])
    assert [one["title"] for one in client.get("/sets/?whose=all", **JSON).json()["sets"]] == ["Hay and its uses"]
    client.force_login(people["boss"])
    assert client.get("/sets/", **JSON).json()["sets"] == []
    assert len(client.get("/sets/?whose=all", **JSON).json()["sets"]) == 2


def test_a_list_of_another_set_is_not_in_this_one(ana, people, task):
    import io

    from tasks import fanout
    from tasks.kinds.literature.intake import entry

    theirs = fanout.create("literature", people["ben"], "ben's")
    source = entry.receive(theirs.pk, io.BytesIO(b"TY  - JOUR\nTI  - Hay\nER  -\n"), filename="hay.ris")
    for owner in (task, theirs):
        assert ana.get(f"/sets/{owner.pk}/sources/{source.pk}/file/").status_code == 404
        assert ana.post(f"/sets/{owner.pk}/sources/{source.pk}/remove/").status_code == 404
    assert theirs.sources.exists()


def test_somebody_elses_pair_is_not_there_under_ones_own_set(ana, people, task):
    from tasks.kinds.literature.models import Pair

    other = ended_set(people["ben"], "other")
    left, right = other.papers.order_by("position")[:2]
    pair = Pair.objects.create(task=other, left=left, right=right, reason="preprint", score=1)
    for owner in (task, other):
        assert ana.post(f"/sets/{owner.pk}/pairs/{pair.pk}/", {"decision": "joined"}).status_code == 404
    pair.refresh_from_db()
    assert pair.decision == "open"


def test_columns_of_a_set_are_chosen_by_who_may_see_it(client, people, task):
    client.force_login(people["ben"])
    assert client.post(address(task, "columns/"), {"column": "title"}).status_code == 404
    client.force_login(people["staff"])
    assert client.post(address(task, "columns/"), {"column": "title"}).status_code == 302
