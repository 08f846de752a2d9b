"""The demo's two accounts: made once, with passwords made once, so that every run prints the same."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

NAMES = ("admin", "researcher")


class AccountsTaken(Exception):
    """Somebody has accounts of these names that no demo made: they stay as they are."""


def ensure(kept: Path) -> dict[str, str]:
    """{name: password} of both accounts, existing afterwards; `kept` is the file (0600) that remembers them.

    An account that exists while the file doesn't is somebody's own: raises AccountsTaken rather than change it.
    """
    passwords = _read(kept)
    strangers = [name for name in NAMES if name not in passwords and User.objects.filter(username=name).exists()]
    if strangers:
        raise AccountsTaken(
            _("An account %(name)s exists, and its password isn't in %(file)s: run the demo on a database of its own.")
            % {"name": strangers[0], "file": kept}
        )
    if set(passwords) != set(NAMES):
        passwords |= {name: secrets.token_urlsafe(12) for name in NAMES if name not in passwords}
        _write(kept, passwords)
    for name in NAMES:
        user, made = User.objects.get_or_create(username=name)
        if made or not user.check_password(passwords[name]):
            user.set_password(passwords[name])
        user.is_staff = user.is_superuser = name == "admin"
        user.save()
    return {name: passwords[name] for name in NAMES}


def _read(kept: Path) -> dict[str, str]:
    try:
        lines = kept.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    return dict(line.split(maxsplit=1) for line in lines if line.count(" ") == 1)


def _write(kept: Path, passwords: dict[str, str]) -> None:
    """In place by rename: a run that is cut short leaves the old file or the new one."""
    fresh = kept.with_suffix(".new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.writelines(f"{name} {password}\n" for name, password in passwords.items())
    fresh.rename(kept)
