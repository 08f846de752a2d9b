"""Opens zip archives from strangers, one member at a time, counting what really comes out.

    for member in members(file, limits):
        if member.refused: ...        a code of the catalogue, with member.detail
        elif member.ignored: ...      what systems leave in archives (__MACOSX, Thumbs.db): counted, not on the receipt
        else: member.file             open at its start, gone when the next member is asked for

Sizes in an archive are claims; every limit here is held against bytes read. Members are opened by their entry, never by
name, so two of one name are two. Nothing is written under a name from the archive. No Django.
"""

from __future__ import annotations

import os
import re
import stat
import struct
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from tasks.files.code_pages import decode_names

MIB = 2**20
_BLOCK = 64 * 1024
_DIRECTORY_BYTES = 64 * MIB
_ENTRY, _END, _LOCATOR, _END64 = b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x07", b"PK\x06\x06"
_ARCHIVE = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")  # of a whole one, an empty one, one part of several
_OFFICE = ("word/", "xl/", "ppt/")
_SIGNED = 100  # bytes within which an e-book or OpenDocument file names itself
_JUNK = re.compile(
    r"(?:^|/)(?:__MACOSX/.*|\._[^/]*|\.DS_Store|Thumbs\.db|desktop\.ini|\.Spotlight-V100/.*|\.Trashes/.*)$", re.I
)
_UNICODE_PATH, _ENCRYPTED, _UTF8 = 0x7075, 0x1, 0x800


@dataclass(frozen=True)
class Limits:
    """What an archive may hold, archives inside it included. Set by whoever asks.

    ``ratio``: unpacked to packed bytes of one member, counted from ``ratio_from`` bytes on. ``depth``: 1 opens
    archives in the archive, and none in those.
    """

    members: int = 10_000
    member_bytes: int = 200 * MIB
    total_bytes: int = 4096 * MIB
    ratio: int = 200
    ratio_from: int = 4 * MIB
    depth: int = 1


@dataclass
class Member:
    """One entry. ``folder`` is where it stands, archives in the archive as folders; ``copy`` is 2 for the second of one
    path; ``size`` counts the bytes that came out. Exactly one of ``file``, ``refused`` and ``ignored`` is set.
    """

    name: str
    folder: str = ""
    copy: int = 1
    size: int = 0
    file: BinaryIO | None = None
    refused: str = ""
    detail: dict = field(default_factory=dict)
    ignored: bool = False

    @property
    def path(self) -> str:
        return f"{self.folder}/{self.name}" if self.folder else self.name


class BadArchive(Exception):
    """The archive as a whole can't be used. ``code``: archive_damaged, archive_too_many, archive_overlap."""

    def __init__(self, code: str, message: str, **detail):
        super().__init__(code, message)
        self.code, self.message, self.detail = code, message, detail


@dataclass
class _Spent:
    members: int = 0
    bytes: int = 0


def members(file: BinaryIO, limits: Limits) -> Iterator[Member]:
    """Every entry of an open zip archive but folders, in its order. Raises BadArchive before the first."""
    yield from _members(file, limits, _Spent(), "", 0, Counter())


def is_left_by_a_system(name: str) -> bool:
    """Whether a file or folder is one that no person put there: hidden, or a system's own."""
    return name.startswith(".") or bool(_JUNK.search(name)) or name == "__MACOSX"


