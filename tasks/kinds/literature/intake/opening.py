"""Opens what is no PDF, in a child process that may be killed: tells what it is, reads a list, unpacks an archive.

``look``, ``read_list`` and ``unpack`` run in the child: no Django there. ``Opener`` is our end of it.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from typing import Any

#: Of one record: no record that anybody wrote is as long, but a file without a line end may look like one.
RECORD_CHARACTERS = 500_000
#: Of all records of a list: the answer of the child has an end too.
LIST_CHARACTERS = 40_000_000
_BLOCK = 256 * 1024
_MODULES = ("tasks.kinds.literature.references",)


def look(path: str) -> str:
    """What a file is by its content: a value of references.Format."""
    from tasks.kinds.literature.references import format_of

    return str(format_of(path))


def read_list(path: str, limits: dict[str, int]) -> dict:
    """The reading of a list of references as plain values. The records' raw text stays behind: the list is kept."""
    from tasks.kinds.literature.references import read_file

    reading = read_file(path, **limits)
    kept, total = [], 0
    for record in reading["records"]:
        record.pop("raw", None)
        size = len(json.dumps(record, ensure_ascii=False))
        if size > RECORD_CHARACTERS:
            line, text = record["source_line"], str(record.get("title") or "")[:200]
            detail = {"limit": RECORD_CHARACTERS}
            reading["problems"].append(
                {"line": line, "code": "record_too_long", "severity": "unreadable", "text": text, "detail": detail}
            )
            continue
        kept.append(record)
        total += size
    if total > LIST_CHARACTERS:
        detail = {"limit_mib": LIST_CHARACTERS // 10**6}
        problem = {"line": 0, "code": "list_too_large", "severity": "refused", "text": "", "detail": detail}
        return {**reading, "records": [], "problems": [problem]}
    return {**reading, "records": kept}


def unpack(path: str, into: str, limits: dict[str, int]) -> dict:
    """Unpack an archive into the folder ``into``, each member under its number there.

    {"members": [{name, folder, copy, size, format, stored | refused, detail}], "ignored": n}, or {"refused", "detail"}
    for an archive that can't be used at all.
    """
    from tasks.files.unpacking import BadArchive, Limits, members
    from tasks.kinds.literature.references import HEAD, sniff

    found, ignored = [], 0
    try:
        with open(path, "rb") as file:
            for member in members(file, Limits(**limits)):
                if member.ignored:
                    ignored += 1
                    continue
                one: dict[str, Any] = {
                    "name": member.name,
                    "folder": member.folder,
                    "copy": member.copy,
                    "size": member.size,
                    "refused": member.refused,
                    "detail": member.detail,
                }
                if member.file is not None:
                    one["stored"] = os.path.join(into, str(len(found)))
                    with open(one["stored"], "xb") as copy:
                        while block := member.file.read(_BLOCK):
                            copy.write(block)
                    member.file.seek(0)
                    one["format"] = str(sniff(member.file.read(HEAD)))
                found.append(one)
    except BadArchive as error:
        return {"refused": error.code, "detail": error.detail}
    return {"members": found, "ignored": ignored}


class Opener:
    """Opens the files of one upload, all in one warm child: an archive may have thousands of small members, and to
    start a process takes longer than to look at one. For one thread, as a context manager.

    ``timeout_s`` is for the whole upload, an archive with all its members: what the child spends on one is gone for
    the next. ``limits``: {"list": fields of references.Limits, "archive": of unpacking.Limits}.
    """

    def __init__(self, *, limits: dict[str, dict], timeout_s: float, memory_mib: int):
        self._limits, self._left_s, self._memory_mib = limits, timeout_s, memory_mib

    def __enter__(self) -> Opener:
        from tasks.sandbox.isolate import Isolate

        self._runner = asyncio.Runner()  # a loop of our own: the child belongs to the one that it was started from
        # What a member unpacks to is written as a file, and a little more than is allowed before that is noticed
        member_mib = -(-self._limits["archive"]["member_bytes"] // 2**20) + 1
        self._child = Isolate(size=1, memory_mib=self._memory_mib, modules=_MODULES, max_file_mib=member_mib)
        return self

    def __exit__(self, *_error) -> None:
        with self._runner:
            self._runner.run(self._child.aclose())

    def open_up(self, path: str, into: str) -> dict:
        """{"format": ...} of the file at ``path``, with "reading" if it is a list, with what ``unpack`` gives if it is
        an archive. Raises IsolateError."""
        return self._runner.run(self._open_up(path, into))

    def look(self, path: str) -> str:
        """What the file at ``path`` is: a value of references.Format. Raises IsolateError."""
        return self._runner.run(self._call(look, path))

    async def _open_up(self, path: str, into: str) -> dict:
        found = await self._call(look, path)
        if found == "zip":
            return {"format": found} | await self._call(unpack, path, into, self._limits["archive"])
        if not _may_be_a_list(found):
            return {"format": found}
        return {"format": found, "reading": await self._call(read_list, path, self._limits["list"])}

    async def _call(self, function, *args) -> Any:
        from tasks.sandbox.isolate import IsolateError

        if self._left_s <= 0:
            raise IsolateError("timeout", "the time of the whole upload is spent")
        began = time.monotonic()
        try:
            return await self._child.call(f"{__name__}:{function.__name__}", *args, timeout_s=self._left_s)
        finally:
            self._left_s -= time.monotonic() - began


def _may_be_a_list(name: str) -> bool:
    """Lists, and old office files: the reader of lists tells those apart and says what to do."""
    from tasks.kinds.literature.references import Format

    return Format(name).is_list or name == Format.OLE
