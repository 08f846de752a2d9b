"""Taking children reads an index, and few rows of it, whatever waits: 100,000 of one batch, and 10,000 batches."""

import json

import pytest
from django.db import connection

from tasks import fanout
from tasks.queueing import claim, lanes, ledger
from tasks.queueing.messages import Work
from tests.integration.engine.batches import sql

KNOWN = {"act": ["act"]}

ONE_LARGE = """
WITH t AS (INSERT INTO tasks_task (kind, title, params, priority, state, paused, sealed, total, succeeded, failed,
                                   cancelled, generation, finalize_attempts, error_code, error, log_seq, version)
           VALUES ('act', 'large', '{}', 4, 'running', false, true, 100000, 0, 0, 0, 1, 0, '', '', 0, 1) RETURNING id),
     c AS (INSERT INTO tasks_subtask (task_id, position, key, stage, queue, state, generation, attempt, lost, input,
                                      result, error_code, error, error_data)
           SELECT t.id, n, n, 'act', 'act', 'pending', 1, 0, 0, '{}', '{}', '', '', '{}'
             FROM t, generate_series(1, 100000) n)
INSERT INTO tasks_share (task_id, queue, base, step, next_tag, ready, held, epoch)
SELECT id, 'act', 0, 4, 4, true, false, 1 FROM t
"""
MANY_SMALL = """
WITH t AS (INSERT INTO tasks_task (kind, title, params, priority, state, paused, sealed, total, succeeded, failed,
                                   cancelled, generation, finalize_attempts, error_code, error, log_seq, version)
           SELECT 'act', 'small', '{}', 4, 'running', false, true, 1, 0, 0, 0, 1, 0, '', '', 0, 1
             FROM generate_series(1, 10000) RETURNING id),
     c AS (INSERT INTO tasks_subtask (task_id, position, key, stage, queue, state, generation, attempt, lost, input,
                                      result, error_code, error, error_data)
           SELECT t.id, 1, 'a', 'act', 'act', 'pending', 1, 0, 0, '{}', '{}', '', '', '{}' FROM t)
INSERT INTO tasks_share (task_id, queue, base, step, next_tag, ready, held, epoch)
SELECT id, 'act', id, 4, id + 4, true, false, 1 FROM t
"""


@pytest.fixture(params=[ONE_LARGE, MANY_SMALL], ids=["100,000 of one batch", "10,000 batches"])
def backlog(request, empty):
    fanout.ensure_queues()
    sql(request.param)
    sql("ANALYZE tasks_subtask, tasks_share, tasks_task")
    sql(claim.PLANNER)  # as on a desk's own connection
    yield
    sql("RESET ALL")


def plan_of_taking(n: int) -> list[dict]:
    """The nodes of the plan of the statement that takes n children, run for real."""
    asks = [(lanes.begin("act", "", slot, job_id=slot + 1, worker=None), 1) for slot in range(n)]
    seen = []

    def explain(execute, query, params, many, context):
        if isinstance(query, str) and "WITH open" in query:
            with connection.connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {query}", params)
                (answer,) = cursor.fetchone()
                seen.append(answer if isinstance(answer, list) else json.loads(answer))
        return execute(query, params, many, context)

    with connection.execute_wrapper(explain):
        answer = ledger.trip(Work(asks=asks), KNOWN)
    assert seen
    assert answer is not None

    def nodes(node):
        yield node
        for below in node.get("Plans", []):
            yield from nodes(below)

    return list(nodes(seen[0][0]["Plan"]))


def test_taking_reads_few_rows_of_the_two_indexes_made_for_it(backlog):
    nodes = plan_of_taking(8)
    read = {node.get("Index Name") for node in nodes}
    assert {"child_ready", "share_open"} <= read
    tables = {"tasks_subtask", "tasks_share", "tasks_task"}
    assert not [node for node in nodes if node["Node Type"] == "Seq Scan" and node["Relation Name"] in tables]
    touched = {
        node["Index Name"]: node["Actual Rows"] * node["Actual Loops"]
        for node in nodes
        if node.get("Index Name") in ("child_ready", "share_open")
    }
    assert max(touched.values()) < 500, touched
