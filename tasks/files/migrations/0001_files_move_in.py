"""The tables of the store, which stand already: the app literature made them. Only Django's idea of them moves."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

NOW = django.db.models.functions.datetime.Now()

MODELS = [
    migrations.CreateModel(
        name="StoredFile",
        fields=[
            ("name", models.CharField(max_length=200, primary_key=True, serialize=False)),
            ("size", models.BigIntegerField()),
            ("stored_at", models.DateTimeField(db_default=NOW)),
        ],
        options={"db_table": "literature_storedfile"},
    ),
    migrations.CreateModel(
        name="Chunk",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("number", models.PositiveIntegerField()),
            ("data", models.BinaryField()),
            (
                "file",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE, related_name="parts", to="files.storedfile"
                ),
            ),
        ],
        options={
            "db_table": "literature_chunk",
            "constraints": [models.UniqueConstraint(fields=("file", "number"), name="chunk_once")],
        },
    ),
    migrations.CreateModel(
        name="Artefact",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("sha256", models.CharField(max_length=64)),
            (
                "task",
                models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE, related_name="artefacts", to="tasks.task"
                ),
            ),
        ],
        options={
            "db_table": "literature_artefact",
            "indexes": [models.Index(fields=["sha256"], name="artefact_content")],
            "constraints": [models.UniqueConstraint(fields=("task", "sha256"), name="artefact_once")],
        },
    ),
    migrations.CreateModel(
        name="Kept",
        fields=[
            ("sha256", models.CharField(max_length=64, primary_key=True, serialize=False)),
            ("kept_at", models.DateTimeField(db_default=NOW)),
        ],
        options={
            "db_table": "literature_kept",
            "indexes": [models.Index(fields=["kept_at"], name="kept_since")],
        },
    ),
]


class Migration(migrations.Migration):
    initial = True
    dependencies = [("literature", "0005_pages_claimed"), ("tasks", "0001_initial")]
    operations = [migrations.SeparateDatabaseAndState(state_operations=MODELS)]