def _members(file, limits: Limits, spent: _Spent, folder: str, depth: int, seen: Counter) -> Iterator[Member]:
    archive = _opened(file, limits)
    infos = [info for info in archive.infolist() if not _is_folder(info)]
    names = _names(infos)
    _no_overlap(archive, infos)
    for info, path in zip(infos, names, strict=True):
        parts, safe = _parts(path)
        member = Member(parts[-1] if parts else "?", "/".join([*([folder] if folder else []), *parts[:-1]]))
        if _JUNK.search(path):
            member.ignored = True
            yield member
            continue
        seen[member.path] += 1
        member.copy = seen[member.path]
        spent.members += 1
        if refusal := _refusal(info, safe, limits, spent):
            member.refused, member.detail = refusal
            yield member
            if member.refused == "archive_too_many":
                return
            continue
        with tempfile.SpooledTemporaryFile(max_size=MIB) as out:
            refusal = _unpack(archive, info, out, limits, spent)
            member.size = out.tell()
            if refusal:
                member.refused, member.detail = refusal
                yield member
                continue
            if _is_archive(out, limits):
                yield from _nested(member, out, limits, spent, depth, seen)
                continue
            out.seek(0)
            member.file = out  # type: ignore[assignment]
            yield member


def _nested(member: Member, file, limits: Limits, spent: _Spent, depth: int, seen: Counter) -> Iterator[Member]:
    """The members of an archive in the archive; the archive itself only when it can't be opened."""
    if depth >= limits.depth:
        member.refused, member.detail = "archive_too_deep", {"limit": limits.depth}
        yield member
        return
    try:
        yield from _members(file, limits, spent, member.path, depth + 1, seen)
    except BadArchive as error:
        member.refused, member.detail = error.code, error.detail
        yield member


def _is_archive(file, limits: Limits) -> bool:
    """Whether a member is an archive of files. Office documents and e-books are packed too, but are one file each."""
    file.seek(0)
    head = file.read(_SIGNED)
    if not head.startswith(_ARCHIVE) or b"mimetypeapplication/" in head:
        return False
    try:
        names = _opened(file, limits).namelist()
    except BadArchive:
        return True  # refused with its reason when it is opened
    return not ("[Content_Types].xml" in names and any(name.startswith(_OFFICE) for name in names))


def _opened(file: BinaryIO, limits: Limits) -> zipfile.ZipFile:
    """The archive, once its directory is known to be of a size that may be read."""
    _directory_fits(file, limits)
    if directory_is_anothers(file):
        raise BadArchive("archive_damaged", "the archive is cut off inside another one that it holds")
    file.seek(0)
    try:
        return zipfile.ZipFile(file)
    except (
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
        ValueError,
        NotImplementedError,
        EOFError,
        struct.error,
        OSError,
    ) as error:
        raise BadArchive("archive_damaged", str(error)) from None


def _directory_fits(file: BinaryIO, limits: Limits) -> None:
    """Counts entries by their signature: the number at the end of an archive is a claim like all others."""
    end = file.seek(0, os.SEEK_END)
    start = max(0, end - 65_557 - 20)
    file.seek(start)
    tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) < at + 22:
        raise BadArchive("archive_damaged", "no end of central directory")
    size = struct.unpack("<L", tail[at + 12 : at + 16])[0]
    where = start + at - size
    if size == 0xFFFFFFFF or tail[at - 20 : at - 16] == _LOCATOR:
        before = tail.rfind(_END64, 0, at)
        if before >= 0 and len(tail) >= before + 48:
            size = struct.unpack("<Q", tail[before + 40 : before + 48])[0]
            where = start + before - size
    if size > _DIRECTORY_BYTES:
        raise BadArchive("archive_too_many", "the directory alone is too large", limit=limits.members)
    file.seek(max(0, where))
    entries = file.read(size).count(_ENTRY)
    if entries > 2 * limits.members + 1000:  # folders and leavings may come on top of what is given
        raise BadArchive("archive_too_many", f"{entries} entries", limit=limits.members, entries=entries)


def directory_is_anothers(file: BinaryIO) -> bool:
    """Whether the directory found at the end belongs to an archive inside this one, which is cut off behind it.

    Read as the inner one, the file would lose its outer members without a word. The inner directory's offset counts
    from the inner beginning, and a member stands at the very start of the file. An archive behind a program (which
    unpacks itself) has such an offset too, but does not begin with a member.
    """
    end = file.seek(0, os.SEEK_END)
    start = max(0, end - 65_557)
    file.seek(start)
    tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) < at + 22:
        return False
    size, offset = struct.unpack("<LL", tail[at + 12 : at + 20])
    file.seek(0)
    if 0xFFFFFFFF in (size, offset) or file.read(4) != _ARCHIVE[0]:
        return False
    return start + at - size != offset


