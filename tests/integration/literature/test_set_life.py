"""A set after its start: a better file for a paper, a duplicate read all the same, and the end of it all."""

from __future__ import annotations

import io
import time

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tasks import background, fanout
from tasks.files import store
from tasks.files.models import Chunk, Kept, StoredFile
from tasks.kinds.literature import outcomes
from tasks.kinds.literature.intake import entry
from tasks.kinds.literature.lifecycle import deleting
from tasks.kinds.literature.models import Deletion, Paper
from tasks.models import LogLine, SubTask, Task
from tests.integration.literature.ended import ended_set
from tests.integration.literature.papers import JSON, pdf_bytes, sha256

BETTER = pdf_bytes("a better copy")


@pytest.fixture
def task(people):
    """One succeeded, one failed as damaged, one duplicate, one refused."""
    return ended_set(people["ana"])


def paper(task, state):
    return outcomes.papers_of(task).get(outcome=state)


def replace(client, one, data=BETTER, name="better.pdf"):
    address = f"/sets/{one.task_id}/papers/{one.pk}/replace/"
    return client.post(address, {"file": SimpleUploadedFile(name, data)} if data is not None else {}, **JSON)


def end(task, **failed):
    """Let the run under way end as a worker would; ``failed``: error_code of what does."""
    for _ in background.sweep_up(task.pk):
        pass
    state = {"state": "failed", **failed} if failed else {"state": "succeeded", "result": {"parse": {"title": "Hay"}}}
    moved = SubTask.objects.filter(task=task, state="pending").update(**state)
    task.refresh_from_db()
    Task.objects.filter(pk=task.pk).update(**{state["state"]: getattr(task, state["state"]) + moved})
    Task.objects.filter(pk=task.pk).update(state="finalizing")
    assert background.finalize(task.pk, task.generation)
    task.refresh_from_db()


def test_a_better_file_for_a_failed_paper_is_read_in_the_next_run(ana, task):
    failed = paper(task, "failed")
    assert replace(ana, failed).json()["done"]
    task.refresh_from_db()
    assert (task.state, task.generation, task.reopening) == ("running", 2, {"codes": ["replaced"]})
    now = Paper.objects.get(pk=failed.pk)
    assert (now.filename, now.sha256, now.key, now.folder) == ("better.pdf", sha256(BETTER), failed.key, "barn")
    assert now.subtask.input == {"paper": now.pk, "sha256": sha256(BETTER), "size": len(BETTER)}
    assert store.is_kept(sha256(BETTER)) and not store.is_kept(failed.sha256)
    end(task)
    assert outcomes.counts(task) | {"failed": 0, "succeeded": 2} == outcomes.counts(task)
    (old,) = now.replacements.all()
    assert (old.filename, old.sha256, old.reason, old.by.username) == ("bad.pdf", failed.sha256, "damaged", "ana")
    page = ana.get(f"/sets/{task.pk}/papers/{failed.pk}/").content.decode()
    assert "bad.pdf" in page and "damaged" in page


def test_a_better_file_for_a_refused_one_becomes_a_paper_of_the_set(ana, task):
    refused = paper(task, "refused")
    assert replace(ana, refused).json()["paper"]["state"] == "accepted"
    task.refresh_from_db()
    assert (task.state, task.generation, task.total) == ("running", 2, 3)
    end(task)
    counts = outcomes.counts(task)
    assert (counts["given"], counts["succeeded"], counts["refused"]) == (4, 2, 0)
    assert task.report.given == 4 and task.report.refused == 0
    assert Paper.objects.get(pk=refused.pk).replacements.get().reason == "not_a_pdf"


