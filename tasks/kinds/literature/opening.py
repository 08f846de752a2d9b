"""Opens what is no PDF, in a child process that may be killed: tells what it is, reads a list, unpacks an archive.

``look``, ``read_list`` and ``unpack`` run in the child: no Django there. ``open_up`` is our end of it.
"""

from __future__ import annotations

import os
from typing import Any

from asgiref.sync import async_to_sync

#: What the child may write as one file (RLIMIT_FSIZE of the isolation is 64 MiB).
MEMBER_MIB = 60
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
    for record in reading["records"]:
        record.pop("raw", None)
    return reading


def unpack(path: str, into: str, limits: dict[str, int]) -> dict:
    """Unpack an archive into the folder ``into``, each member under its number there.

    {"members": [{name, folder, copy, size, format, stored | refused, detail}], "ignored": n}, or {"refused", "detail"}
    for an archive that can't be used at all.
    """
    from tasks.kinds.literature.references import HEAD, sniff
    from tasks.kinds.literature.unpacking import BadArchive, Limits, members

    found, ignored = [], 0
    try:
        with open(path, "rb") as file:
            for member in members(file, Limits(**limits)):
                if member.ignored:
                    ignored += 1
                    continue
                one: dict[str, Any] = {
                    "name": member.name, "folder": member.folder, "copy": member.copy, "size": member.size,
                    "refused": member.refused, "detail": member.detail,
                }  # fmt: skip
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


def open_up(path: str, into: str, *, limits: dict[str, dict], timeout_s: float, memory_mib: int) -> dict:
    """{"format": ...} of the file at ``path``, with "reading" if it is a list, with what ``unpack`` gives if it is an
    archive. ``limits``: {"list": fields of references.Limits, "archive": of unpacking.Limits}. Raises IsolateError.
    """
    return async_to_sync(_open_up)(path, into, limits, timeout_s, memory_mib)


async def _open_up(path: str, into: str, limits: dict[str, dict], timeout_s: float, memory_mib: int) -> dict:
    from tasks.isolate import Isolate

    async with Isolate(size=1, memory_mib=memory_mib, modules=_MODULES) as child:
        found = await child.call(f"{__name__}:look", path, timeout_s=timeout_s)
        if found == "zip":
            return {"format": found} | await child.call(
                f"{__name__}:unpack", path, into, limits["archive"], timeout_s=timeout_s
            )
        if not _may_be_a_list(found):
            return {"format": found}
        return {
            "format": found,
            "reading": await child.call(f"{__name__}:read_list", path, limits["list"], timeout_s=timeout_s),
        }


def _may_be_a_list(name: str) -> bool:
    """Lists, and old office files: the reader of lists tells those apart and says what to do."""
    from tasks.kinds.literature.references import Format

    return Format(name).is_list or name == Format.OLE
