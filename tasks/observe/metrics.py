"""``/metrics`` for Prometheus, guarded by a token: how much waits, runs and has ended, and whether workers live.

Off (404) while SHEAF_METRICS_TOKEN is empty. Each scrape makes about ten queries, every one bounded: depths stop at
``backlog.CAP``, sums run over batches, never over children. "oldest" counts from the making of a child that is ready.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.conf import settings
from django.db.models import Count, Sum
from django.http import Http404, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tasks.models import Finding, Queue, Task, Worker
from tasks.observe import backlog
from tasks.states import TaskState
from tasks.upkeep import transactions

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BREAKERS = ("closed", "half_open", "open")


@never_cache
@require_GET
def metrics(request):
    """200 with the figures; 401 without the right ``Authorization: Bearer <token>``; 404 when switched off."""
    token = settings.SHEAF_METRICS_TOKEN
    if not token:
        raise Http404
    if not constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {token}"):
        return HttpResponse("", status=401, headers={"WWW-Authenticate": 'Bearer realm="metrics"'})
    return HttpResponse("".join(_exposition()), content_type=CONTENT_TYPE)


def _escape(value) -> str:
    return str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _family(name: str, meaning: str, samples: Iterable[tuple[dict, float]]) -> Iterator[str]:
    """One metric in the text format: its meaning, its type, its samples."""
    yield f"# HELP sheaf_{name} {meaning}\n# TYPE sheaf_{name} gauge\n"
    for labels, value in samples:
        inside = ",".join(f'{key}="{_escape(word)}"' for key, word in labels.items())
        yield f"sheaf_{name}{{{inside}}} {value:g}\n" if inside else f"sheaf_{name} {value:g}\n"


def _exposition() -> Iterator[str]:
    yield from _queues()
    yield from _batches()
    yield from _workers()
    unseen = Finding.objects.filter(seen_by__isnull=True).order_by("code").values_list("code").annotate(n=Count("pk"))
    yield from _family(
        "findings_unseen", "What the sweep healed and nobody has seen yet.", (({"code": c}, n) for c, n in unseen)
    )
    total = Finding.objects.order_by("code").values_list("code").annotate(n=Count("pk"))
    yield from _family("findings", "What the sweep has healed.", (({"code": c}, n) for c, n in total))
    yield from _family(
        "oldest_transaction_seconds",
        "Age of the oldest open transaction; while it is open, dead rows stay.",
        [({}, transactions.oldest_s())],
    )


def _queues() -> Iterator[str]:
    queues = list(Queue.objects.all())
    depths, oldest, running = backlog.depths(), backlog.oldest_waits(), backlog.running()

    def each(value):
        return [({"queue": queue.name}, value(queue)) for queue in queues]

    yield from _family(
        "queue_depth", f"Children ready to begin, counted to {backlog.CAP}.", each(lambda q: depths.get(q.name, 0))
    )
    yield from _family(
        "queue_oldest_seconds", "Age of the oldest child that is ready.", each(lambda q: oldest.get(q.name, 0))
    )
    yield from _family("queue_in_flight", "Places in use: children that run.", each(lambda q: running.get(q.name, 0)))
    yield from _family("retries", "Attempts that ended in another one, ever.", each(lambda q: q.retries))
    yield from _family("queue_limit", "Children that may run at once.", each(lambda q: q.limit))
    yield from _family("queue_paused", "1 while staff have paused the queue.", each(lambda q: int(q.paused)))
    breakers = [({"queue": q.name, "state": state}, int(q.breaker == state)) for q in queues for state in _BREAKERS]
    yield from _family("queue_breaker", "1 for the state in which the breaker is.", breakers)
    yield from _family(
        "children_delayed", f"Children that wait for their time, counted to {backlog.CAP}.", [({}, backlog.delayed())]
    )


def _batches() -> Iterator[str]:
    counts = dict(Task.objects.order_by("state").values_list("state").annotate(n=Count("pk")))
    yield from _family("batches", "Batches by state.", [({"state": s}, counts.get(s, 0)) for s in TaskState.values])
    sums = (
        Task.objects.order_by("kind")
        .values("kind")
        .annotate(total=Sum("total"), succeeded=Sum("succeeded"), failed=Sum("failed"), cancelled=Sum("cancelled"))
    )
    settled = [({"kind": r["kind"], "state": s}, r[s]) for r in sums for s in ("succeeded", "failed", "cancelled")]
    yield from _family("children_settled", "Children that have ended, of all batches that are kept.", settled)
    yield from _family(
        "children", "Children of all batches that are kept.", [({"kind": r["kind"]}, r["total"]) for r in sums]
    )


def _workers() -> Iterator[str]:
    now, workers = timezone.now(), list(Worker.objects.order_by("host", "pid"))

    def each(value):
        return [({"host": worker.host, "pid": worker.pid}, value(worker)) for worker in workers]

    age = each(lambda w: max(0, (now - w.seen_at).total_seconds()))
    yield from _family("worker_heartbeat_age_seconds", "Since the worker was last heard of.", age)
    yield from _family("worker_places", "Children that the worker may run at once.", each(lambda w: w.concurrency))
    yield from _family("worker_stopping", "1 while the worker takes no more.", each(lambda w: int(w.stopping)))
