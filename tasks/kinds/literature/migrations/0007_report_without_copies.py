"""Report.failures and Report.completeness leave the code: pages count failures fresh, and report.Account has the rest.

The columns stay, with a default, until a later version drops them: processes of the version before this one still write
them while machines are replaced one by one.
"""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("literature", "0006_files_move_out")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE literature_report ALTER COLUMN failures SET DEFAULT '{}',"
                    " ALTER COLUMN completeness SET DEFAULT '{}'",
                    "ALTER TABLE literature_report ALTER COLUMN failures DROP DEFAULT,"
                    " ALTER COLUMN completeness DROP DEFAULT",
                )
            ],
            state_operations=[
                migrations.RemoveField(model_name="report", name="failures"),
                migrations.RemoveField(model_name="report", name="completeness"),
            ],
        )
    ]
