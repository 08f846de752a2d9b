"""What a set will take, before it starts: pages, minutes, cost; and a note of it for the report.

Opening every file to count its pages would make the upload slow, so a PDF is believed what it says (``page_count``),
and the pages of all else are estimated from the bytes, by what a page weighed in the papers read lately. Minutes come
from how long a page took lately and from how many places the living workers have. Both say what they rest on. Reading
runs on our own machines and costs nothing.

Until something was read: 120 KiB a page (the median of twenty open-access papers; they range from 30 to 280) and
0.1 s a page, measured cold on a small machine.
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
SETS, PAPERS = 5, 100  # of so many of the latest sets, so many papers each: bounded, whatever the table holds
ENOUGH = 10  # papers; fewer say nothing about the next
LIVING = timedelta(seconds=30)


@dataclass(frozen=True)
class Estimate:
    """``minutes`` counts this set alone; ``others`` sets share the places. ``learned``: papers the pace is from;
    ``counted``: papers whose pages are by their own words."""

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
        """For people, the shortest answer first."""
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
    """Two figures at the most: more would claim to know."""
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
    """Keep the estimate with the set when it starts, for the report to compare; the first one stays."""
    Account.objects.get_or_create(task=task, defaults={"estimate": asdict(of(task))})


def _pace() -> tuple[float, float, int]:
    """(bytes a page, seconds a page, papers these are from) of the papers read lately."""
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
    """(living workers, papers that may be read at once); where no worker lives, those of one machine."""
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
    """A length of time as a person says it."""
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
