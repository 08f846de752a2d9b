"""The words of the e-mail, and the body of the webhook: what a batch came to, and where to read more."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override


def payload(task, url: str) -> dict:
    """The body of the webhook. Made once, when the batch has ended: every try sends the same bytes."""
    return {
        "type": "batch.ended",
        "timestamp": timezone.now().isoformat(timespec="seconds"),
        "data": {
            "id": task.pk,
            "kind": task.kind,
            "title": task.title,
            "generation": task.generation,
            "state": "cancelled" if task.cancelled_at else "completed",
            "total": task.total,
            "succeeded": task.succeeded,
            "failed": task.failed,
            "cancelled": task.cancelled,
            "url": url,
        },
    }


def written(data: dict, language: str) -> tuple[str, str]:
    """(subject, text) of the e-mail about ``payload``'s data."""
    title = " ".join(data["title"].split())
    with override(language):
        if data["state"] == "cancelled":
            subject = _("Cancelled: %(title)s") % {"title": title}
        elif data["failed"]:
            subject = _("Ended, %(n)s failed: %(title)s") % {"n": data["failed"], "title": title}
        else:
            subject = _("Ended: %(title)s") % {"title": title}
        lines = [
            _("“%(title)s” has ended.") % {"title": title},
            "",
            _("%(total)s in all: %(succeeded)s succeeded, %(failed)s failed, %(cancelled)s cancelled.") % data,
            "",
            _("The report: %(url)s") % {"url": data["url"]},
            "",
            _("You get this because somebody asked Sheaf to tell this address when the batch ends."),
            "",
        ]
    return subject[:200], "\n".join(lines)
