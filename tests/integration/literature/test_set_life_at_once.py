"""Two people, two tabs and a deletion: a set's verbs at the same moment, and what is still possible afterwards."""

from __future__ import annotations

import io
import threading

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from tasks.errors import Refused
from tasks.files import store, unused
from tasks.kinds.literature import outcomes
from tasks.kinds.literature.lifecycle import deleting, reading_again, replacing, sharing
from tasks.kinds.literature.models import Paper
from tasks.kinds.literature.web import access
from tasks.members import Member
from tasks.models import SubTask, Task
from tests.integration.literature.ended import ended_set
from tests.integration.literature.papers import JSON, pdf_bytes, sha256


@pytest.fixture
def task(people):
    """One succeeded, one failed as damaged, one duplicate, one refused."""
    return ended_set(people["ana"])


def paper(task, state):
    return outcomes.papers_of(task).get(outcome=state)


def replace(one, words):
    replacing.replace(one, io.BytesIO(pdf_bytes(words)), "better.pdf", None)


def at_once(*calls):
    """Each in a thread of its own; what each raised, or None."""
    raised = [None] * len(calls)

    def run(number):
        try:
            calls[number]()
        except Exception as error:  # noqa: BLE001 - told to the test
            raised[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[number]) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return raised


@pytest.mark.django_db(transaction=True)
def test_two_refused_files_of_one_name_are_replaced_at_once(people, task, monkeypatch):
    first = paper(task, "refused")
    other = Paper.objects.create(
        task=task, position=9, filename=first.filename, folder=first.folder, size=6, state="refused", reason="not_a_pdf"
    )
    met, found = threading.Barrier(2), replacing.free_key

    def meeting(*args):
        key = found(*args)
        try:
            met.wait(1)  # who comes here while the other has not committed has the same key in hand
        except threading.BrokenBarrierError:
            pass
        return key

    monkeypatch.setattr(replacing, "free_key", meeting)
    two = [outcomes.papers_of(task).get(pk=one.pk) for one in (first, other)]
    assert at_once(*(lambda one=one: replace(one, f"better {one.pk}") for one in two)) == [None, None]
    task.refresh_from_db()
    assert (task.total, task.generation) == (4, 2)
    keys = set(Paper.objects.filter(pk__in=[first.pk, other.pk]).values_list("key", flat=True))
    assert keys == {"barn/page.pdf", "barn/page.pdf (2)"}


@pytest.mark.django_db
def test_the_second_better_file_knows_the_first_and_takes_its_bytes_away(people, task):
    one = paper(task, "failed")
    stale = paper(task, "failed")  # as a second person's page had it
    replace(one, "better")
    replace(stale, "best")
    now = Paper.objects.get(pk=one.pk)
    assert now.sha256 == sha256(pdf_bytes("best")) == now.subtask.input["sha256"]
    assert [(old.filename, old.reason) for old in now.replacements.all()] == [
        ("bad.pdf", "damaged"),
        ("better.pdf", "replaced"),
    ]
    assert not store.is_kept(sha256(pdf_bytes("better"))) and store.is_kept(sha256(pdf_bytes("best")))


@pytest.mark.django_db
def test_bytes_that_go_with_another_set_while_they_are_given_here_are_stored_anew(people, task, monkeypatch):
    judged = replacing._must_be_new
    kept = store.keep

    def keep(file, address):
        kept(file, address)
        monkeypatch.setattr(store, "keep", kept)
        unused.forget_unused([address])  # as the discard of a draft that had them does it

    monkeypatch.setattr(store, "keep", keep)
    replace(paper(task, "failed"), "better")
    assert judged is replacing._must_be_new and store.is_kept(sha256(pdf_bytes("better")))


@pytest.mark.django_db
@pytest.mark.parametrize("state", ["refused", "duplicate"])
def test_no_door_leads_over_the_limit_of_a_set(people, task, settings, state):
    settings.SHEAF_MAX_SET_FILES = 2
    with pytest.raises(Refused) as refused:
        if state == "refused":
            replace(paper(task, "refused"), "better")
        else:
            reading_again.read_all_the_same(paper(task, "duplicate"), None)
    assert refused.value.code == "set_full"
    assert paper(task, state) and Task.objects.get(pk=task.pk).generation == 1
    replace(paper(task, "failed"), "better")  # one for one


@pytest.mark.django_db
def test_a_deleted_set_is_gone_for_staff_too_and_nothing_more_happens_to_it(client, people, task):
    failed = paper(task, "failed")
    deleting.delete(task, people["ana"])
    client.force_login(people["boss"])
    assert client.get(f"/sets/{task.pk}/").status_code == 404
    for verb in ("retry", "read-the-rest", f"papers/{failed.pk}/read-all-the-same"):
        assert client.post(f"/sets/{task.pk}/{verb}/").status_code == 404
    assert client.get("/sets/?whose=all", **JSON).json()["sets"] == []


@pytest.mark.django_db
@pytest.mark.parametrize("door", ["delete/", "share/", "leave/", "columns/"])
def test_what_is_asked_of_a_set_that_goes_this_moment_is_not_found(ana, people, task, door, monkeypatch):
    """The set was there when the view looked, and is gone when the verb does."""
    found = access.get_object_or_404

    def gone_after(*args, **kwargs):
        one = found(*args, **kwargs)
        deleting.delete(one, people["ana"])
        assert deleting.go_on(float("inf")) == 1
        return one

    monkeypatch.setattr(access, "get_object_or_404", gone_after)
    answer = ana.post(f"/sets/{task.pk}/{door}", {"name": "ben", "role": "reader"})
    assert answer.status_code in (302, 404) and not Member.objects.exists()
    assert answer.status_code == 404 or door in ("leave/", "columns/")


@pytest.mark.django_db
@pytest.mark.parametrize("door", ["verdict", "password", "replace", "read-all-the-same"])
def test_what_is_asked_of_a_paper_whose_set_goes_this_moment_is_not_found(ana, people, task, door, monkeypatch):
    from tasks.kinds.literature.web import life, review

    def gone_after(*args):
        one = access.paper_of(*args)
        deleting.delete(task, people["ana"])
        assert deleting.go_on(float("inf")) == 1
        return one

    for views in (life, review):
        monkeypatch.setattr(views, "paper_of", gone_after)
    state = {"verdict": "succeeded", "read-all-the-same": "duplicate"}.get(door, "failed")
    SubTask.objects.filter(task=task, state="failed").update(error_code="password")
    said = {"name": "year", "act": "corrected", "value": "2020", "password": "x"}
    said["file"] = SimpleUploadedFile("better.pdf", pdf_bytes("better"))
    answer = ana.post(f"/sets/{task.pk}/papers/{paper(task, state).pk}/{door}/", said, **JSON)
    assert answer.status_code in (404, 409) and not Paper.objects.exists()


@pytest.mark.django_db
def test_nobody_is_let_into_a_set_that_its_owner_has_deleted_in_another_tab(people, task):
    stale = Task.objects.get(pk=task.pk)
    deleting.delete(task, people["ana"])
    with pytest.raises(Task.DoesNotExist):
        sharing.share(stale, "ben", "reader", people["ana"])
    assert not Task.objects.visible_to(people["ben"]).exists()
