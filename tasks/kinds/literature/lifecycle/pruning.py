"""Forgets bytes that nothing refers to any more: papers, lists and page texts of sets that were deleted.

A few thousand addresses a round, round after round through all of them: a large archive is walked in hours, and nobody
waits behind it. What was kept within the last hour is left alone: an upload keeps its bytes before its row is there.
"""

from __future__ import annotations

import time
from datetime import timedelta

from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from tasks.kinds.literature.intake.undoing import forget_unused
from tasks.kinds.literature.models import Artefact, Kept, Paper, Source

AT_ONCE = 5000
GRACE = timedelta(hours=1)

_walked_to = ""  # where the last round of this process ended


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
    used = [Exists(kind.objects.filter(sha256=OuterRef("sha256"))) for kind in (Paper, Source, Artefact)]
    old = Kept.objects.filter(sha256__in=addresses, kept_at__lt=Now() - GRACE)
    return list(old.exclude(used[0] | used[1] | used[2]).values_list("sha256", flat=True))
