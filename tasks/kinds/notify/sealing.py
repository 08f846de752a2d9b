"""Secrets at rest: what signs a webhook has to be known again, so it is encrypted, not hashed.

Fernet (AES-CBC with an HMAC) under a key that is derived from SECRET_KEY, which is not in the database: a copy of the
database alone signs nothing. Secrets sealed under a key of SECRET_KEY_FALLBACKS open too, so a key can be rotated.
"""

from __future__ import annotations

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.crypto import salted_hmac

_SALT = "tasks.kinds.notify.sealing"


class SealBroken(Exception):
    """No key of this installation opens it: SECRET_KEY was changed without keeping the old one as a fallback."""


def _boxes() -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = [salted_hmac(_SALT, "secrets of webhooks", secret=key, algorithm="sha256").digest() for key in keys]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])


def seal(secret: str) -> str:
    return _boxes().encrypt(secret.encode()).decode()


def unseal(sealed: str) -> str:
    """Raises SealBroken."""
    try:
        return _boxes().decrypt(sealed.encode()).decode()
    except InvalidToken:
        raise SealBroken("sealed under a key that is not here") from None
