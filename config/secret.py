"""Keeps the SECRET_KEY of an installation that was given none: made once, stored in the data folder, owner only."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from config.env import WrongSetting


def kept_in(path: Path) -> str:
    """The key stored at `path`, made on first use.

    Several processes may start at once on an empty folder: each writes a file of its own and links it into place,
    which only the first can; all then read the same bytes.
    """
    try:
        if not path.exists():
            _make(path)
        return path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise WrongSetting(
            f"SHEAF_VAR is {str(path.parent)!r}: it must be a folder that this user may write ({error.strerror})."
        ) from None


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    mine = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(50))
    try:
        os.link(mine, path)
    except FileExistsError:
        pass  # another process was first: its key is the key
    finally:
        mine.unlink()
