"""A job that has ended lets go of its worker.

Otherwise deleting a worker's row, at each stop of a worker, sets worker_id to null in every job that it ever ended:
minutes for millions of them (procrastinate issue 1454). History that is older than this migration keeps its workers'
rows until retention takes it (tasks/upkeep/retention.py).
"""

from django.db import migrations

LET_GO = """
CREATE FUNCTION sheaf_job_lets_go_of_worker() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.worker_id := NULL;
    RETURN NEW;
END $$;
CREATE TRIGGER sheaf_job_lets_go_of_worker BEFORE UPDATE OF status ON procrastinate_jobs FOR EACH ROW
  WHEN (NEW.worker_id IS NOT NULL AND NEW.status IN ('succeeded', 'failed', 'cancelled', 'aborted'))
  EXECUTE FUNCTION sheaf_job_lets_go_of_worker();
"""
KEEP = """
DROP TRIGGER sheaf_job_lets_go_of_worker ON procrastinate_jobs;
DROP FUNCTION sheaf_job_lets_go_of_worker();
"""


class Migration(migrations.Migration):
    dependencies = [("tasks", "0006_retries"), ("procrastinate", "0041_post_retry_failed_job")]
    operations = [migrations.RunSQL(LET_GO, KEEP)]
