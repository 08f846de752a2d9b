"""What the plain page lists of a batch: its children by state, why some failed; bounded, however many there are."""

from __future__ import annotations

from collections import Counter

from django.db.models import Q

from tasks import sentences
from tasks.models import SubTask
from tasks.states import ChildState
from tasks.web.pages import CAP, Pages

PAGE = 50
#: In a batch up to this size a search looks inside the keys; in a larger one it wants the whole key.
SEARCHED_INSIDE = 50_000


def listed(task, query) -> dict:
    """A page of children. ``query``: ``state``, ``code`` (why it failed), ``q`` (part of the key), ``page``."""
    state = query.get("state", "") if query.get("state", "") in ChildState.values else ""
    code, words = (query.get(name, "").strip()[:200] for name in ("code", "q"))
    found = SubTask.objects.filter(task=task).defer("input", "result", "error")
    if state:
        found = found.filter(state=state)
    if code:
        found = found.filter(state=ChildState.FAILED, error_code=code)
    if words:
        inside = task.total <= SEARCHED_INSIDE
        found = found.filter(Q(key__icontains=words) if inside else Q(key=words))
    pages = Pages(found.order_by("state", "position") if state or code else found.order_by("position"), PAGE)
    if not code and not words:
        pages.known = {"": task.total, "pending": None, "running": None}.get(
            state, getattr(task, state or "total", None)
        )
    page = pages.get_page(query.get("page"))
    return {
        "page": page,
        "rows": [{"child": child, "why": _why(child), "took_s": _took_s(child)} for child in page],
        "state": state,
        "state_words": ChildState(state).label if state else "",
        "code": code,
        "words": words,
    }


def _why(child) -> str:
    return sentences.sentence(child.error_code, child.error_data) if child.error_code else ""


def _took_s(child) -> float | None:
    if child.started_at is None or child.finished_at is None:
        return None
    return round((child.finished_at - child.started_at).total_seconds(), 1)


def counts(task) -> list[tuple[str, str, int | None]]:
    """(state, word, children) in the order of interest; None where no counter says it."""
    known = {name: getattr(task, name) for name in ("failed", "succeeded", "cancelled")}
    found = [(name, str(ChildState(name).label), number) for name, number in known.items() if number]
    if not task.is_terminal:
        found += [(name, str(ChildState(name).label), None) for name in ("running", "pending")]
    return found


def reasons(task) -> list[dict]:
    """Failed children by reason, the most frequent first, out of ``CAP`` of them at most."""
    if not task.failed:
        return []
    failed = SubTask.objects.filter(task=task, state=ChildState.FAILED).order_by("position")
    numbers, example = Counter(), {}
    for code, pk in failed.values_list("error_code", "pk")[:CAP]:
        numbers[code] += 1
        example.setdefault(code, pk)
    values = dict(SubTask.objects.filter(pk__in=example.values()).values_list("error_code", "error_data"))
    return [
        {"code": code, "number": number, "words": sentences.sentence(code, values.get(code))}
        for code, number in numbers.most_common()
    ]
