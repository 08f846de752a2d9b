"""The page that every batch has whatever its Kind: what it shows, to whom, and the verbs of its owner."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission

from tasks import fanout
from tasks.kinds import base
from tasks.models import SubTask, Task
from tasks.web import children
from tests.kinds import Noop

JSON = {"headers": {"Accept": "application/json"}}
DOORS = ["", "head/", "children/"]
VERBS = ["start", "pause", "resume", "cancel", "retry", "rest", "finalize"]


@pytest.fixture(autouse=True)
def _noop(monkeypatch):
    """A Kind that says nothing of a page."""
    known = {**base._kinds(), "noop": Noop()}
    monkeypatch.setattr(base, "_kinds", lambda: known)


@pytest.fixture
def people(db, django_user_model):
    make = django_user_model.objects.create_user
    people = {"ana": make("ana"), "ben": make("ben"), "staff": make("staff", is_staff=True)}
    people["staff"].user_permissions.add(Permission.objects.get(codename="view_task"))
    return people


@pytest.fixture
def task(people):
    """Ended: one child succeeded, two failed for different reasons."""
    task = fanout.create("noop", people["ana"], "Shout & <b>sing</b>", {"n": 3})
    children = [("one", "succeeded", ""), ("two", "failed", "timeout"), ("three <i>", "failed", "crashed")]
    SubTask.objects.bulk_create(
        SubTask(
            task=task,
            position=n,
            key=key,
            stage="noop",
            queue="noop",
            state=state,
            error_code=code,
            attempt=n,
            error_data={"limit_s": 70} if code == "timeout" else {},
            input={"secret": "hush"},
        )
        for n, (key, state, code) in enumerate(children, 1)
    )
    Task.objects.filter(pk=task.pk).update(state="expanding")
    Task.objects.filter(pk=task.pk).update(state="running", total=3, succeeded=1, failed=2, sealed=True)
    Task.objects.filter(pk=task.pk).update(state="finalizing")
    Task.objects.filter(pk=task.pk).update(state="completed")
    task.refresh_from_db()
    return task


@pytest.fixture
def ana(client, people):
    client.force_login(people["ana"])
    return client


def test_it_shows_state_children_reasons_and_the_live_view(ana, task):
    page = ana.get(f"/tasks/{task.pk}/").content.decode()
    assert "Shout &amp; &lt;b&gt;sing&lt;/b&gt;" in page and "three &lt;i&gt;" in page
    assert "It took longer than allowed (70 s)" in page and "crashed the reader" in page
    assert f'data-live-task="{task.pk}"' in page and "attempt 3" in page
    assert "hush" not in page and "<script>" not in page and " style=" not in page


def test_a_kind_is_led_to_it_without_doing_anything(ana, task, admin_client):
    assert Noop().url(task) == f"/tasks/{task.pk}/"
    assert f'href="/tasks/{task.pk}/"' in admin_client.get(f"/admin/tasks/task/{task.pk}/change/").content.decode()


def test_a_kind_with_a_page_of_its_own_is_found_there(ana, people):
    task = fanout.create("literature", people["ana"], "Hay")
    assert ana.get(f"/tasks/{task.pk}/")["Location"] == f"/sets/{task.pk}/"
    assert ana.get(f"/tasks/{task.pk}/", **JSON)["Location"] == f"/sets/{task.pk}/"
    # ... with its own rules: an empty set can't be started there, nor here
    assert ana.post(f"/tasks/{task.pk}/do/start/", **JSON).status_code == 404
    assert ana.get(f"/tasks/{task.pk}/children/").status_code == 404
    task.refresh_from_db()
    assert task.state == "draft"


def test_children_are_narrowed_by_state_reason_and_key(ana, task):
    def keys(query):
        return [row["child"].key for row in ana.get(f"/tasks/{task.pk}/children/?{query}").context["listing"]["rows"]]

    assert keys("") == ["one", "two", "three <i>"]
    assert keys("state=failed") == ["two", "three <i>"] and keys("code=crashed") == ["three <i>"]
    assert keys("q=WO") == ["two"]
    assert keys("state=nonsense&page=99") == ["one", "two", "three <i>"] and keys("code=nonsense") == []


def test_a_large_batch_is_counted_by_its_counters_and_a_search_no_further_than_it_helps(people, task, monkeypatch):
    Task.objects.filter(pk=task.pk).update(succeeded=99_998, total=100_000)
    task.refresh_from_db()
    assert children.listed(task, {})["page"].paginator.count == 100_000
    assert children.listed(task, {"state": "succeeded"})["page"].paginator.count == 99_998
    assert [row["child"].key for row in children.listed(task, {"q": "two"})["rows"]] == ["two"]
    assert children.listed(task, {"q": "tw"})["rows"] == []  # the whole key, which an index serves
    monkeypatch.setattr(children, "CAP", 1)
    assert children.listed(task, {"code": "crashed", "state": "failed"})["page"].paginator.count == 1
    assert [reason["number"] for reason in children.reasons(task)] == [1]


def test_programs_get_numbers(ana, task):
    told = ana.get(f"/tasks/{task.pk}/", **JSON).json()
    assert (told["kind"], told["state"], told["total"], told["failed"]) == ("noop", "completed", 3, 2)
    assert told["failures"] == {"timeout": 1, "crashed": 1}


def test_the_owner_retries_one_reason_and_then_pauses_resumes_and_cancels(ana, task):
    url = f"/tasks/{task.pk}/do/"
    for code in ("nonsense", "\x00"):
        assert ana.post(url + "retry/", {"code": code}, **JSON).json()["code"] == "nothing_failed"
    assert ana.post(url + "retry/", {"code": "timeout"}, **JSON).json()["generation"] == 2
    assert ana.post(url + "pause/", **JSON).json()["paused"] is True
    page = ana.get(f"/tasks/{task.pk}/").content.decode()
    assert 'id="resume-button"' in page and 'id="retry-button"' not in page
    assert ana.post(url + "resume/")["Location"] == f"/tasks/{task.pk}/"
    assert ana.post(url + "cancel/", **JSON).json()["state"] == "cancelling"
    again = ana.post(url + "finalize/", follow=True).content.decode()
    assert "Only a batch that failed at the end" in again
    assert ana.post(url + "explode/").status_code == 404 and ana.get(url + "cancel/").status_code == 405


def test_a_draft_is_started_from_its_page(ana, people):
    task = fanout.create("noop", people["ana"], "Draft", {"n": 1})
    assert 'id="start-button"' in ana.get(f"/tasks/{task.pk}/").content.decode()
    assert ana.post(f"/tasks/{task.pk}/do/start/", **JSON).json()["state"] == "expanding"


@pytest.mark.parametrize("door", DOORS)
def test_somebody_elses_batch_is_not_there_and_a_stranger_logs_in_first(client, people, task, door):
    assert client.get(f"/tasks/{task.pk}/{door}")["Location"].startswith("/login/?next=/tasks/")
    assert client.get(f"/tasks/{task.pk}/{door}", **JSON).status_code == 401
    client.force_login(people["ben"])
    assert client.get(f"/tasks/{task.pk}/{door}").status_code == 404
    client.force_login(people["staff"])
    assert client.get(f"/tasks/{task.pk}/{door}").status_code == 200


@pytest.mark.parametrize("verb", VERBS)
def test_verbs_are_for_its_owner_and_staff_with_the_permission(client, people, task, verb):
    before = Task.objects.values().get(pk=task.pk)
    client.force_login(people["ben"])
    assert client.post(f"/tasks/{task.pk}/do/{verb}/").status_code == 404
    client.force_login(people["staff"])
    assert client.post(f"/tasks/{task.pk}/do/{verb}/").status_code == 403
    assert Task.objects.values().get(pk=task.pk) == before


def test_a_batch_whose_turn_will_come_names_nobody_elses(ana, task, monkeypatch):
    from tasks.observe import waiting

    Task.objects.filter(pk=task.pk).update(state="running", generation=2)
    taken = {"queue": "loud", "limit": 3, "own": 0, "tasks": [4711], "batches": "#4711"}
    monkeypatch.setattr(waiting, "reasons", lambda task: [waiting.Reason("waiting_limit", taken)])
    page = ana.get(f"/tasks/{task.pk}/").content.decode()
    assert "takes its turn" in page and "4711" not in page
