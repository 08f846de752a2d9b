"""The numbers of a report with what people said since: a corrected value counts as corrected.

The closing step counts what was read, before anybody reviews. Here each judged paper is subtracted as it was read and
added as it is now, so the work grows with the review and not with the set. The result is stored in ``Account.judged``
and computed again only after a new verdict.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

from django.db.models import Count, Max
from django.utils import timezone

from tasks.kinds.literature import outcomes, record
from tasks.kinds.literature.models import Verdict
from tasks.kinds.literature.report.models import Account
from tasks.kinds.literature.report.numbers import Tally
from tasks.kinds.literature.review import effect
from tasks.kinds.literature.review.models import Act
from tasks.states import ChildState

#: The table is drawn again after each verdict; its numbers may be this old.
FRESH = timedelta(seconds=20)


def numbers_of(task, *, exact: bool = False) -> dict | None:
    """``Account.numbers`` as they are now, with ``judged_papers``, and {field: papers} ``confirmed`` and ``corrected``.

    None before the set has ended once. ``exact``: with every verdict, even the latest.
    """
    account = Account.objects.filter(task=task, generation__gt=0).first()
    if account is None:
        return None
    latest = Verdict.objects.filter(paper__task=task).aggregate(latest=Max("pk"))["latest"]
    if latest is None:
        return {**account.numbers, "confirmed": {}, "corrected": {}, "judged_papers": 0}
    kept, mark = account.judged, [account.generation, account.made_at.isoformat(), latest]
    if kept.get("mark") == mark or (not exact and kept.get("mark", [])[:2] == mark[:2] and _is_fresh(kept)):
        return kept["numbers"]
    found = _count(task, account.numbers)
    kept = {"mark": mark, "at": timezone.now().isoformat(), "numbers": found}
    Account.objects.filter(pk=account.pk).update(judged=kept)
    return found


def _is_fresh(kept: dict) -> bool:
    return timezone.now() - datetime.fromisoformat(kept["at"]) < FRESH


def _count(task, read: dict) -> dict:
    tally = Tally(read)
    counts = Verdict.objects.filter(paper__task=task, current=True).exclude(act=Act.WITHDRAWN)
    counts = counts.filter(paper__subtask__state=ChildState.SUCCEEDED)
    papers = outcomes.items_of(task).filter(pk__in=counts.values("paper"), subtask__state=ChildState.SUCCEEDED)
    judged = 0
    for paper in papers.order_by("position").iterator(chunk_size=25):
        before = record.read(paper)
        tally.add(before, -1)
        tally.add(effect.applied({"fields": [], **before}, effect.standing(paper)))
        judged += 1
    said: dict[str, Counter] = {Act.CONFIRMED: Counter(), Act.CORRECTED: Counter()}
    for name, act, number in counts.order_by().values_list("name", "act").annotate(n=Count("paper", distinct=True)):
        said[act][name] += number
    more = {"confirmed": dict(said[Act.CONFIRMED]), "corrected": dict(said[Act.CORRECTED]), "judged_papers": judged}
    return {**read, **tally.numbers(), **more}
