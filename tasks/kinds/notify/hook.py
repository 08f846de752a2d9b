"""Calls a webhook: one signed POST through the door to the network, and what each answer means.

The receiver is somebody's own server. What is wrong with it is that notice's trouble and nobody else's, so it never
feeds the queue's breaker: every trouble is Transient (tried again) or Permanent.
"""

from __future__ import annotations

import json
import time
from urllib.parse import urlsplit

from tasks.errors import Permanent, ServiceDown, Transient
from tasks.kinds.notify import addresses, signing, wished
from tasks.kinds.notify.sealing import SealBroken
from tasks.outbound import calls

ANSWER_BYTES = 64 * 1024  # nobody reads it
LONGEST_WAIT_S = 900  # of a Retry-After: a receiver can't put us off for days


async def call_hook(attempt) -> dict:
    """POST the body, signed; 2xx is success, and nothing else, no redirect either."""
    wish = await wished.of(attempt)
    host = urlsplit(wish.address).hostname or ""
    if not addresses.leads_out(wish.address):
        raise Permanent("hook_inside", host=host)
    body = json.dumps(attempt.input["body"], ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    try:
        secret = wish.secret
    except SealBroken as error:
        raise Permanent("secret_lost", str(error)) from None
    headers = signing.headers(secret, attempt.input["notice"], int(time.time()), body)
    try:
        reply = await calls.call(
            attempt, "POST", wish.address, headers=headers, content=body, redirects=0, max_bytes=ANSWER_BYTES
        )
    except ServiceDown as down:
        # The path of a webhook is often its password, so the host alone is named
        after = None if down.retry_after_s is None else min(down.retry_after_s, LONGEST_WAIT_S)
        status = down.data.get("status") or down.code.removeprefix("service_")
        raise Transient("hook_failed", f"{host}: {status}", after_s=after, host=host, status=status) from None
    except Permanent as refused:
        if refused.code == "answer_too_large":
            return {"status": 200}  # it was taken; the rest of the answer is its own affair
        if refused.code == "address_refused":
            raise Permanent("hook_inside", f"{host}: private address", host=host) from None
        status = refused.data.get("status", refused.code)
        raise Permanent("hook_refused", f"{host}: {status}", host=host, status=status) from None
    return {"status": reply.status}