def test_while_the_set_runs_the_better_file_waits_for_the_next_retry(ana, task):
    fanout.extend(task, [fanout.NewChild("another")])
    failed = paper(task, "failed")
    assert replace(ana, failed).json()["done"]
    task.refresh_from_db()
    assert (task.generation, outcomes.failures(task)) == (2, {"replaced": 1})
    assert 'id="retry-replaced"' not in ana.get(f"/sets/{task.pk}/").content.decode()
    SubTask.objects.filter(task=task, key="another").delete()
    end(task)
    assert 'id="retry-replaced"' in ana.get(f"/sets/{task.pk}/").content.decode()


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (pdf_bytes("good", 2), "twin.pdf", "same_file"),
        (b"TY  - JOUR\nTI  - Hay\nER  - \n", "list.ris", "not_one_paper"),
        (b"<!doctype html><html><body>404</body></html>", "paper.pdf", "not_one_paper"),
        (b"", "empty.pdf", "empty_file"),
        (None, "", "no_file"),
    ],
    ids=["a twin", "a list", "a web page", "empty", "none"],
)
def test_what_is_no_new_paper_replaces_nothing(ana, task, data, name, code):
    before = list(Paper.objects.values())
    for state in ("failed", "refused"):
        answer = replace(ana, paper(task, state), data, name)
        assert answer.status_code == 409 and answer.json()["code"] == code
    task.refresh_from_db()
    assert list(Paper.objects.values()) == before and task.generation == 1


def test_what_came_to_something_is_not_replaced(ana, task):
    for state in ("succeeded", "duplicate"):
        assert replace(ana, paper(task, state)).json()["code"] == "not_replaceable"


def test_a_duplicate_is_read_all_the_same_when_a_person_says_so(ana, task):
    twin = paper(task, "duplicate")
    address = f"/sets/{task.pk}/papers/{twin.pk}/read-all-the-same/"
    assert 'id="all-the-same"' in ana.get(f"/sets/{task.pk}/papers/{twin.pk}/").content.decode()
    assert ana.post(address, **JSON).json() == {"done": True}
    task.refresh_from_db()
    assert (task.generation, task.total, outcomes.counts(task)["duplicate"]) == (2, 3, 0)
    assert ana.post(address, **JSON).json()["code"] == "not_duplicate"
    end(task)
    assert outcomes.counts(task)["succeeded"] == 2


def test_in_a_draft_it_starts_with_the_others(ana, draft, give):
    give(pdf_bytes("hay"), "one.pdf")
    twin = give(pdf_bytes("hay"), "two.pdf").json()["paper"]
    receipt = ana.post(f"/sets/{draft.pk}/papers/{twin['id']}/read-all-the-same/", **JSON).json()
    assert receipt["counts"] == {"given": 2, "accepted": 2, "duplicate": 0, "refused": 0} and receipt["files"] == 2
    draft.refresh_from_db()
    assert draft.expected == 2
    ana.post(f"/sets/{draft.pk}/start/")
    for _ in background.expand(draft.pk):
        pass
    assert SubTask.objects.filter(task=draft).count() == 2


def delete(client, task):
    return client.post(f"/sets/{task.pk}/delete/", **JSON)


def sweep():
    return deleting.go_on(time.monotonic() + 60)


def test_the_page_that_asks_says_what_goes_and_that_it_is_for_good(ana, task):
    page = ana.get(f"/sets/{task.pk}/delete/").content.decode()
    assert "4 papers that were given" in page and "be undone" in page
    assert Task.objects.filter(pk=task.pk).exists() and not Deletion.objects.exists()


def test_a_deleted_set_is_gone_from_every_door_at_once_and_leaves_nothing_behind(ana, people, task):
    assert delete(ana, task).json() == {"done": True}
    for door in ("", "export.csv", "report/", "delete/"):
        assert ana.get(f"/sets/{task.pk}/{door}").status_code == 404
    assert ana.get("/sets/", **JSON).json()["sets"] == []
    assert not Task.objects.visible_to(people["ana"]).exists()
    assert sweep() == 1
    for rows in (Task, SubTask, LogLine, Paper, StoredFile, Chunk, Kept, Deletion):
        assert not rows.objects.exists(), rows


def test_bytes_that_another_set_has_too_stay(ana, people, task):
    other = fanout.create("literature", people["ben"], "ben's")
    entry.receive(other.pk, io.BytesIO(pdf_bytes("good", 2)), filename="mine.pdf")
    delete(ana, task)
    sweep()
    assert store.is_kept(sha256(pdf_bytes("good", 2))) and StoredFile.objects.count() == 1


