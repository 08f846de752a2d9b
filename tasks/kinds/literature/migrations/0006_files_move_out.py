"""The store's tables belong to the app files from here on; not a row is touched."""

from django.db import migrations

GONE = ("Chunk", "StoredFile", "Artefact", "Kept")


class Migration(migrations.Migration):
    dependencies = [("literature", "0005_pages_claimed"), ("files", "0001_files_move_in")]
    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name=name) for name in GONE])
    ]
