"""Staff see how a batch is doing, and act on it through the verbs."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse

from tasks.admin import reach
from tasks.models import LogLine, Queue, Share, Task
from tests.markup import flat

LIST = "/admin/tasks/task/"


def page(task):
    return reverse("admin:tasks_task_change", args=[task.pk])


def do(task, name):
    return reverse("admin:tasks_task_do", args=[task.pk, name])


def act(client, action, tasks, **more):
    return client.post(LIST, {"action": action, "_selected_action": [task.pk for task in tasks], **more}, follow=True)


def state_of(task):
    return Task.objects.get(pk=task.pk).state


def test_the_list_shows_progress_as_a_bar_and_in_words(viewer, make_task):
    make_task(children=["succeeded", "succeeded", "failed", "pending"])
    html = viewer.get(LIST).content.decode()
    assert '<progress max="100" value="75"' in html
    assert "3 of 4" in html and "1 failed" in html


def test_a_paused_batch_says_so_beside_its_state(viewer, make_task):
    make_task(children=["pending"], paused=True)
    assert "sheaf-paused" in viewer.get(LIST).content.decode()


def test_search_finds_by_number_title_and_owner(viewer, make_task, person):
    mine = make_task("Liver", owner=person("ruth"))
    make_task("Kidney")
    for asked in (str(mine.pk), "live", "ruth"):
        html = viewer.get(LIST, {"q": asked}).content.decode()
        assert f"{mine.pk} · Liver" in html and "· Kidney" not in html


@pytest.mark.parametrize("query", [{"failures": "yes"}, {"state": "failed"}, {"state__exact": "failed"}])
def test_filters_narrow_the_list(viewer, make_task, query):
    make_task("Good", children=["succeeded"], state="completed")
    make_task("Bad", children=["failed"], state="failed")
    html = viewer.get(LIST, query).content.decode()
    assert "· Bad" in html and "· Good" not in html


def test_what_is_under_way_is_one_choice(viewer, make_task):
    make_task("Drawn", state="draft")
    make_task("Works", children=["pending"])
    make_task("Closing", children=["succeeded"], state="finalizing")
    make_task("Ended", children=["succeeded"], state="completed")
    html = viewer.get(LIST, {"state": "active"}).content.decode()
    assert "· Works" in html and "· Closing" in html and "· Ended" not in html and "· Drawn" not in html


def test_the_list_says_what_stands_still_in_as_many_queries_as_for_one(
    viewer, make_task, press, django_assert_max_num_queries
):
    for n in range(30):
        Share.objects.create(task=make_task(f"Set {n}", children=["pending"]), queue="press")
    Queue.objects.update(breaker="open", breaker_reason="answered 403")
    with django_assert_max_num_queries(20):
        html = viewer.get(LIST).content.decode()
    assert html.count("until staff close its breaker. Reason: answered 403") == 30


def test_an_owner_leads_to_all_batches_of_that_person(viewer, make_task, person):
    owner = person("ruth")
    make_task("Liver", owner=owner)
    make_task("Kidney")
    assert f"?owner__id__exact={owner.pk}" in viewer.get(LIST).content.decode()
    html = viewer.get(LIST, {"owner__id__exact": owner.pk}).content.decode()
    assert "· Liver" in html and "· Kidney" not in html


def test_a_list_that_is_too_long_to_count_says_so(viewer, make_task, monkeypatch):
    make_task("One")
    make_task("Two")
    assert "2 batches" in flat(viewer.get(LIST))
    monkeypatch.setattr(reach, "CAP", 1)
    assert "More than 1 batches" in viewer.get(LIST).content.decode()


def test_the_page_of_a_batch_links_its_children_by_state_its_log_and_its_owner(operator, make_task, person):
    owner = person("ruth")
    task = make_task(children=["failed", "succeeded"], state="completed", owner=owner)
    html = operator.get(page(task)).content.decode()
    assert f"/admin/tasks/subtask/?task__id__exact={task.pk}&amp;state=failed" in html
    assert f"/admin/tasks/logline/?task__id__exact={task.pk}" in html
    assert f"/admin/auth/user/{owner.pk}/change/" in html


def test_the_page_of_a_batch_says_what_it_waits_for(viewer, make_task, press):
    task = make_task(children=["pending"], paused=True)
    assert "It is paused" in viewer.get(page(task)).content.decode()


def test_failures_are_grouped_by_reason_and_each_can_be_retried(operator, make_task):
    failed = [{"state": "failed", "error_code": code} for code in ("timeout", "timeout", "crashed")]
    task = make_task(children=failed, state="completed")
    html = operator.get(page(task)).content.decode()
    assert "Retry these: 2 × timeout" in html and "Retry these: 1 × crashed" in html
    operator.post(do(task, "retry_failed"), {"code": "timeout"})
    task.refresh_from_db()
    assert (task.state, task.generation, task.reopening) == ("running", 2, {"codes": ["timeout"]})


@pytest.mark.parametrize(
    ("action", "before", "after"),
    [
        ("pause", {"state": "running"}, {"state": "running", "paused": True}),
        ("resume", {"state": "running", "paused": True}, {"state": "running", "paused": False}),
        ("retry_failed", {"state": "completed", "children": ["failed"]}, {"state": "running", "generation": 2}),
        ("run_the_rest", {"state": "cancelled", "children": ["cancelled"]}, {"state": "running", "generation": 2}),
        ("finalize_again", {"state": "failed", "children": ["succeeded"]}, {"state": "finalizing"}),
    ],
)
def test_an_action_changes_the_batch_and_two_logs_say_who_did_it(operator, make_task, action, before, after):
    task = make_task(**{"children": ["pending"], **before})
    assert act(operator, action, [task]).status_code == 200
    task.refresh_from_db()
    assert {name: getattr(task, name) for name in after} == after
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id) == (operator.person, str(task.pk))
    if action != "finalize_again":  # its line in the batch's log comes from the closing step itself
        assert LogLine.objects.filter(task=task).latest("seq").data["who"] == "olga"


def test_cancel_asks_first_and_then_cancels(operator, make_task):
    task = make_task(children=["pending", "pending"])
    asked = act(operator, "cancel", [task])
    assert (
        "can&#x27;t be undone" in asked.content.decode() and "2 children have not ended yet" in asked.content.decode()
    )
    assert state_of(task) == "running"
    act(operator, "cancel", [task], confirmed="yes")
    assert state_of(task) == "cancelling"
    assert LogEntry.objects.count() == 1


def test_the_cancel_button_of_a_page_asks_too_even_when_posted_straight_away(operator, make_task):
    task = make_task(children=["pending"])
    for ask in (operator.get(do(task, "cancel")), operator.post(do(task, "cancel"))):
        assert "No, go back" in ask.content.decode()
    assert state_of(task) == "running"
    operator.post(do(task, "cancel"), {"confirmed": "yes"})
    assert state_of(task) == "cancelling"


def test_many_at_once_are_asked_about_whatever_the_action(operator, make_task):
    tasks = [make_task(f"Set {n}", children=["pending"]) for n in range(10)]
    asked = act(operator, "pause", tasks)
    assert "No, go back" in asked.content.decode()
    assert not Task.objects.filter(paused=True).exists()
    act(operator, "pause", tasks, confirmed="yes")
    assert Task.objects.filter(paused=True).count() == 10


def test_a_refusal_is_told_in_words_and_leaves_no_entry(operator, make_task):
    running = make_task(children=["failed", "pending"])
    html = act(operator, "retry_failed", [running]).content.decode()
    assert "This batch has not ended yet" in html
    assert not LogEntry.objects.exists()


def test_what_was_done_already_is_not_told_as_done(operator, make_task):
    task = make_task(children=["pending"], paused=True)
    html = act(operator, "pause", [task]).content.decode()
    assert "Not done for 1 batch" in html and "Paused: 1 batch" not in html
    assert not LogEntry.objects.exists()


class TestSomebodyWhoMayOnlyLook:
    def test_sees_the_batch_but_no_button_and_no_action(self, viewer, make_task):
        task = make_task(children=["pending"])
        html = viewer.get(page(task)).content.decode()
        assert "Heart papers" in html and "/do/" not in html
        assert 'value="cancel"' not in viewer.get(LIST).content.decode()

    def test_cannot_act_by_any_door(self, viewer, make_task):
        task = make_task(children=["pending"])
        act(viewer, "pause", [task])
        act(viewer, "cancel", [task], confirmed="yes")
        assert viewer.post(do(task, "cancel"), {"confirmed": "yes"}).status_code == 403
        task.refresh_from_db()
        assert (task.state, task.paused) == ("running", False)


@pytest.mark.parametrize("door", ["add/", "{pk}/delete/", "{pk}/change/"])
def test_a_superuser_cannot_write_a_batch_past_the_verbs(admin_client, make_task, door):
    task = make_task(children=["pending"])
    answer = admin_client.post(LIST + door.format(pk=task.pk), {"state": "completed", "title": "x"})
    assert answer.status_code == 403
    assert state_of(task) == "running"


def test_a_verb_needs_the_token_against_forged_requests(operator, make_task):
    task = make_task(children=["pending"])
    operator.handler.enforce_csrf_checks = True
    assert operator.post(do(task, "pause")).status_code == 403
    assert not Task.objects.get(pk=task.pk).paused
