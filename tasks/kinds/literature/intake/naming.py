"""File names and folders as a set keeps them, out of what browsers, archives and systems give."""

from __future__ import annotations

import unicodedata

_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def tidy_name(filename: str) -> str:
    """The last part of a path, without control characters, at most 255 characters; never empty."""
    parts = _parts(filename)
    return shortened(parts[-1]) if parts else "?"


def tidy_folder(folder: str) -> str:
    """A folder as words between slashes: no root, no "..", at most 500 characters."""
    return "/".join(_parts(folder))[:500].rstrip("/")


def numbered(filename: str, copy: int) -> str:
    """The name of the second file of one name in one folder: "paper (2).pdf"."""
    if copy < 2:
        return filename
    stem, dot, ending = filename.rpartition(".")
    return shortened(f"{stem} ({copy}).{ending}" if dot and stem else f"{filename} ({copy})")


def shortened(name: str) -> str:
    """At most 255 characters, its ending kept."""
    if len(name) <= 255:
        return name
    stem, dot, ending = name.rpartition(".")
    return f"{stem[: 254 - len(ending)]}.{ending}" if dot and len(ending) < 20 else name[:255]


def _unseen(c: str) -> bool:
    """Control characters, line separators, and what turns the reading direction (UAX 9): "fdp.exe" reads "exe.pdf"
    after one. What only joins letters or keeps them apart belongs to words of some scripts, and stays."""
    return unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") or c in _TURNING


def _parts(path: str) -> list[str]:
    clean = "".join(c for c in unicodedata.normalize("NFC", path) if not _unseen(c))
    return [part for part in clean.replace("\\", "/").split("/") if part.strip(". ")]
