"""Forms that no page of ours sends: what is wrong is said, and never a server's fault."""

from __future__ import annotations

import pytest

from tasks.models import Task
from tests.integration.literature.ended import ended_set
from tests.integration.literature.papers import JSON

FORM = b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\nhay\r\n--x--\r\n'


@pytest.fixture
def task(people):
    return ended_set(people["ana"])


def test_a_page_that_pastes_nothing_says_so(ana, draft):
    for text in ("", " \x00\n"):
        answer = ana.post(f"/sets/{draft.pk}/paste/", {"text": text}, follow=True)
        assert answer.status_code == 200 and "Nothing was pasted" in answer.content.decode()
    assert not draft.papers.exists()


def test_a_page_that_pastes_into_a_set_that_has_started_says_so(ana, task):
    page = ana.post(f"/sets/{task.pk}/paste/", {"text": "10.5555/hay.2"}, follow=True).content.decode()
    assert "has started" in page


@pytest.mark.parametrize("charset", ["base64", "idna", "utf-16", "nonsense"])
@pytest.mark.parametrize("door", ["/login/", "/sets/{}/paste/", "/sets/{}/files/"])
def test_a_form_in_parts_that_names_another_encoding_is_a_bad_request(ana, draft, door, charset):
    kind = f"multipart/form-data; boundary=x; charset={charset}"
    assert ana.generic("POST", door.format(draft.pk), FORM, content_type=kind).status_code == 400


@pytest.mark.parametrize("charset", ["", "; charset=utf-8", '; charset="UTF8"'])
def test_a_form_in_parts_of_utf_8_is_taken(ana, draft, charset):
    kind = f"multipart/form-data; boundary=x{charset}"
    assert ana.generic("POST", f"/sets/{draft.pk}/paste/", FORM, content_type=kind, **JSON).status_code == 201
    assert draft.papers.exists()


@pytest.mark.parametrize("door", ["/sets/{}/retry/", "/admin/tasks/task/{}/do/retry_failed/"])
def test_a_reason_with_a_nul_is_nobodys_by_every_door(client, people, task, door):
    client.force_login(people["boss"])
    assert client.post(door.format(task.pk), {"code": "\x00"}).status_code == 302
    assert Task.objects.get(pk=task.pk).generation == 1
