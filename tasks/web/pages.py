"""Pages of long lists: the count stops at a bound, so that a list of millions costs what a short one does."""

from __future__ import annotations

from functools import cached_property

from django.core.paginator import Paginator

#: Rows that are counted or looked at, at most; beyond, "more than" is all that a person needs to know.
CAP = 5_000


class Pages(Paginator):
    """``known``: the number of rows, where a counter of the batch has it."""

    known: int | None = None

    @cached_property
    def count(self) -> int:
        if self.known is not None:
            return self.known
        return self.object_list.order_by().values("pk")[:CAP].count()
