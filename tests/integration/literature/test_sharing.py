"""A set shared with colleagues: readers look, reviewers judge, the owner decides, and who is taken out is out."""

from __future__ import annotations

import re

import pytest

from tasks import fanout
from tasks.kinds.literature.lifecycle import sharing
from tasks.members import Member
from tasks.models import Task
from tests.integration.literature.ended import ended_set
from tests.integration.literature.papers import JSON
from tests.integration.literature.test_who_sees_what import DOORS, VERBS, address

#: What a reviewer may do beyond looking; the answers to nonsense are 404 and 409, never 403.
REVIEWING = {"papers/{paper}/verdict/", "papers/{paper}/reviewed/", "papers/{paper}/note/", "pairs/0/"}


@pytest.fixture
def task(people):
    return ended_set(people["ana"])


def share(client, task, name="ben", role="reader"):
    return client.post(f"/sets/{task.pk}/share/", {"name": name, "role": role}, **JSON)


@pytest.fixture
def ben(ana, people, task):
    """A client logged in as ben, with whom ana has shared the set as a reader."""
    from django.test import Client

    assert share(ana, task).status_code == 200
    client = Client()
    client.force_login(people["ben"])
    return client


@pytest.mark.parametrize("door", [door for door in DOORS if door != "upload/"])
def test_a_reader_sees_what_the_owner_sees(ben, task, door):
    assert ben.get(address(task, door)).status_code == 200


@pytest.mark.parametrize("door", [*VERBS, "share/"])
def test_a_reader_changes_nothing_and_a_reviewer_only_what_reviewers_judge(ana, ben, task, door):
    before = Task.objects.values().get(pk=task.pk)
    assert ben.post(address(task, door)).status_code == 403
    share(ana, task, role="reviewer")
    assert (ben.post(address(task, door)).status_code == 403) is (door not in REVIEWING)
    assert Task.objects.values().get(pk=task.pk) == before


def test_a_reviewer_judges_marks_and_remarks_under_an_own_name(ana, ben, task):
    share(ana, task, role="reviewer")
    paper = task.papers.get(filename="good.pdf")
    assert ben.post(f"/sets/{task.pk}/papers/{paper.pk}/reviewed/", {"reviewed": "1"}, **JSON).status_code == 200
    said = {"name": "year", "nth": "0", "act": "corrected", "value": "2023", "seen": "0"}
    assert ben.post(f"/sets/{task.pk}/papers/{paper.pk}/verdict/", said, **JSON).json()["verdict"]["by"] == "ben"
    page = ben.get(f"/sets/{task.pk}/papers/{paper.pk}/").content.decode()
    assert "note-form" in page
    assert "note-form" not in _as_reader(ana, ben, task, paper)


def _as_reader(ana, ben, task, paper) -> str:
    share(ana, task, role="reader")
    return ben.get(f"/sets/{task.pk}/papers/{paper.pk}/").content.decode()


def test_the_list_shows_what_is_shared_with_me(ben, people, task):
    own = fanout.create("literature", people["ben"], "ben's own")
    assert [one["id"] for one in ben.get("/sets/", **JSON).json()["sets"]] == [own.pk, task.pk]
    assert [one["id"] for one in ben.get("/sets/?whose=shared", **JSON).json()["sets"]] == [task.pk]
    assert [one["id"] for one in ben.get("/sets/?whose=own", **JSON).json()["sets"]] == [own.pk]
    assert 'id="shared-link"' in ben.get("/sets/").content.decode()


@pytest.mark.parametrize("door", DOORS)
def test_who_is_taken_out_sees_nothing_by_any_door(ana, ben, people, task, door):
    (row,) = ana.get(f"/sets/{task.pk}/share/", **JSON).json()["members"]
    answer = ana.post(f"/sets/{task.pk}/share/", {"remove": row["id"]}, **JSON)
    assert answer.json() == {"done": True, "members": []}
    assert ben.get(address(task, door)).status_code == 404


def test_a_member_may_leave(ben, task):
    assert ben.post(f"/sets/{task.pk}/leave/", **JSON).json() == {"done": True}
    assert ben.get(f"/sets/{task.pk}/").status_code == 404


@pytest.mark.parametrize(
    ("name", "role", "code"),
    [
        ("\x00 ", "reader", "no_name"),
        ("x" * 151, "reader", "no_name"),
        ("ana", "reader", "is_owner"),
        ("ben", "owner", "no_such_role"),
    ],
)
def test_who_can_not_be_let_in_is_said(ana, people, task, name, role, code):
    answer = share(ana, task, name, role)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert not Member.objects.exists()


@pytest.mark.parametrize("name", ["gone", "nobody"])
def test_sharing_does_not_tell_which_user_names_exist(ana, people, django_user_model, task, name):
    """Status, words and rows are the same for an account, for one that is switched off, and for none."""
    django_user_model.objects.create_user("gone", is_active=False)
    url = f"/sets/{task.pk}/share/"

    def told(name: str) -> str:
        answer, listed = share(ana, task, name), ana.get(url).content.decode()
        (row,) = answer.json()["members"]
        said = str(answer.json()) + listed.split('id="members"')[1].split("</ul>")[0]
        csrf = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')
        out = ana.post(url, {"remove": row["id"]}, **JSON)
        return csrf.sub("", (said + out.content.decode()).replace(str(row["id"]), "N").replace(name, "NAME"))

    assert told(name) == told("ben")
    assert not Member.objects.exists()


def test_a_name_tried_more_often_than_a_set_has_members_is_refused(ana, task, monkeypatch):
    monkeypatch.setattr(sharing, "MOST", 2)
    assert [share(ana, task, f"name{n}").status_code for n in range(3)] == [200, 200, 400]
    assert share(ana, task, "name0", "reviewer").status_code == 200


def test_the_page_lists_who_is_in_and_is_the_owners_alone(ana, ben, client, people, task):
    page = ana.get(f"/sets/{task.pk}/share/").content.decode()
    assert "<b>ben</b>" in page and "reader" in page
    assert ben.get(f"/sets/{task.pk}/share/").status_code == 403
    client.force_login(people["boss"])
    assert client.get(f"/sets/{task.pk}/share/").status_code == 403


def test_a_deleted_set_is_gone_for_those_it_was_shared_with(ana, ben, task):
    ana.post(f"/sets/{task.pk}/delete/", **JSON)
    assert ben.get(f"/sets/{task.pk}/").status_code == 404 and not Member.objects.exists()
