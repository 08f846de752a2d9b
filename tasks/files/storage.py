"""A Django storage that keeps files in PostgreSQL, so that a worker on any machine needs nothing but DATABASE_URL.

A file is a row and its chunks of 256 KB: small enough that no process holds a file whole, large enough that a
200 MB file is 800 rows. A name that exists is never written again: names are made of the content's hash.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

from django.core.files.base import File
from django.core.files.storage import Storage
from django.db import transaction

from tasks.files.models import Chunk, StoredFile

CHUNK = 256 * 1024
_MEMORY = 1024 * 1024  # a file up to this size is read back into memory, a larger one to the disk


class PostgresStorage(Storage):
    """Names are paths of at most 200 characters; ``open`` reads, ``save`` writes once."""

    def _save(self, name: str, content: File) -> str:
        """Write all or nothing; if somebody else wrote the name first, theirs stands."""
        content.seek(0)
        with transaction.atomic():
            # The second writer of a name waits here for the first one's commit, then finds the row.
            StoredFile.objects.bulk_create([StoredFile(name=name, size=content.size)], ignore_conflicts=True)
            stored = StoredFile.objects.select_for_update().get(pk=name)
            if stored.parts.exists() or stored.size == 0:
                return name
            number = 0
            while data := content.read(CHUNK):
                Chunk.objects.create(file=stored, number=number, data=data)
                number += 1
        return name

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """The name itself: the same name is the same content."""
        return name

    def parts(self, name: str) -> Iterator[bytes]:
        """The bytes of a file, a chunk at a time. Raises FileNotFoundError."""
        left = self.size(name)
        for number in range(-(-left // CHUNK)):
            data = Chunk.objects.filter(file_id=name, number=number).values_list("data", flat=True).first()
            if data is None:
                raise FileNotFoundError(f"{name}: chunk {number} is missing")
            yield bytes(data)

    def _open(self, name: str, mode: str = "rb") -> File:
        if mode != "rb":
            raise ValueError(f"{name} can be read only, not opened with {mode!r}")
        copy = tempfile.SpooledTemporaryFile(max_size=_MEMORY)
        for data in self.parts(name):
            copy.write(data)
        copy.seek(0)
        return File(copy, name)

    def delete(self, name: str) -> None:
        StoredFile.objects.filter(pk=name).delete()

    def exists(self, name: str) -> bool:
        return StoredFile.objects.filter(pk=name).exists()

    def size(self, name: str) -> int:
        size = StoredFile.objects.filter(pk=name).values_list("size", flat=True).first()
        if size is None:
            raise FileNotFoundError(name)
        return size
