"""Writes down what the archive holds already, so that the pruning of what nobody refers to starts from the truth."""

from django.db import migrations

ADDRESSES = """
INSERT INTO literature_kept (sha256, kept_at)
SELECT sha256, now() FROM (
    SELECT split_part(name, '/', 2) AS sha256 FROM literature_storedfile
    UNION SELECT sha256 FROM literature_paper WHERE sha256 <> ''
) AS known WHERE length(sha256) = 64
ON CONFLICT DO NOTHING
"""
ARTEFACTS = """
INSERT INTO literature_artefact (task_id, sha256)
SELECT DISTINCT c.task_id, c.result -> 'parse' ->> 'artefact'
  FROM tasks_subtask c JOIN tasks_task t ON t.id = c.task_id AND t.kind = 'literature'
 WHERE length(c.result -> 'parse' ->> 'artefact') = 64
ON CONFLICT DO NOTHING
"""


class Migration(migrations.Migration):
    dependencies = [("literature", "0002_mixed_intake")]
    operations = [migrations.RunSQL([ADDRESSES, ARTEFACTS], migrations.RunSQL.noop)]
