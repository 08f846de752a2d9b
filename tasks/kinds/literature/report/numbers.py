"""Counts what a set's papers hold when the last one has ended: one pass over the records, once a generation.

The flow (given = succeeded + failed + ...) is counted elsewhere (flow.numbers) and checked by the database itself
(models.Report). Counting again gives the same numbers.
"""

from __future__ import annotations

from collections import Counter

from django.db.models import Max, Min
from django.db.models.functions import Now

from tasks.kinds.literature import flow
from tasks.kinds.literature.exports.table import fact
from tasks.kinds.literature.exports.verified import is_verified
from tasks.kinds.literature.report.models import Account
from tasks.states import ChildState

#: Study facts whose presence is counted beside the bibliographic parts of ``flow.COUNTED``.
FACTS = (
    "design", "sample_size", "groups", "country", "setting", "period", "registration", "primary_outcome", "p_values",
    "effect_sizes", "ethics", "funding", "conflicts", "data_availability",
)  # fmt: skip
#: Lower ends of the groups of sample sizes; each reaches up to the next.
SIZES = (1, 10, 30, 100, 300, 1000, 3000, 10_000)
#: Journals are people's own words: this many are kept, the most frequent.
JOURNALS = 200


def write_down(task) -> Account:
    """Count, and store the numbers of this generation; the same generation again writes the same row."""
    counted = {"generation": task.generation, "numbers": _count(task), "made_at": Now()}
    account, _created = Account.objects.update_or_create(task=task, defaults=counted)
    return account


def _count(task) -> dict:
    have, proven = Counter(), Counter()
    years, journals, designs, sizes = Counter(), Counter(), Counter(), Counter()
    pages = 0
    done = task.children.filter(state=ChildState.SUCCEEDED).values_list("result__parse", flat=True)
    for record in done.iterator(chunk_size=100):
        record = {"fields": [], **(record or {})}
        fields = record["fields"] = record["fields"] or []
        found = {name for name in flow.COUNTED if record.get(name)}
        have.update(found | {name for name in FACTS if fact(name)(record) not in (None, "")})
        proven.update({field["name"] for field in fields if is_verified(field)})
        pages += record.get("pages") or 0
        years[str(record.get("year") or "")] += 1
        journals[" ".join(str(record.get("journal") or "").split())] += 1
        designs[str(fact("design")(record))] += 1
        sizes[_size_group(fact("sample_size")(record))] += 1
    return {
        "have": {name: have[name] for name in (*flow.COUNTED, *FACTS)},
        "verified": {name: proven[name] for name in (*flow.COUNTED, *FACTS)},
        "years": dict(sorted(years.items())),
        "journals": dict(journals.most_common(JOURNALS)),
        "designs": dict(designs.most_common()),
        "sizes": {str(low): sizes[low] for low in (*SIZES, 0) if sizes[low]},
        "papers": sum(years.values()),
        "pages": pages,
        "took_s": _took_s(task),
        "work_s": _work_s(task),
    }


def _size_group(value: object) -> int:
    """The lower end of the group of a sample size; 0 when it is not one number."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 12:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 1:
        return 0
    return max(low for low in SIZES if low <= value)


def _took_s(task) -> float | None:
    """Seconds from the start of this run to the end of its last paper; None when nothing ran."""
    run = task.children.filter(generation=task.generation, started_at__isnull=False)
    ends = run.aggregate(first=Min("started_at"), last=Max("finished_at"))
    first = task.started_at if task.generation == 1 else ends["first"]
    if not first or not ends["last"]:
        return None
    return round(max(0.0, (ends["last"] - first).total_seconds()), 1)


def _work_s(task) -> float:
    """Seconds that the papers of this run were being read, added up over all places."""
    run = task.children.filter(generation=task.generation, started_at__isnull=False, finished_at__isnull=False)
    spans = run.values_list("started_at", "finished_at")
    return round(sum((last - first).total_seconds() for first, last in spans.iterator(chunk_size=2000)), 1)
