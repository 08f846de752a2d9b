"""What is old goes, in small steps, and nothing that has not ended."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tasks import background, fanout
from tasks.log import joblog
from tasks.log.joblog import Line
from tasks.models import LogLine, SubTask, Task
from tasks.upkeep import retention
from tests.integration.engine.batches import act, fresh, sql

DAY = 86_400


@pytest.fixture(autouse=True)
def days(empty, settings):
    settings.SHEAF_KEEP_COMPLETED_DAYS = settings.SHEAF_KEEP_FAILED_DAYS = settings.SHEAF_KEEP_CANCELLED_DAYS = 1
    settings.SHEAF_KEEP_DRAFT_DAYS = settings.SHEAF_KEEP_JOBS_DAYS = 1
    return settings


def batch(children: int = 3) -> Task:
    task = act({}, repeat=children)
    for _ in background.expand(task.pk):
        pass
    return fresh(task)


def ended(days_ago: float, children: int = 3) -> Task:
    """A batch that was cancelled and finalized so many days ago."""
    task = batch(children)
    fanout.cancel(task)
    for _ in background.sweep_up(task.pk):
        pass
    assert background.finalize(task.pk, 1)
    sql(
        "UPDATE tasks_task SET finished_at = now() - make_interval(secs => %s) WHERE id = %s RETURNING id",
        days_ago * DAY,
        task.pk,
    )
    return fresh(task)


def test_an_old_batch_goes_with_its_children_and_its_log():
    old, young = ended(days_ago=2), ended(days_ago=0.5)
    retention.prune()
    assert list(Task.objects.values_list("pk", flat=True)) == [young.pk]
    assert set(SubTask.objects.values_list("task_id", flat=True)) == {young.pk}
    assert set(LogLine.objects.values_list("task_id", flat=True)) == {young.pk}
    assert old.pk != young.pk


def test_a_batch_that_has_not_been_finalized_stays_however_old_it_is():
    running, closing = batch(), batch()
    fanout.cancel(closing)
    for _ in background.sweep_up(closing.pk):
        pass
    assert fresh(closing).state == "finalizing"
    sql(
        "UPDATE tasks_task SET created_at = now() - interval '9 years', finished_at = now() - interval '9 years'"
        " RETURNING id"
    )
    retention.prune()
    assert set(Task.objects.values_list("pk", flat=True)) == {running.pk, closing.pk}


def test_nothing_goes_by_default(days):
    days.SHEAF_KEEP_COMPLETED_DAYS = days.SHEAF_KEEP_FAILED_DAYS = days.SHEAF_KEEP_CANCELLED_DAYS = 0
    days.SHEAF_KEEP_DRAFT_DAYS = 0
    task = ended(days_ago=4000)
    retention.prune()
    assert Task.objects.filter(pk=task.pk).exists()


def test_time_that_is_up_leaves_the_rest_for_the_next_round(monkeypatch):
    monkeypatch.setattr(retention, "ROWS", 1)
    task = ended(days_ago=2, children=50)
    joblog.write(Line(task.pk, f"line {n}") for n in range(20))
    assert retention.prune(budget_s=0) == 0
    assert Task.objects.filter(pk=task.pk).exists()
    assert retention.prune() >= 1
    assert not Task.objects.filter(pk=task.pk).exists()


def test_no_statement_deletes_more_than_its_share(monkeypatch):
    """Each is a transaction of its own: whoever waits for one of its rows waits for a few thousand at the most."""
    monkeypatch.setattr(retention, "ROWS", 10)
    task = ended(days_ago=2, children=25)
    joblog.write(Line(task.pk, f"line {n}") for n in range(50))
    of_log = task.log.count()
    with CaptureQueriesContext(connection) as queries:
        retention.prune()
    said = [query["sql"] for query in queries if query["sql"].lstrip().startswith("DELETE")]
    for table, n in (("tasks_logline", of_log), ("tasks_subtask", 25)):
        steps = [sql for sql in said if f"FROM {table} WHERE id IN" in sql]
        assert len(steps) == n // 10 + 1 and all("LIMIT 10" in sql for sql in steps)
    assert not Task.objects.filter(pk=task.pk).exists()


def test_a_batch_whose_failures_are_retried_meanwhile_stays():
    task = ended(days_ago=2)
    sql("UPDATE tasks_subtask SET state = 'failed' WHERE task_id = %s RETURNING id", task.pk)
    sql("UPDATE tasks_task SET failed = total, cancelled = 0 WHERE id = %s RETURNING id", task.pk)
    listed = list(retention.expired())
    fanout.retry_failed(task)
    assert [retention._forget(old, float("inf")) for old in listed] == [True]
    assert fresh(task).state == "running"
    assert SubTask.objects.filter(task=task).count() == 3


def test_jobs_that_ended_long_ago_go_and_the_open_ones_stay():
    batch()  # leaves an expand job that waits
    sql(
        "INSERT INTO procrastinate_jobs (queue_name, task_name, status) VALUES ('control', 'old', 'failed'),"
        " ('control', 'young', 'failed'), ('control', 'open', 'todo') RETURNING id"
    )
    sql(
        "UPDATE procrastinate_events SET at = now() - interval '2 days' WHERE job_id IN"
        " (SELECT id FROM procrastinate_jobs WHERE task_name IN ('old', 'open')) RETURNING id"
    )
    sql(
        "INSERT INTO procrastinate_events (job_id, type, at) SELECT id, 'failed', now() FROM procrastinate_jobs"
        " WHERE task_name = 'young' RETURNING id"
    )
    retention.prune()
    left = {name for (name,) in sql("SELECT task_name FROM procrastinate_jobs")}
    assert "old" not in left
    assert {"young", "open", "tasks.jobs.expand"} <= left
