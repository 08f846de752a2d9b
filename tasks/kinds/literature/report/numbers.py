"""Counts what the papers of a set hold, once for each generation, when the last paper has ended.

What became of the papers (given = succeeded + failed + ...) is counted in ``outcomes.numbers``, and the database checks
the sum (models.Report). Counting again gives the same numbers.
"""

from __future__ import annotations

from collections import Counter

from django.db.models import Max, Min
from django.db.models.functions import Now

from tasks.kinds.literature.exports.verified import is_verified
from tasks.kinds.literature.fields import FIELDS, PARTS, Counted, Field, fact
from tasks.kinds.literature.report.models import Account

_COUNTED = [field for field in FIELDS if field.counted is not Counted.NO]
#: Lower bounds of the groups of sample sizes; each group ends where the next begins.
SIZES = (1, 10, 30, 100, 300, 1000, 3000, 10_000)
#: Names of journals are free text; only the most frequent ones are kept.
JOURNALS = 200


def write_down(task, tally: Tally) -> Account:
    """Store the numbers of this generation; the same generation again writes the same row."""
    found = {**tally.numbers(), "took_s": _took_s(task), "work_s": _work_s(task)}
    counted = {"generation": task.generation, "numbers": found, "made_at": Now()}
    account, _created = Account.objects.update_or_create(task=task, defaults=counted)
    return account


class Tally:
    """Counts over records: how many have a field, in how many of them it is verified, and how the years, journals,
    designs and sample sizes are distributed. ``add`` with ``times=-1`` takes a record out again.
    """

    def __init__(self, numbers: dict | None = None):
        known = numbers or {}
        self.have, self.proven = Counter(known.get("have")), Counter(known.get("verified"))
        self.years, self.journals = Counter(known.get("years")), Counter(known.get("journals"))
        self.designs, self.sizes = Counter(known.get("designs")), Counter(known.get("sizes"))
        self.papers, self.pages = known.get("papers", 0), known.get("pages", 0)

    def add(self, record: dict, times: int = 1) -> None:
        record = {"fields": [], **(record or {})}
        fields = record["fields"] = record["fields"] or []
        found = {field.name for field in _COUNTED if _has(record, field)}
        found |= {field["name"] for field in fields if _is_said(field)}
        for name in found:
            self.have[name] += times
        for name in {field["name"] for field in fields if is_verified(field)}:
            self.proven[name] += times
        self.papers += times
        self.pages += times * (record.get("pages") or 0)
        self.years[str(record.get("year") or "")] += times
        self.journals[" ".join(str(record.get("journal") or "").split())] += times
        self.designs[str(fact(record, "design"))] += times
        self.sizes[str(_size_group(fact(record, "sample_size")))] += times

    def numbers(self) -> dict:
        known = [field.name for field in _COUNTED]
        more = sorted(name for name in self.have if name not in known and self.have[name] > 0)
        return {
            "have": {name: self.have[name] for name in (*known, *more)},
            "verified": {name: self.proven[name] for name in (*known, *more)},
            "years": {year: n for year, n in sorted(self.years.items()) if n > 0},
            "journals": {name: n for name, n in self.journals.most_common(JOURNALS) if n > 0},
            "designs": {name: n for name, n in self.designs.most_common() if n > 0},
            "sizes": {str(low): self.sizes[str(low)] for low in (*SIZES, 0) if self.sizes[str(low)] > 0},
            "papers": self.papers,
            "pages": self.pages,
        }


def _has(record: dict, field: Field) -> bool:
    return bool(record.get(field.name)) if field.is_part else fact(record, field.name) not in (None, "")


def _is_said(field: dict) -> bool:
    """Whether a person filled in a value that no source finds."""
    return bool(field.get("review")) and field.get("name") not in PARTS and field.get("value") not in (None, "", [])


def _size_group(value: object) -> int:
    """The lower end of the group of a sample size; 0 when it is not one number."""
    if isinstance(value, str) and value.isdecimal() and len(value) < 12:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 1:
        return 0
    return max(low for low in SIZES if low <= value)


def _took_s(task) -> float | None:
    """Seconds from the start of this run to the end of its last paper; None when no paper was read."""
    run = task.children.filter(generation=task.generation, started_at__isnull=False)
    ends = run.aggregate(first=Min("started_at"), last=Max("finished_at"))
    first = task.started_at if task.generation == 1 else ends["first"]
    if not first or not ends["last"]:
        return None
    return round(max(0.0, (ends["last"] - first).total_seconds()), 1)


def ran_s(task) -> float | None:
    """Seconds in which papers of this set were being read, over all its runs, without the time between them; None when
    no paper was read. A paper that was read again belongs to its last run, so an earlier run may come out too short.
    """
    runs = task.children.filter(started_at__isnull=False, finished_at__isnull=False).order_by()
    spans = runs.values("generation").annotate(first=Min("started_at"), last=Max("finished_at"))
    seconds = []
    for one in spans:
        first = task.started_at if one["generation"] == 1 and task.started_at else one["first"]
        seconds.append(max(0.0, (one["last"] - first).total_seconds()))
    return round(sum(seconds), 1) if seconds else None


def _work_s(task) -> float:
    """Seconds that workers spent on the papers of this run, added up over all of them."""
    run = task.children.filter(generation=task.generation, started_at__isnull=False, finished_at__isnull=False)
    spans = run.values_list("started_at", "finished_at")
    return round(sum((last - first).total_seconds() for first, last in spans.iterator(chunk_size=2000)), 1)
