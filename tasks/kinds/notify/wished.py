"""Finds the wish behind a notice: a child's input is for staff to read, so address and secret stay in their row."""

from __future__ import annotations

from tasks.errors import Permanent
from tasks.kinds.notify.models import Notice, Wish


def find(notice_id: str) -> Wish | None:
    """The wish as it stands now; None when it was taken back."""
    notice = Notice.objects.get(pk=notice_id)
    return notice.about.wishes.select_related("by").filter(channel=notice.channel).first()


async def of(attempt) -> Wish:
    """The wish behind an attempt. Raises Permanent("notice_off")."""
    wish = await attempt.db(find, attempt.input["notice"])
    if wish is None:
        raise Permanent("notice_off")
    return wish
