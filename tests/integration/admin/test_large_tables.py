"""Pages of the admin cost the same among hundreds of thousands of rows as among a few.

Every SELECT of a page is explained with ANALYZE, and the rows that its plan touched are added up. That says more than
a clock on a busy machine: a COUNT(*) or a sort over the whole table would touch every row.
"""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tasks.admin import reach
from tasks.models import Queue, Share, Task

CHILDREN, OTHERS = 120_000, 40
#: What a filter without an index may look at (its window, and the page's own reads); a page with an index: far less.
WINDOW, INDEXED = 20_000, 45_000

pytestmark = pytest.mark.slow


@pytest.fixture
def large(db, monkeypatch):
    """One batch of 120,000 children with as many log lines, among 40 batches of 100."""
    yield from filled(CHILDREN, monkeypatch)


@pytest.fixture
def fairly_large(db, monkeypatch):
    """As ``large``, with a batch of 20,000: enough to take longer than a millisecond."""
    yield from filled(20_000, monkeypatch)


def filled(children, monkeypatch):
    monkeypatch.setattr(reach, "WINDOW", WINDOW)
    Queue.objects.create(name="press", limit=2)
    sizes = [children, *[100] * OTHERS]
    tasks = [
        Task(kind="words", title=f"Set {n}", state="running", sealed=True, total=size) for n, size in enumerate(sizes)
    ]
    for task, size in zip(tasks, sizes, strict=True):
        task.succeeded, task.failed = size // 4, size // 4
    tasks = Task.objects.bulk_create(tasks)
    Share.objects.bulk_create(Share(task=task, queue="press") for task in tasks)
    with connection.cursor() as cursor:
        # Half a million checks of foreign keys, which hold by construction, would take longer than all the rest
        cursor.execute("SET LOCAL session_replication_role = replica")
        for task in tasks:
            cursor.execute(
                "INSERT INTO tasks_subtask (task_id, position, key, stage, queue, state, generation, attempt, lost,"
                " input, result, error_code, error, error_data)"
                " SELECT %s, n, 'paper-' || n, 'parse', 'press',"
                " (ARRAY['succeeded', 'failed', 'pending', 'pending'])[1 + n %% 4], 1, 0, 0, '{}', '{}',"
                " CASE WHEN n %% 4 = 1 THEN 'crashed' ELSE '' END, '', '{}' FROM generate_series(0, %s) n",
                [task.pk, task.total - 1],
            )
            cursor.execute(
                "INSERT INTO tasks_logline (task_id, seq, attempt, level, code, text, data)"
                " SELECT %s, n, 0, 20 + 10 * (n %% 100 / 99), '', 'line', '{}' FROM generate_series(1, %s) n",
                [task.pk, task.total],
            )
        cursor.execute("SET LOCAL session_replication_role = origin")
        cursor.execute("ANALYZE tasks_subtask, tasks_logline, tasks_share, tasks_task")
    yield tasks[0]
    with connection.cursor() as cursor:  # a page's limit holds to the end of its transaction, which here is the test's
        cursor.execute("SET LOCAL statement_timeout = 0")


def touched(plan) -> int:
    """Rows that a plan read from tables and indexes, thrown away ones included."""
    own = 0
    if "Scan" in plan["Node Type"]:
        own = (plan.get("Actual Rows", 0) + plan.get("Rows Removed by Filter", 0)) * plan.get("Actual Loops", 1)
    return int(own) + sum(touched(part) for part in plan.get("Plans", ()))


def worst_of(client, address, **headers):
    """(rows touched, statement) of the statement of a page that touched most."""
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address, headers=headers)
        assert answer.status_code == 200, (address, answer.status_code)
    assert len(captured) <= 40, f"{address} makes {len(captured)} queries"
    worst = (0, "")
    with connection.cursor() as cursor:
        for sql in [query["sql"] for query in captured if query["sql"].lstrip().startswith("SELECT")]:
            if "set_config" in sql:
                continue
            cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + sql.replace("%", "%%"), [])
            plan = cursor.fetchone()[0]
            plan = json.loads(plan) if isinstance(plan, str) else plan
            worst = max(worst, (touched(plan[0]["Plan"]), sql))
    return worst


PAGES = [
    ("/admin/", INDEXED),
    ("/admin/tasks/task/", INDEXED),
    ("/admin/tasks/task/{pk}/change/", INDEXED),
    ("/admin/tasks/queue/", INDEXED),
    ("/admin/tasks/worker/", INDEXED),
    ("/admin/tasks/subtask/", INDEXED),
    ("/admin/tasks/subtask/?task__id__exact={pk}", INDEXED),
    ("/admin/tasks/subtask/?task__id__exact={pk}&state=failed", INDEXED),
    ("/admin/tasks/subtask/?task__id__exact={pk}&state=failed&p=40", INDEXED),
    ("/admin/tasks/subtask/?task__id__exact={pk}&q=paper-7", INDEXED),
    ("/admin/tasks/subtask/?state=running", INDEXED),
    ("/admin/tasks/subtask/?state=cancelled", WINDOW * 2),
    ("/admin/tasks/subtask/?q=paper-7", WINDOW * 2),
    ("/admin/tasks/logline/", INDEXED),
    ("/admin/tasks/logline/?task__id__exact={pk}", INDEXED),
    ("/admin/tasks/logline/?level=40", WINDOW * 2),
]


def test_no_page_reads_a_whole_table(large, admin_client, client, settings):
    """One test for all pages, since filling the tables is what takes the time."""
    settings.SHEAF_METRICS_TOKEN = "t"
    found = [(address, most, worst_of(admin_client, address.format(pk=large.pk))) for address, most in PAGES]
    found.append(("/metrics", INDEXED, worst_of(client, "/metrics", Authorization="Bearer t")))
    wrong = [f"{address}: {rows} rows: {sql[:600]}" for address, most, (rows, sql) in found if rows > most]
    assert not wrong, "\n\n".join(wrong)


def test_a_search_that_takes_too_long_ends_in_a_sentence(fairly_large, admin_client, monkeypatch):
    monkeypatch.setattr(reach, "TIMEOUT_MS", 1)
    monkeypatch.setattr(reach, "WINDOW", 10 * CHILDREN)  # reads all of it, which no machine does in a millisecond
    answer = admin_client.get("/admin/tasks/logline/", {"level": "40"})
    assert answer.status_code == 302 and answer["Location"] == "/admin/tasks/logline/"
    monkeypatch.setattr(reach, "TIMEOUT_MS", 4_000)
    assert "took too long" in admin_client.get("/admin/tasks/logline/").content.decode()
