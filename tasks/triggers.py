"""What the database itself does when a Task or a child changes.

- ``touch`` numbers every change of a Task and decides, at most once in 50 ms, that it is worth telling.
- ``announce`` tells it: NOTIFY carries the id and the version only. One NOTIFY takes a lock that is shared by
  the whole database until commit, so counters and log numbers are throttled here, at the source: a Task's own to one in
  50 ms, and those of all Tasks together to 100 a second, with bursts, by a sequence that says when the next would be on
  time. Without the second, sixteen busy batches had every commit wait for every other's disk (docs/adr 0009). A change
  of state always goes out. Readers look again 100 ms after a notice, and at all that they watch every second or two,
  which covers what the throttles held back.
- ``legal_moves`` and ``unfinished_stays`` refuse what no code path should ever ask for.
- ``forget`` keeps a Task's counters true when somebody deletes children by hand. It locks Tasks in id order, as all do.
"""

import pgtrigger

from tasks.states import ACTIVE, TASK_TRANSITIONS

CHANNEL = "sheaf_task"
THROTTLE_MS = 50
#: All Tasks together: a notice in so many ms, in the long run, and so many ms worth of them at once.
NOTICE_MS, BURST_MS = 10, 200

touch = pgtrigger.Trigger(
    name="touch",
    when=pgtrigger.Before,
    operation=pgtrigger.Update,
    declare=[("now_ms", "bigint"), ("due_ms", "bigint")],
    func=f"""
        NEW.version := OLD.version + 1;
        NEW.updated_at := clock_timestamp();
        IF NEW.state IS DISTINCT FROM OLD.state OR NEW.paused IS DISTINCT FROM OLD.paused THEN
            NEW.notified_at := clock_timestamp();
        ELSIF OLD.notified_at < clock_timestamp() - interval '{THROTTLE_MS} milliseconds' THEN
            now_ms := 1000 * EXTRACT(EPOCH FROM clock_timestamp());
            SELECT last_value INTO due_ms FROM tasks_notices;
            IF due_ms < now_ms + {BURST_MS} THEN
                PERFORM setval('tasks_notices', GREATEST(due_ms, now_ms) + {NOTICE_MS});
                NEW.notified_at := clock_timestamp();
            END IF;
        END IF;
        RETURN NEW;
    """,
)

announce = pgtrigger.Trigger(
    name="announce",
    when=pgtrigger.After,
    operation=pgtrigger.Update,
    condition=pgtrigger.AnyChange("notified_at"),
    func=f"PERFORM pg_notify('{CHANNEL}', NEW.id || ':' || NEW.version); RETURN NULL;",
)

announce_new = pgtrigger.Trigger(
    name="announce_new",
    when=pgtrigger.After,
    operation=pgtrigger.Insert,
    func=f"PERFORM pg_notify('{CHANNEL}', NEW.id || ':' || NEW.version); RETURN NULL;",
)

#: Asked only when the state changes: of the time of a counter's update it would take a tenth.
legal_moves = pgtrigger.FSM(
    name="legal_moves", field="state", transitions=TASK_TRANSITIONS, condition=pgtrigger.AnyChange("state")
)

unfinished_stays = pgtrigger.Protect(
    name="unfinished_stays",
    operation=pgtrigger.Delete,
    condition=pgtrigger.Q(old__state__in=[str(state) for state in ACTIVE]),
)

forget = pgtrigger.Trigger(
    name="forget",
    level=pgtrigger.Statement,
    when=pgtrigger.After,
    operation=pgtrigger.Delete,
    referencing=pgtrigger.Referencing(old="gone"),
    func="""
        PERFORM 1 FROM tasks_task WHERE id IN (SELECT task_id FROM gone) ORDER BY id FOR NO KEY UPDATE;
        UPDATE tasks_task t
           SET total = t.total - d.total, succeeded = t.succeeded - d.succeeded,
               failed = t.failed - d.failed, cancelled = t.cancelled - d.cancelled
          FROM (SELECT task_id, count(*) AS total,
                       count(*) FILTER (WHERE state = 'succeeded') AS succeeded,
                       count(*) FILTER (WHERE state = 'failed') AS failed,
                       count(*) FILTER (WHERE state = 'cancelled') AS cancelled
                  FROM gone GROUP BY task_id) d
         WHERE t.id = d.task_id;
        RETURN NULL;
    """,
)
