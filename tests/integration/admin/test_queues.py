"""A queue's knobs are turned while the fleet runs."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection

from tasks.models import Queue, Share
from tests.markup import flat

LIST = "/admin/tasks/queue/"


def knobs(**changed):
    """The form of one queue as a browser sends it."""
    return {"limit": 2, "deadline_s": 80, "rate_per_minute": "", **changed}


def lane_jobs():
    with connection.cursor() as cursor:
        cursor.execute("SELECT lock FROM procrastinate_jobs WHERE task_name = 'tasks.jobs.lane' ORDER BY lock")
        return [lock for (lock,) in cursor.fetchall()]


def test_the_list_shows_load_and_breaker(viewer, press, make_task):
    task = make_task(children=["running", "pending", "pending", "pending"])
    Share.objects.create(task=task, queue="press")
    (row,) = viewer.get(LIST).context["cl"].result_list
    assert (row.now_running, row.now_waiting) == (1, 3)
    assert "closed" in viewer.get(LIST).content.decode()


def test_raising_the_limit_wakes_lanes_after_the_commit(operator, press, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        answer = operator.post(f"{LIST}press/change/", knobs(limit=4))
    assert answer.status_code == 302
    assert Queue.objects.get().limit == 4
    assert lane_jobs() == ["press/0", "press/1", "press/2", "press/3"]
    assert LogEntry.objects.get().user == operator.person


def test_saving_a_form_does_not_undo_what_the_engine_moved_meanwhile(operator, press):
    def meanwhile(execute, sql, params, many, context):
        if sql.startswith('UPDATE "tasks_queue"') and "vtime" in sql:
            raise AssertionError("the form writes columns that it does not show")
        return execute(sql, params, many, context)

    Queue.objects.update(vtime=77, breaker="open", breaker_failures=5)
    with connection.execute_wrapper(meanwhile):
        operator.post(f"{LIST}press/change/", knobs(limit=3))
    queue = Queue.objects.get()
    assert (queue.limit, queue.vtime, queue.breaker, queue.breaker_failures) == (3, 77, "open", 5)


def test_the_list_itself_edits_limit_rate_and_pause(operator, press):
    form = {
        "form-TOTAL_FORMS": 1,
        "form-INITIAL_FORMS": 1,
        "form-0-name": "press",
        "form-0-limit": 5,
        "form-0-rate_per_minute": 60,
        "form-0-paused": "on",
        "_save": "Save",
    }
    assert operator.post(LIST, form).status_code == 302
    queue = Queue.objects.get()
    assert (queue.limit, queue.rate_per_minute, queue.paused) == (5, 60, True)


def test_a_deadline_over_ninety_seconds_is_refused_with_words(operator, press):
    answer = operator.post(f"{LIST}press/change/", knobs(deadline_s=91))
    assert answer.status_code == 200 and answer.context["errors"]
    assert Queue.objects.get().deadline_s == 80


class TestBreaker:
    @pytest.fixture
    def open_breaker(self, press):
        Queue.objects.update(breaker="open", breaker_reason="403 from the service", breaker_failures=3)

    def test_an_open_breaker_shows_why_and_that_a_person_is_needed(self, viewer, open_breaker):
        html = viewer.get(LIST).content.decode()
        assert "403 from the service" in html and "until a person closes it" in html

    def test_closing_it_starts_the_queue_again(self, operator, open_breaker, django_capture_on_commit_callbacks):
        with django_capture_on_commit_callbacks(execute=True):
            operator.post(LIST, {"action": "reset_breaker", "_selected_action": ["press"]})
        queue = Queue.objects.get()
        assert (queue.breaker, queue.breaker_failures, queue.breaker_reason) == ("closed", 0, "")
        assert lane_jobs() == ["press/0", "press/1"]
        assert LogEntry.objects.count() == 1

    def test_who_may_only_look_cannot_close_it(self, viewer, open_breaker):
        viewer.post(LIST, {"action": "reset_breaker", "_selected_action": ["press"]})
        assert Queue.objects.get().breaker == "open"


def test_a_list_that_was_open_for_long_puts_nothing_back(operator, press):
    """A colleague raises the limit while the list is open; what is saved from the list is the pause alone."""
    Queue.objects.update(limit=6)
    form = {
        "form-TOTAL_FORMS": 1,
        "form-INITIAL_FORMS": 1,
        "form-0-name": "press",
        "_save": "Save",
        "form-0-limit": 2,
        "initial-form-0-limit": 2,
        "form-0-rate_per_minute": "",
        "initial-form-0-rate_per_minute": "",
        "form-0-paused": "on",
        "initial-form-0-paused": "False",
    }
    assert operator.post(LIST, form).status_code == 302
    queue = Queue.objects.get()
    assert (queue.limit, queue.paused) == (6, True)


def test_the_list_carries_what_the_person_saw(operator, press):
    html = operator.get(LIST).content.decode()
    assert 'name="initial-form-0-limit" value="2"' in html


def test_an_open_breaker_is_closed_from_the_page_of_its_queue(operator, viewer, press):
    words = "Close the breaker: try the service again</button>"
    assert words not in flat(operator.get(f"{LIST}press/change/"))
    Queue.objects.update(breaker="open", breaker_reason="answered 403")
    assert words not in flat(viewer.get(f"{LIST}press/change/"))
    assert words in flat(operator.get(f"{LIST}press/change/"))
    operator.post(LIST, {"action": "reset_breaker", "_selected_action": "press"})
    assert Queue.objects.get().breaker == "closed"
