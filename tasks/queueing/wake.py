"""Waking lanes: one procrastinate job for each idle place of a queue, never more than there is work for.

Done after commit, never inside the transaction that makes the work: a lane that is fetched before the rows are
visible finds nothing and ends. A crash between commit and wake is found by the sweep. A lane that is held gets no
second job; it asks again by itself while it lingers, and looks once more after it has said that it ends.
"""

from functools import partial

from django.conf import settings
from django.db import connection, transaction

CHANNEL = "sheaf_wake"
LANE_JOB = "tasks.jobs.lane"
#: A worker that has not been seen for this long gets no lanes of a per-machine queue.
WORKER_FRESH_S = 30

# A queue per machine has lanes on each machine where a worker that serves it lives. A queue whose time has not come
# (breaker, rate, Retry-After) is not woken: each process looks at it again when it has (heartbeat.beat).
_WAKE = """
INSERT INTO procrastinate_jobs (queue_name, task_name, lock, queueing_lock, args)
SELECT 'lane:' || place.name || place.suffix, %(job)s, place.lock, place.lock,
       jsonb_build_object('queue', place.name, 'host', place.host, 'slot', place.slot)
  FROM (SELECT q.name, h.host, n.slot, CASE WHEN h.host = '' THEN '' ELSE '@' || h.host END AS suffix,
               q.name || CASE WHEN h.host = '' THEN '' ELSE '@' || h.host END || '/' || n.slot AS lock,
               row_number() OVER (PARTITION BY q.name, h.host ORDER BY n.slot) AS nth
          FROM tasks_queue q
         CROSS JOIN LATERAL (
               SELECT '' AS host WHERE NOT q.per_host
               UNION SELECT w.host FROM tasks_worker w
                      WHERE q.per_host AND NOT w.stopping AND w.queues ? q.name
                        AND w.seen_at > now() - make_interval(secs => %(fresh)s)) h
         CROSS JOIN LATERAL generate_series(0, q."limit" - 1) AS n(slot)
          LEFT JOIN tasks_lane l ON l.queue_id = q.name AND l.host = h.host AND l.slot = n.slot
         WHERE q.name = ANY(%(queues)s) AND NOT q.paused AND l.job_id IS NULL
           AND (q.next_call_at IS NULL OR q.next_call_at < clock_timestamp() + make_interval(secs => %(linger)s))
           AND CASE q.breaker WHEN 'closed' THEN true WHEN 'open' THEN q.breaker_until <= clock_timestamp()
                    ELSE NOT EXISTS (SELECT 1 FROM tasks_subtask c
                                      WHERE c.queue = q.name AND c.state = 'running') END) place
 WHERE place.nth <= %(most)s
ON CONFLICT DO NOTHING
"""


def lane_queue(queue: str, host: str = "") -> str:
    """The procrastinate queue in which the lanes of a queue (of one machine, if per machine) wait."""
    return f"lane:{queue}@{host}" if host else f"lane:{queue}"


def now(queues, most: int | None = None) -> int:
    """Wake idle lanes of these queues, at most ``most`` each (None: all). Returns how many jobs were made.

    When none was idle, lanes that linger are told that there is work.
    """
    queues = [queues] if isinstance(queues, str) else list(queues)
    if not queues:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(
            _WAKE,
            {
                "job": LANE_JOB,
                "fresh": WORKER_FRESH_S,
                "queues": queues,
                "most": 1_000_000 if most is None else most,
                "linger": settings.SHEAF_LINGER_S,
            },
        )
        made = cursor.rowcount
        if not made:
            cursor.execute("SELECT pg_notify(%s, '')", [CHANNEL])
        return made


def after_commit(queues, most: int | None = None) -> None:
    transaction.on_commit(partial(now, queues, most))
