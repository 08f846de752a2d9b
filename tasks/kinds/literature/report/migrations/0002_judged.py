from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("literature_report", "0001_initial")]

    operations = [migrations.AddField("account", "judged", models.JSONField(default=dict))]
