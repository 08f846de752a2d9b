"""What the ORM cannot say: the sequence of leases, how hot tables are stored, an index that procrastinate lacks.

- Task, Share and Lane rows change with every round trip of every desk: room on the page keeps their updates HOT,
  and an early autovacuum keeps the dead versions few.
- Deleting a dead worker's row sets worker_id to null in procrastinate_jobs; its only index on worker_id is partial,
  so each worker start would read the whole table (procrastinate issue 1454).
- LogLine: lines are inserted and read, never updated.
"""

from django.db import migrations

TUNE = """
CREATE SEQUENCE tasks_lease CACHE 64;
ALTER TABLE tasks_task SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);
ALTER TABLE tasks_share SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);
ALTER TABLE tasks_lane SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);
ALTER TABLE tasks_subtask SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02,
                               autovacuum_vacuum_cost_delay = 1);
ALTER TABLE tasks_logline SET (autovacuum_vacuum_insert_scale_factor = 0.05);
CREATE INDEX sheaf_jobs_worker ON procrastinate_jobs (worker_id);
"""
UNTUNE = """
DROP INDEX sheaf_jobs_worker;
DROP SEQUENCE tasks_lease;
"""


class Migration(migrations.Migration):
    dependencies = [("tasks", "0001_initial"), ("procrastinate", "0041_post_retry_failed_job")]
    operations = [migrations.RunSQL(TUNE, UNTUNE)]
