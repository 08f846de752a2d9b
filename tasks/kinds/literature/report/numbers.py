"""Counts what a set's papers hold when the last one has ended: one pass over the records, once a generation.

The flow (given = succeeded + failed + ...) is counted elsewhere (outcomes.numbers) and checked by the database itself
(models.Report). Counting again gives the same numbers.
"""

from __future__ import annotations

from collections import Counter

from django.db.models import Max, Min
from django.db.models.functions import Now

from tasks.kinds.literature import outcomes
from tasks.kinds.literature.exports.table import fact
from tasks.kinds.literature.exports.verified import is_verified
from tasks.kinds.literature.record import PARTS
from tasks.kinds.literature.report.models import Account
from tasks.states import ChildState

#: Study facts whose presence is counted beside the bibliographic parts of ``outcomes.COUNTED``.
FACTS = (
    "design", "sample_size", "groups", "country", "setting", "period", "registration", "primary_outcome", "p_values",
    "effect_sizes", "ethics", "funding", "conflicts", "data_availability",
)  # fmt: skip
#: Parts of a record that templates may ask for, counted though the report of a plain set does not say them.
MORE = ("volume", "issue", "first_page", "pmid", "pmcid", "keywords", "language", "licence")
#: Lower ends of the groups of sample sizes; each reaches up to the next.
SIZES = (1, 10, 30, 100, 300, 1000, 3000, 10_000)
#: Journals are people's own words: this many are kept, the most frequent.
JOURNALS = 200


def write_down(task) -> Account:
    """Count, and store the numbers of this generation; the same generation again writes the same row."""
    counted = {"generation": task.generation, "numbers": _count(task), "made_at": Now()}
    account, _created = Account.objects.update_or_create(task=task, defaults=counted)
    return account


class Tally:
    """Counts over records: in how many a field is, in how many of them it is verified, and of which year and so on.

    ``add`` with ``times=-1`` takes a record out again.
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
        found = {name for name in (*outcomes.COUNTED, *MORE) if record.get(name)}
        found |= {name for name in FACTS if fact(name)(record) not in (None, "")}
        found |= {field["name"] for field in fields if _is_said(field)}
        for name in found:
            self.have[name] += times
        for name in {field["name"] for field in fields if is_verified(field)}:
            self.proven[name] += times
        self.papers += times
        self.pages += times * (record.get("pages") or 0)
        self.years[str(record.get("year") or "")] += times
        self.journals[" ".join(str(record.get("journal") or "").split())] += times
        self.designs[str(fact("design")(record))] += times
        self.sizes[str(_size_group(fact("sample_size")(record)))] += times

    def numbers(self) -> dict:
        known = (*outcomes.COUNTED, *FACTS, *MORE)
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


def _is_said(field: dict) -> bool:
    """Whether a person filled in a value that no reading finds."""
    return bool(field.get("review")) and field.get("name") not in PARTS and field.get("value") not in (None, "", [])


def _count(task) -> dict:
    tally = Tally()
    done = task.children.filter(state=ChildState.SUCCEEDED).values_list("result__parse", flat=True)
    for record in done.iterator(chunk_size=100):
        tally.add(record)
    return {**tally.numbers(), "took_s": _took_s(task), "work_s": _work_s(task)}


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


def ran_s(task) -> float | None:
    """Seconds in which papers of this set were being read, all its runs together: the nights between count for nothing.

    A paper that was read again belongs to its last run alone, so an earlier run may come out a little short.
    """
    runs = task.children.filter(started_at__isnull=False, finished_at__isnull=False).order_by()
    spans = runs.values("generation").annotate(first=Min("started_at"), last=Max("finished_at"))
    seconds = []
    for one in spans:
        first = task.started_at if one["generation"] == 1 and task.started_at else one["first"]
        seconds.append(max(0.0, (one["last"] - first).total_seconds()))
    return round(sum(seconds), 1) if seconds else None


def _work_s(task) -> float:
    """Seconds that the papers of this run were being read, added up over all places."""
    run = task.children.filter(generation=task.generation, started_at__isnull=False, finished_at__isnull=False)
    spans = run.values_list("started_at", "finished_at")
    return round(sum((last - first).total_seconds() for first, last in spans.iterator(chunk_size=2000)), 1)
