"""Estimates before the start what a set will take: pages, minutes and cost. The report compares them with the outcome.

Opening every file to count its pages would make the upload slow. A PDF's own page count is believed (``page_count``);
other pages are estimated from the bytes, with the bytes a page of the papers read lately. Minutes follow from the
seconds a page of those papers and from the places of the living workers. Reading runs on our own machines and costs
nothing.

Until enough papers were read: 120 KiB a page (the median of twenty open-access papers, which range from 30 to 280) and
0.1 s a page, measured on a small machine just started.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import timedelta

from django.db.models import Count, Q, Sum
from django.db.models.functions import Now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tasks.kinds.literature import record
from tasks.kinds.literature.models import Intake, Paper
from tasks.kinds.literature.report.models import Account
from tasks.models import Queue, SubTask, Task, Worker
from tasks.states import OPEN, ChildState

QUEUE = "local"
PAGE_BYTES = 120 * 1024
PAGE_S = 0.1
SETS, PAPERS = 5, 100  # the latest sets, and papers of each: bounded, however large the table is
ENOUGH = 10  # papers; fewer are no basis for an estimate
LIVING = timedelta(seconds=30)


@dataclass(frozen=True)
class Estimate:
    """``minutes`` are of this set alone; ``others`` is the number of sets that share the places. ``learned`` is the
    number of papers that the pace was measured on, ``counted`` the number whose page count is their own."""

    papers: int
    pages: int
    minutes: float
    places: int
    workers: int
    others: int
    learned: int
    cost: float = 0.0
    counted: int = 0

    def sentences(self) -> list[str]:
        """The estimate for people, the most important sentence first."""
        if not self.papers:
            return []
        minutes = max(1, round(self.minutes))
        said = [
            self._pages(),
            _("Less than a minute.")
            if self.minutes < 0.75
            else ngettext("About %(n)s minute.", "About %(n)s minutes.", minutes) % {"n": minutes},
            _("No cost: the papers are read on our own machines."),
        ]
        if not self.workers:
            said.append(_("No worker is running just now; reading begins when one is started."))
        elif self.others:
            said.append(
                ngettext(
                    "%(n)s other set is being read, so it may take longer.",
                    "%(n)s other sets are being read, so it may take longer.",
                    self.others,
                )
                % {"n": self.others}
            )
        return said

    def _pages(self) -> str:
        if self.counted == self.papers:
            return ngettext("%(n)s page.", "%(n)s pages.", self.pages) % {"n": self.pages}
        return _("About %(pages)s pages (estimated from the size of the files).") % {"pages": rounded(self.pages)}


def rounded(pages: int) -> int:
    """Rounded to two digits: more would pretend precision."""
    digits = max(0, len(str(pages)) - 2)
    return round(pages, -digits)


def of(task) -> Estimate:
    """The estimate of the papers accepted so far."""
    given = Paper.objects.filter(task=task, state=Intake.ACCEPTED)
    known = given.aggregate(
        papers=Count("pk"),
        counted=Count("pages_claimed"),
        pages=Sum("pages_claimed", default=0),
        bytes=Sum("size", filter=Q(pages_claimed=None), default=0),
    )
    page_bytes, page_s, learned = _pace()
    pages = known["pages"] + max(known["papers"] - known["counted"], round(known["bytes"] / page_bytes))
    workers, places = _places()
    others = Task.objects.filter(kind=task.kind, state__in=OPEN, paused=False).exclude(pk=task.pk).count()
    minutes = pages * page_s / min(max(1, places), max(1, known["papers"])) / 60
    minutes = round(minutes, 2)
    return Estimate(known["papers"], pages, minutes, places, workers, others, learned, counted=known["counted"])


def note(task) -> None:
    """Store the estimate when the set starts. A later run keeps the first one."""
    Account.objects.get_or_create(task=task, defaults={"estimate": asdict(of(task))})


def _pace() -> tuple[float, float, int]:
    """(bytes a page, seconds a page, number of papers measured), from the papers read lately."""
    size = pages = papers = 0
    seconds = 0.0
    sets = Task.objects.filter(kind="literature", succeeded__gt=0).order_by("-pk").values_list("pk", flat=True)
    for pk in sets[:SETS]:
        done = SubTask.objects.filter(task_id=pk, state=ChildState.SUCCEEDED).order_by("position")
        rows = done.values_list("input__size", record.stored("pages", child=""), "started_at", "finished_at")[:PAPERS]
        for one_size, one_pages, began, ended in rows:
            if one_size and one_pages and began and ended:
                size, pages, papers = size + one_size, pages + one_pages, papers + 1
                seconds += (ended - began).total_seconds()
    if papers < ENOUGH:
        return PAGE_BYTES, PAGE_S, 0
    return size / pages, max(seconds / pages, 0.001), papers


def _places() -> tuple[int, int]:
    """(living workers, papers that may be read at once); without a worker, the limit of one machine."""
    limit = Queue.objects.filter(name=QUEUE).values_list("limit", flat=True).first() or 1
    alive = Worker.objects.filter(Q(seen_at__gt=Now() - LIVING), stopping=False)
    hosts: dict[str, int] = {}
    count = 0
    for host, queues, concurrency in alive.values_list("host", "queues", "concurrency"):
        if QUEUE in queues:
            hosts[host] = min(limit, hosts.get(host, 0) + concurrency)
            count += 1
    return count, sum(hosts.values()) or limit


def took_words(seconds: float | None) -> str:
    """A duration in words; "" for None."""
    if seconds is None:
        return ""
    if seconds < 0.5:
        return _("less than a second")
    if seconds < 90:
        return ngettext("%(n)s second", "%(n)s seconds", round(seconds)) % {"n": round(seconds)}
    minutes = round(seconds / 60)
    if minutes < 120:
        return ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": minutes}
    hours = round(seconds / 3600, 1)
    return _("%(n)s hours") % {"n": f"{hours:g}"}
