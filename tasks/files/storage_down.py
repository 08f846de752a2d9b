"""What a storage that can't be reached means, and how long anybody waits for one.

A worker that meets it hands the paper back and tries again (``StorageDown`` is a ``ServiceDown``); a page says it with
503. Either way nothing is lost: a row names bytes only once they are stored.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from tasks.errors import ServiceDown

T = TypeVar("T")

#: Total time of one call to a storage, whatever it is doing: below the 90 s that no call may exceed.
CALL_S = 75.0
#: Of a deletion, which is decided under a lock; what could not be deleted is looked for again by the sweep.
DELETE_S = 10.0


class StorageDown(ServiceDown):
    """``code``: storage_down (away, full, slow), storage_denied (keys or rights), storage_missing (bucket, folder)."""


def within(call: Callable[[], T], limit_s: float | None = None) -> T:
    """The call's result, or StorageDown after ``limit_s``.

    Time-outs of a library count from one sign of life to the next, so a peer that drips holds a caller for ever; a
    hung network disk can't be interrupted at all. So the call has a thread of its own that is left behind when its
    time is up (a daemon: it delays no stop).
    """
    ended = threading.Event()
    answer: list = []

    def run() -> None:
        try:
            answer.append((call(), None))
        except BaseException as error:  # noqa: BLE001  raised again in the thread that waits
            answer.append((None, error))
        ended.set()

    threading.Thread(target=run, name="storage", daemon=True).start()
    limit_s = CALL_S if limit_s is None else limit_s
    if not ended.wait(limit_s):
        raise StorageDown("storage_down", f"no answer within {limit_s:g} s", burns=True, detail="timeout")
    value, error = answer[0]
    if error is not None:
        raise error
    return value
