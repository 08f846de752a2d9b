"""The texts of the papers as Markdown files in a zip, which is sent while it is written.

``index.md`` comes last and lists every chosen paper with its file, or the reason why it has none. Names in the archive
are safe on every system: no path out of the folder, no reserved name or character, unique without regard to capitals.
"""

from __future__ import annotations

import json
import re
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from django.utils.translation import gettext as _

from tasks.files import store
from tasks.kinds.literature.exports.plain import one_line
from tasks.kinds.literature.models import Paper
from tasks.kinds.literature.outcomes import error_of
from tasks.kinds.literature.record import effective, read

CONTENT_TYPE = "application/zip"
INDEX = "index.md"
_LONGEST = 180  # bytes of one part of a path; file systems take 255, and a number may be added
_UNSAFE = re.compile(r'[<>:"|?*/\\\x00-\x1f\x7f]')
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.I)
_FRONT = ("title", "doi", "pmid", "year", "journal")


class Names:
    """Gives each paper a safe path that no other has."""

    def __init__(self):
        self._used = {INDEX}

    def path(self, folder: str, filename: str) -> str:
        stem = re.sub(r"\.pdf$", "", filename, flags=re.I)
        base = "/".join([*(safe(part) for part in folder.split("/") if part), safe(stem)])
        path, number = f"{base}.md", 1
        while path.casefold() in self._used:
            number += 1
            path = f"{base} ({number}).md"
        self._used.add(path.casefold())
        return path


def safe(part: str) -> str:
    """One part of a path that every file system accepts; never empty."""
    text = _UNSAFE.sub("_", unicodedata.normalize("NFC", part))
    text = "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
    text = text.encode()[:_LONGEST].decode(errors="ignore").strip(" .")
    return f"_{text}" if not text or _RESERVED.fullmatch(text) else text


class _Outbox:
    """A write-only file that holds the bytes of the zip until they are sent."""

    def __init__(self):
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Called by zipfile; there is nothing to flush."""

    def take(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


def _text(paper: Paper) -> str | None:
    """The paper in Markdown with a YAML head (JSON's strings are YAML's), or None when it has no text."""
    found = read(paper)
    if not found.get("artefact"):
        return None
    try:
        text = store.read_json(found["artefact"]).get("markdown")
    except FileNotFoundError:
        return None
    if not text:
        return None
    record = effective(paper)
    head = {name: record[name] for name in _FRONT if record[name]} | {"file": paper.path}
    return "\n".join(["---", *(f"{k}: {json.dumps(v, ensure_ascii=False)}" for k, v in head.items()), "---", "", text])


def _line(paper: Paper, path: str | None) -> str:
    name = re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", one_line(paper.path))
    if path:
        return f"{paper.position}. [{name}](<{path}>)"
    _code, reason = error_of(paper)
    said = one_line(reason) or _("no text is kept")
    return f"{paper.position}. {name}: {said}"


def blocks(papers: Iterable[Paper], title: str) -> Iterator[bytes]:
    """The zip in blocks, one for each paper. ``papers`` come from ``selection.chosen``."""
    outbox, names = _Outbox(), Names()
    index = [f"# {one_line(title)}", ""]
    with zipfile.ZipFile(outbox, "w", zipfile.ZIP_DEFLATED) as zipped:
        for paper in papers:
            text = _text(paper)
            path = names.path(paper.folder, paper.filename) if text is not None else None
            if path:
                made = (paper.subtask.finished_at or paper.uploaded_at).astimezone(UTC)
                _put(zipped, path, text, made)
                yield outbox.take()
            index.append(_line(paper, path))
        _put(zipped, INDEX, "\n".join([*index, ""]), datetime.now(UTC))
    yield outbox.take()


def _put(zipped: zipfile.ZipFile, path: str, text: str, made: datetime) -> None:
    entry = zipfile.ZipInfo(path, made.timetuple()[:6])
    entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
    zipped.writestr(entry, text.encode(errors="replace"))
