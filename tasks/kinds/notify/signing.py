"""The signature of a webhook, after the Standard Webhooks specification (1.0), which libraries of most languages check.

    webhook-id         the same for every try of one notice
    webhook-timestamp  seconds since 1970, of this try
    webhook-signature  "v1," and base64 of HMAC-SHA256(secret, "{id}.{timestamp}.{body}")

The secret is "whsec_" and base64 of the key's bytes.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

PREFIX = "whsec_"
_KEY_BYTES = 24  # the specification asks for 24 to 64


def new_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(_KEY_BYTES)).decode()


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def headers(secret: str, message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """What goes with the body."""
    return {
        "content-type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature(secret, message_id, timestamp, body),
    }