def test_what_runs_is_cancelled_first_and_goes_when_it_has_ended(ana, task):
    fanout.extend(task, [fanout.NewChild("another")])
    delete(ana, task)
    task.refresh_from_db()
    assert task.state == "cancelling" and sweep() == 0 and task.papers.count() == 4
    for _ in background.sweep_up(task.pk):
        pass
    task.refresh_from_db()
    assert background.finalize(task.pk, task.generation)
    assert sweep() == 1 and not Task.objects.exists()


def test_a_large_set_goes_in_parts_that_nobody_waits_for(ana, task, monkeypatch):
    monkeypatch.setattr(deleting, "ROWS", 1)
    monkeypatch.setattr(deleting, "PAPERS", 1)
    delete(ana, task)
    rounds = 0
    while not deleting.go_on(time.monotonic()):
        rounds += 1
        assert rounds < 50
    assert rounds > 3 and not Task.objects.exists() and not Kept.objects.exists()


def test_whoever_was_to_be_told_is_not_told_of_a_set_that_is_gone(ana, people, task):
    from tasks.kinds.notify.models import Notice, Wish

    Wish.objects.create(task=task, channel="webhook", address="https://x.example/", language="en", by=people["ana"])
    old = fanout.create("webhook", people["ana"], "Webhook: Hay and its uses", {"notice": "x", "body": {}})
    Task.objects.filter(pk=old.pk).update(state="cancelled", sealed=True)
    Notice.objects.create(about=task, generation=1, channel="webhook", task=old)
    delete(ana, task)
    assert not Wish.objects.exists()
    sweep()
    assert not Task.objects.exists()


def test_only_the_owner_deletes_and_a_draft_is_discarded_instead(client, people, task, draft):
    client.force_login(people["boss"])
    assert client.get(f"/sets/{task.pk}/delete/").status_code == 403 and delete(client, task).status_code == 403
    assert client.post(f"/sets/{draft.pk}/discard/").status_code == 403 and Task.objects.filter(pk=draft.pk).exists()
    assert 'commandfor="discard"' not in client.get(f"/sets/{draft.pk}/upload/").content.decode()
    client.force_login(people["ana"])
    assert delete(client, draft).json()["code"] == "is_draft"
    assert Task.objects.filter(pk=task.pk, owner=people["ana"]).exists() and not Deletion.objects.exists()


def test_a_cancel_in_the_middle_of_the_list_leaves_nothing_uncounted_and_the_rest_can_be_read(
    ana, draft, give, settings
):
    settings.SHEAF_CHUNK = 1
    for number in range(4):
        give(pdf_bytes(f"hay {number}"), f"{number}.pdf")
    ana.post(f"/sets/{draft.pk}/start/")
    made = background.expand(draft.pk)
    next(made), next(made)
    SubTask.objects.filter(task=draft, key="0.pdf").update(state="succeeded", result={"parse": {"title": "Hay"}})
    Task.objects.filter(pk=draft.pk).update(succeeded=1)
    ana.post(f"/sets/{draft.pk}/cancel/")
    for _ in (*made, *background.sweep_up(draft.pk)):
        pass
    assert background.finalize(draft.pk, 1)
    draft.refresh_from_db()
    counts = outcomes.counts(draft)
    assert (draft.state, draft.total, draft.cancelled) == ("cancelled", 2, 1)
    assert (counts["given"], counts["succeeded"], counts["cancelled"], counts["pending"]) == (4, 1, 3, 0)
    assert draft.report.cancelled == 3
    assert 'id="rest-button"' in ana.get(f"/sets/{draft.pk}/").content.decode()
    assert ana.post(f"/sets/{draft.pk}/read-the-rest/", **JSON).json()["generation"] == 2
    end(draft)
    assert (draft.state, draft.total, draft.succeeded) == ("completed", 4, 4)
    assert 'id="rest-button"' not in ana.get(f"/sets/{draft.pk}/").content.decode()
    assert ana.post(f"/sets/{draft.pk}/read-the-rest/", **JSON).json()["code"] == "nothing_left"
