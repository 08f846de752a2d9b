"""The store of files and of the large results made from them: content-addressed, over the storage "papers".

The address of a file is its SHA-256. The same bytes are stored once, whoever gives them; a result that a worker
writes too late lands under an address that nobody reads.

What touches rows and what touches the storage are functions of their own: a storage across a network may take its
time, which no transaction and no database thread should spend waiting. Raises StorageDown when it can't be reached.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Iterator
from typing import Any, BinaryIO

from django.core.files.base import File
from django.core.files.storage import storages
from django.db import connection, transaction

from tasks.files.models import Artefact, Kept
from tasks.files.storage import PostgresStorage
from tasks.files.storage_down import StorageDown

_BLOCK = 256 * 1024


def _storage():
    return storages["papers"]


def in_database() -> bool:
    """Whether reading and writing need a database connection, and nothing else."""
    return isinstance(_storage(), PostgresStorage)


def address(sha256: str) -> str:
    """The name in the storage; a folder a hash's first two digits keeps folders listable."""
    return f"{sha256[:2]}/{sha256}"


def digest(file: BinaryIO) -> str:
    """SHA-256 of an open file from its start, as hex; reads a block at a time."""
    file.seek(0)
    seen = hashlib.sha256()
    while block := file.read(_BLOCK):
        seen.update(block)
    return seen.hexdigest()


def keep(file: BinaryIO, sha256: str) -> None:
    """Store an open file under its address unless it is there."""
    Kept.objects.bulk_create([Kept(sha256=sha256)], ignore_conflicts=True)
    put(file, sha256)


def put(file: BinaryIO | File, sha256: str) -> None:
    """The half of ``keep`` that speaks to the storage alone."""
    name = address(sha256)
    if not _storage().exists(name):
        _storage().save(name, file if isinstance(file, File) else File(file))


def forget(sha256: str) -> None:
    """Delete a file nobody refers to any more. The caller holds ``lock`` and knows that nobody does."""
    _storage().delete(address(sha256))
    Kept.objects.filter(sha256=sha256).delete()


def is_kept(sha256: str) -> bool:
    return _storage().exists(address(sha256))


def lock(sha256: str) -> None:
    """Until the end of the transaction nobody else decides whether these bytes stay."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [int(sha256[:15], 16)])


def encoded(value: Any) -> tuple[bytes, str]:
    """(the bytes of a JSON value, their SHA-256)."""
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
    return data, hashlib.sha256(data).hexdigest()


def refer(sha256: str, task_id: int | None) -> None:
    """Say that a batch needs an address whose bytes are ``put`` next: the half of storing a value that writes rows.

    Who prunes looks for the reference under the same lock, so from here on the bytes stay; and if it has just deleted
    them, this waits until it is done, and ``put`` finds them gone.
    """
    with transaction.atomic():
        lock(sha256)
        if task_id is not None:
            Artefact.objects.bulk_create([Artefact(task_id=task_id, sha256=sha256)], ignore_conflicts=True)
        Kept.objects.bulk_create([Kept(sha256=sha256)], ignore_conflicts=True)


def read_json(sha256: str) -> Any:
    """The JSON value whose bytes (``encoded``) are stored there. Raises FileNotFoundError."""
    with _storage().open(address(sha256)) as file:
        return json.load(file)


def blocks(sha256: str) -> Iterator[bytes]:
    """The bytes of a stored file, a block at a time. Raises FileNotFoundError."""
    storage = _storage()
    if hasattr(storage, "parts"):
        yield from storage.parts(address(sha256))
        return
    with storage.open(address(sha256)) as file:
        while block := file.read(_BLOCK):
            yield block


def size(sha256: str) -> int:
    """Bytes of a stored file. Raises FileNotFoundError."""
    return _storage().size(address(sha256))


def write_out(sha256: str, suffix: str = ".pdf") -> str:
    """Copy a stored file to a temporary one, for a program that wants a path; the caller removes it."""
    path = empty_copy(suffix)
    try:
        write_into(path, sha256)
    except BaseException:
        os.unlink(path)
        raise
    return path


def empty_copy(suffix: str = ".pdf") -> str:
    """Path of an empty temporary file for ``write_into``; the caller removes it."""
    descriptor, path = tempfile.mkstemp(prefix="sheaf-", suffix=suffix)
    os.close(descriptor)
    return path


def write_into(path: str, sha256: str, limit_s: float = float("inf")) -> None:
    """Copy a stored file into ``path``, which must be there: who gave up waiting has removed it. Raises
    FileNotFoundError also when what is stored are other bytes, StorageDown also after ``limit_s``."""
    until, seen = time.monotonic() + limit_s, hashlib.sha256()
    with open(path, "r+b") as copy:
        for block in blocks(sha256):
            copy.write(block)
            seen.update(block)
            if time.monotonic() > until:
                raise StorageDown("storage_down", f"not read within {limit_s:.0f} s", burns=True, detail="timeout")
    if seen.hexdigest() != sha256:
        raise FileNotFoundError(f"{sha256}: what is stored has other bytes")