def _no_overlap(archive: zipfile.ZipFile, infos: list[zipfile.ZipInfo]) -> None:
    """Entries that share their bytes make a small archive unfold without end (Fifield 2019, "A better zip bomb")."""
    places = sorted((info.header_offset, info.compress_size) for info in infos)
    for (at, size), (following, _) in zip(places, places[1:], strict=False):
        if at + 30 + size > following:
            raise BadArchive("archive_overlap", f"entries at {at} and {following} overlap")


def _is_folder(info: zipfile.ZipInfo) -> bool:
    return info.orig_filename.endswith(("/", "\\")) and not info.file_size


def _names(infos: list[zipfile.ZipInfo]) -> list[str]:
    """Paths as they were meant: UTF-8 where the entry says so, else the one code page that suits all the others."""
    known: dict[int, str] = {}
    raw: dict[int, bytes] = {}
    for n, info in enumerate(infos):
        if info.flag_bits & _UTF8:
            known[n] = info.orig_filename
            continue
        raw[n] = info.orig_filename.encode("cp437", "replace")
        if (name := _unicode_path(info.extra, raw[n])) is not None:
            known[n] = name
            del raw[n]
    known.update(zip(raw, decode_names(list(raw.values())), strict=True))
    return [known[n] for n in range(len(infos))]


def _unicode_path(extra: bytes, raw: bytes) -> str | None:
    """Info-ZIP's extra field with the name in UTF-8, valid when its checksum is that of the plain name."""
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        if kind == _UNICODE_PATH and size >= 6 and struct.unpack("<L", extra[5:9])[0] == zlib.crc32(raw):
            return extra[9 : 4 + size].decode("utf-8", "replace")
        extra = extra[4 + size :]
    return None


def _parts(path: str) -> tuple[list[str], bool]:
    """(the parts that can be shown, whether the path stays inside)."""
    plain = path.replace("\\", "/")
    unsafe = plain.startswith("/") or re.match(r"[A-Za-z]:", plain) or ".." in plain.split("/") or "\x00" in plain
    return [part for part in plain.replace("\x00", "").split("/") if part.strip() not in ("", ".", "..")], not unsafe


def _refusal(info: zipfile.ZipInfo, safe: bool, limits: Limits, spent: _Spent) -> tuple[str, dict] | None:
    mode = info.external_attr >> 16
    if spent.members > limits.members:
        return "archive_too_many", {"limit": limits.members}
    if not safe:
        return "member_outside", {"path": info.orig_filename[:200].replace("\x00", "")}
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return "member_link", {}
    if info.flag_bits & _ENCRYPTED:
        return "member_password", {}
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "member_method", {"method": info.compress_type}
    return None


def _unpack(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, out, limits: Limits, spent: _Spent
) -> tuple[str, dict] | None:
    """Copies a member; (code, detail) when it has to be given up."""
    taken = 0
    try:
        with archive.open(info) as source:
            while block := source.read(_BLOCK):
                taken += len(block)
                spent.bytes += len(block)
                if taken > limits.member_bytes:
                    return "member_too_large", {"limit_mib": limits.member_bytes // MIB}
                if spent.bytes > limits.total_bytes:
                    return "archive_too_large", {"limit_mib": limits.total_bytes // MIB}
                if taken > limits.ratio_from and taken > limits.ratio * max(1, info.compress_size):
                    return "member_bomb", {"ratio": limits.ratio}
                out.write(block)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, struct.error, RuntimeError):
        return "member_damaged", {}
    return None
