"""Children, log lines, workers, lanes, findings and procrastinate's jobs: seen, linked, and not written by hand."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.utils import timezone, translation

from tasks.models import Finding, Lane, LogLine, SubTask, Worker


def html(client, address, **query):
    answer = client.get(address, query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_children_are_listed_by_state_within_their_batch(viewer, make_task):
    task = make_task(children=["failed", "succeeded"])
    make_task("Other", children=[{"state": "failed", "key": "other.pdf"}])
    page = html(viewer, "/admin/tasks/subtask/", task__id__exact=task.pk, state="failed")
    assert "paper-0.pdf" in page and "paper-1.pdf" not in page and "other.pdf" not in page


def test_a_child_says_why_it_failed_and_leads_to_its_batch_and_its_lines(viewer, make_task):
    task = make_task(children=[{"state": "failed", "error_code": "crashed"}])
    child = task.children.get()
    page = html(viewer, f"/admin/tasks/subtask/{child.pk}/change/")
    assert "Reading it crashed the reader" in page
    assert f"/admin/tasks/task/{task.pk}/change/" in page and f"subtask__id__exact={child.pk}" in page


def test_a_search_looks_inside_keys_within_a_batch_and_for_the_whole_key_elsewhere(viewer, make_task):
    task = make_task(children=["pending", "pending"])
    assert "paper-1.pdf" in html(viewer, "/admin/tasks/subtask/", task__id__exact=task.pk, q="er-1")
    page = html(viewer, "/admin/tasks/subtask/", q="er-1")
    assert "paper-1.pdf" not in page and "newest 100000 children only" in page.replace(",", "")
    assert "paper-1.pdf" in html(viewer, "/admin/tasks/subtask/", q="paper-1.pdf")


def test_log_lines_are_read_in_the_language_of_the_reader(viewer, make_task):
    task = make_task()
    LogLine.objects.create(task=task, seq=1, code="paused", data={"who": "Ada"})
    assert "Paused by Ada." in html(viewer, "/admin/tasks/logline/", task__id__exact=task.pk)
    with translation.override("en"):
        assert "Paused by Ada." in html(viewer, "/admin/tasks/logline/")


def test_lines_of_a_child_that_is_gone_are_still_shown(viewer, make_task):
    task = make_task()
    LogLine.objects.create(task=task, seq=1, text="its last words", subtask_id=987_654)
    assert "its last words" in html(viewer, "/admin/tasks/logline/", task__id__exact=task.pk)


def test_the_level_filter_shows_this_and_graver(viewer, make_task):
    task = make_task()
    for seq, level in enumerate((10, 20, 30, 40), 1):
        LogLine.objects.create(task=task, seq=seq, level=level, text=f"level {level}")
    page = html(viewer, "/admin/tasks/logline/", task__id__exact=task.pk, level=30)
    assert "level 30" in page and "level 40" in page and "level 20" not in page


def test_workers_show_their_heartbeat_and_what_they_run(viewer, make_task, lane):
    token = uuid.uuid4()
    Worker.objects.create(token=token, host="anna", pid=7, concurrency=4, queues=["press"])
    Worker.objects.create(
        token=uuid.uuid4(), host="berta", pid=8, concurrency=4, seen_at=timezone.now() - timedelta(minutes=5)
    )
    Lane.objects.filter(pk=lane.pk).update(worker=token)
    make_task(children=[{"state": "running", "lease": 1, "lane_id": lane.pk, "key": "busy.pdf"}])
    page = html(viewer, "/admin/tasks/worker/")
    child = SubTask.objects.get(key="busy.pdf")
    assert f'<a href="/admin/tasks/subtask/{child.pk}/change/">busy.pdf</a> · press' in page
    assert "1 / 4" in page and "5 min" in page
    assert "sheaf-alive" in page and "sheaf-silent" in page
    assert "busy.pdf" in html(viewer, f"/admin/tasks/worker/{token}/change/")


def test_lanes_are_listed(viewer, lane):
    assert "press/0" in html(viewer, "/admin/tasks/lane/", queue__name__exact="press")


class TestFindings:
    def test_a_finding_is_red_until_somebody_has_seen_it(self, operator, make_task):
        finding = Finding.objects.create(
            code="drift", task=make_task(), data={"before": {"failed": 3}, "after": {"failed": 4}}
        )
        page = html(operator, "/admin/tasks/finding/")
        assert "sheaf-unseen" in page and "failed 3 → failed 4" in page
        operator.post("/admin/tasks/finding/", {"action": "mark_seen", "_selected_action": [finding.pk]})
        finding.refresh_from_db()
        assert finding.seen_by == operator.person
        assert "sheaf-unseen" not in html(operator, "/admin/tasks/finding/")
        assert LogEntry.objects.get().object_id == str(finding.pk)

    def test_who_saw_it_first_stays(self, operator, person):
        finding = Finding.objects.create(code="healed", seen_by=person("ruth"))
        operator.post("/admin/tasks/finding/", {"action": "mark_seen", "_selected_action": [finding.pk]})
        finding.refresh_from_db()
        assert finding.seen_by.username == "ruth"

    def test_who_may_only_look_cannot_mark_it(self, viewer):
        finding = Finding.objects.create(code="healed")
        viewer.post("/admin/tasks/finding/", {"action": "mark_seen", "_selected_action": [finding.pk]})
        finding.refresh_from_db()
        assert finding.seen_by is None


class TestJobs:
    @pytest.fixture
    def job(self, db):
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO procrastinate_jobs (queue_name, task_name, args) "
                "VALUES ('q', 'tasks.jobs.lane', '{}') RETURNING id"
            )
            return cursor.fetchone()[0]

    @pytest.mark.parametrize("action", ["retry", "cancel", "abort"])
    def test_the_stock_actions_are_gone_even_for_a_superuser(self, admin_client, job, action):
        admin_client.post("/admin/procrastinate/procrastinatejob/", {"action": action, "_selected_action": [job]})
        with connection.cursor() as cursor:
            cursor.execute("SELECT status, abort_requested FROM procrastinate_jobs WHERE id = %s", [job])
            assert cursor.fetchone() == ("todo", False)

    def test_whoever_may_view_jobs_sees_them(self, viewer, job):
        assert "tasks.jobs.lane" in html(viewer, "/admin/procrastinate/procrastinatejob/")

    def test_staff_without_that_right_do_not(self, operator, job):
        assert operator.get("/admin/procrastinate/procrastinatejob/").status_code == 403


@pytest.mark.parametrize("model", ["task", "subtask", "logline", "worker", "lane", "finding"])
def test_rows_of_the_engine_are_not_added_by_hand(admin_client, model):
    assert admin_client.get(f"/admin/tasks/{model}/add/").status_code == 403


def test_no_page_shows_its_own_markup_as_text(admin_client, make_task, lane):
    token = uuid.uuid4()
    Worker.objects.create(token=token, host="anna", pid=7, concurrency=20, queues=["press"])
    Lane.objects.filter(pk=lane.pk).update(worker=token)
    running = {"state": "running", "lease": 1, "lane_id": lane.pk}
    task = make_task(children=[*[{**running, "key": f"r{n}"} for n in range(12)], "failed", "failed"])
    LogLine.objects.create(task=task, seq=1, code="healed", data={"before": {"failed": 1}, "after": {"failed": 2}})
    child = task.children.first().pk
    models = ("task", "subtask", "queue", "lane", "worker", "logline", "finding")
    pages = [f"{model}/" for model in models]
    pages += [f"task/{task.pk}/change/", f"subtask/{child}/change/", "queue/press/change/", f"worker/{token}/change/"]
    for page in ["/admin/", *(f"/admin/tasks/{page}" for page in pages)]:
        shown = html(admin_client, page)
        assert "&lt;p&gt;" not in shown and "&lt;a " not in shown and "&lt;span" not in shown, page
