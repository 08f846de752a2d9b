"""The rows behind the store: what it holds, the bytes that are in PostgreSQL, and which batch needs which result.

The tables are named after the app that they came from: renaming them would break the old release's processes while a
new one is rolled out, and would gain nothing.
"""

from django.db import models
from django.db.models.functions import Now

from tasks.models import Task


class StoredFile(models.Model):
    """A file of PostgresStorage; its bytes are in the chunks."""

    name = models.CharField(primary_key=True, max_length=200)
    size = models.BigIntegerField()
    stored_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "literature_storedfile"

    def __str__(self):
        return self.name


class Chunk(models.Model):
    """At most ``storage.CHUNK`` bytes of a stored file; ``number`` counts from 0."""

    file = models.ForeignKey(StoredFile, models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        db_table = "literature_chunk"
        constraints = [models.UniqueConstraint(fields=["file", "number"], name="chunk_once")]

    def __str__(self):
        return f"{self.file_id}[{self.number}]"


class Artefact(models.Model):
    """A large result in the store, and the batch that it belongs to."""

    task = models.ForeignKey(Task, models.CASCADE, related_name="artefacts")
    sha256 = models.CharField(max_length=64)

    class Meta:
        db_table = "literature_artefact"
        constraints = [models.UniqueConstraint(fields=["task", "sha256"], name="artefact_once")]
        indexes = [models.Index(fields=["sha256"], name="artefact_content")]

    def __str__(self):
        return self.sha256


class Kept(models.Model):
    """Every address that the store holds, in whatever storage. What nothing refers to any more is found by it."""

    sha256 = models.CharField(primary_key=True, max_length=64)
    kept_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "literature_kept"
        indexes = [models.Index(fields=["kept_at"], name="kept_since")]

    def __str__(self):
        return self.sha256
