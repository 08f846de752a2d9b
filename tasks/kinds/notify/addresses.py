"""Which addresses may be asked for: a mailbox, a URL that leads out of the house."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator, validate_email

from tasks.errors import Refused

_LONGEST = 500


def mailbox(text: str, by) -> str:
    """The address as it will be written to. Raises Refused: mail is not set up, this is no address, or not one that
    ``by`` may have written to."""
    if not settings.SHEAF_MAIL_CONFIGURED:
        raise Refused("mail_off")
    text = text.strip()
    try:
        validate_email(text)
    except ValidationError:
        raise Refused("no_mailbox") from None
    if not may_be_written_to(text, by):
        raise Refused("not_your_mailbox")
    return text


def may_be_written_to(mailbox: str, by) -> bool:
    """One's own address, as staff have entered it with the account, or one of the house's domains: nobody can make
    this installation write to strangers."""
    own = by.email.strip().lower()
    domain = mailbox.rpartition("@")[2].lower()
    return mailbox.lower() == own or domain in {one.lower().lstrip("@") for one in settings.SHEAF_MAIL_DOMAINS}


def hook(text: str) -> str:
    """The URL as it will be called. Raises Refused: no http(s) URL, a password within it, or a host of the house."""
    text = text.strip()
    try:
        parts = urlsplit(text)
        if len(text) > _LONGEST or parts.username or parts.password or parts.hostname is None:
            raise Refused("no_hook")
        if parts.hostname not in _hosts(settings.SHEAF_WEBHOOK_PRIVATE) and f"{parts.hostname}:{parts.port}" not in (
            settings.SHEAF_WEBHOOK_PRIVATE
        ):
            URLValidator(schemes=["http", "https"])(text)
        elif parts.scheme not in ("http", "https"):
            raise Refused("no_hook")
    except (ValueError, ValidationError):
        raise Refused("no_hook") from None
    if not leads_out(text):
        raise Refused("hook_inside", host=parts.hostname)
    return text


def leads_out(url: str) -> bool:
    """False for a service of ours: SHEAF_SERVICES_PRIVATE opens the door to it for our stages, not for everybody's
    webhooks. (Other private addresses are refused by the door itself, when it has resolved the name.)"""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    port = parts.port or (443 if parts.scheme == "https" else 80)
    names = {host, f"{host}:{port}"}
    if names & _hosts(settings.SHEAF_WEBHOOK_PRIVATE):
        return True
    return not names & _hosts(settings.SHEAF_SERVICES_PRIVATE)


def _hosts(names: list[str]) -> set[str]:
    return {name.lower() for name in names}
