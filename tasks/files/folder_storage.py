"""Papers in a folder that all machines share: each file appears whole or not at all.

Django's own storage writes under the final name, so a full disk or a crash would leave half a paper there, which the
next upload of the same bytes would take for the whole.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage

from tasks.files.storage_down import DELETE_S, StorageDown, within

_BLOCK = 256 * 1024
#: Papers are for the group that web and workers share, and for nobody else on the machine, whatever the umask.
FILE_MODE, FOLDER_MODE = 0o640, 0o750


class FolderStorage(FileSystemStorage):
    """Raises FileNotFoundError for a file that isn't there, StorageDown for a folder that isn't, or that is full."""

    def _save(self, name: str, content: File) -> str:
        within(lambda: self._guarded(lambda: self._write(Path(self.path(name)), content)))
        return name

    def _write(self, path: Path, content: File) -> None:
        self._make(path.parent)
        descriptor, unfinished = tempfile.mkstemp(prefix=".unfinished-", dir=path.parent)
        try:
            with os.fdopen(descriptor, "wb") as copy:
                content.seek(0)
                while block := content.read(_BLOCK):
                    copy.write(block)
                copy.flush()
                os.fsync(copy.fileno())  # the row that names it is committed next, and must not outlive it
            os.chmod(unfinished, FILE_MODE)  # mkstemp's 0600 would keep a worker under another name out
            os.replace(unfinished, path)
        except BaseException:
            os.unlink(unfinished)
            raise

    def _make(self, folder: Path) -> None:
        """The folders down to one that is missing. ``mkdir(parents=True)`` takes the mode for the last of them only."""
        missing = [one for one in (folder, *folder.parents) if not one.exists()]
        for one in reversed(missing):
            one.mkdir(exist_ok=True)
            one.chmod(FOLDER_MODE)

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """The name itself: the same name is the same content."""
        return name

    def parts(self, name: str) -> Iterator[bytes]:
        """The bytes of a file, a block at a time."""
        file = within(lambda: self._guarded(lambda: open(self.path(name), "rb")))
        with file:
            while block := within(lambda: self._guarded(lambda: file.read(_BLOCK))):
                yield block

    def _open(self, name: str, mode: str = "rb") -> File:
        if mode != "rb":
            raise ValueError(f"{name} can be read only, not opened with {mode!r}")
        return File(within(lambda: self._guarded(lambda: open(self.path(name), mode))), name)

    def size(self, name: str) -> int:
        return within(lambda: self._guarded(lambda: os.path.getsize(self.path(name))))

    def exists(self, name: str) -> bool:
        try:
            self.size(name)
        except FileNotFoundError:
            return False
        return True

    def delete(self, name: str) -> None:
        within(lambda: self._guarded(lambda: Path(self.path(name)).unlink(missing_ok=True)), DELETE_S)

    def _guarded(self, call):
        try:
            return call()
        except FileNotFoundError as error:
            raise error
        except OSError as error:
            code = "storage_denied" if isinstance(error, PermissionError) else "storage_down"
            raise StorageDown(code, str(error), burns=True, detail=error.strerror or type(error).__name__) from error
