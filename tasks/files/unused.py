"""Forgets bytes that nothing refers to any more: files and results of batches that were deleted.

A file is referred to by an ``Artefact`` and by the rows of Kinds that hold its address (``refers``). A few thousand
addresses a round, round after round through all of them: a large store is walked in hours, and nobody waits behind it.
What was kept within the last hour is left alone: an upload keeps its bytes before its row is there.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from datetime import timedelta
from functools import reduce
from operator import or_

from django.apps import apps
from django.db import transaction
from django.db.models import Exists, Model, OuterRef
from django.db.models.functions import Now

from tasks.files import store
from tasks.files.models import Artefact, Kept
from tasks.files.storage_down import StorageDown

logger = logging.getLogger(__name__)

AT_ONCE = 5000
GRACE = timedelta(hours=1)
_LOCKS = 100  # advisory locks of one transaction: the server has room for some thousands in all

_referring: set[str] = set()
_walked_to = ""  # where the last round of this process ended


def refers(model: str) -> None:
    """Say that rows of a model ("app.Model") hold addresses in an indexed column ``sha256``, so that their bytes stay.

    Called from ``AppConfig.ready``: every process that may forget bytes has to know all who need them.
    """
    _referring.add(model)


def _models() -> list[type[Model]]:
    return [Artefact, *(apps.get_model(model) for model in sorted(_referring))]


def forget_unused(addresses: Iterable[str]) -> int:
    """Delete the bytes that nothing refers to; how many. Sorted: two who lock several can't block each other.

    What a storage that is away keeps for now is found again by ``forget_orphans``.
    """
    try:
        return _forget_unused(sorted(addresses))
    except StorageDown as down:
        logger.warning("Unused files stay in the storage for now: %s", down.message)
        return 0


def _forget_unused(addresses: list[str]) -> int:
    gone = 0
    for start in range(0, len(addresses), _LOCKS):
        with transaction.atomic():
            for sha256 in addresses[start : start + _LOCKS]:
                store.lock(sha256)
                if not any(model.objects.filter(sha256=sha256).exists() for model in _models()):
                    store.forget(sha256)
                    gone += 1
    return gone


def forget_orphans(until: float) -> int:
    """Walk on until ``until`` (time.monotonic) or the end; how many files went."""
    global _walked_to
    gone = 0
    while time.monotonic() < until:
        part = list(
            Kept.objects.filter(sha256__gt=_walked_to).order_by("sha256").values_list("sha256", flat=True)[:AT_ONCE]
        )
        gone += forget_unused(_unused(part))
        _walked_to = part[-1] if len(part) == AT_ONCE else ""
        if not _walked_to:
            break
    return gone


def _unused(addresses: list[str]) -> list[str]:
    """Those that nothing refers to; asked again under the lock before anything is deleted."""
    used = reduce(or_, (Exists(model.objects.filter(sha256=OuterRef("sha256"))) for model in _models()))
    old = Kept.objects.filter(sha256__in=addresses, kept_at__lt=Now() - GRACE)
    return list(old.exclude(used).values_list("sha256", flat=True))
