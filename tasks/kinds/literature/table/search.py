"""The rows of the results table that a query matches, in its order: for the page and for exports."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from tasks.kinds.literature import outcomes
from tasks.kinds.literature.models import Pair, Verdict
from tasks.kinds.literature.pairing.models import Decision
from tasks.kinds.literature.review.models import Act
from tasks.kinds.literature.table import effective

_CORRECTED = Verdict.objects.filter(paper=OuterRef("pk"), current=True, act=Act.CORRECTED)
_POSSIBLE = Pair.objects.filter(Q(left=OuterRef("pk")) | Q(right=OuterRef("pk")), decision=Decision.OPEN)
#: Filters of the table: {name: (words, condition)}.
ONLY = {
    "unreviewed": (_("not reviewed"), Q(review=None)),
    "reviewed": (_("reviewed"), Q(review__isnull=False)),
    "corrected": (_("with corrections"), Exists(_CORRECTED)),
    "possible": (_("possible duplicates"), Exists(_POSSIBLE)),
    "listed": (_("no full text"), Q(outcome="listed")),
}


@dataclass(frozen=True)
class Asked:
    """A checked query: ``only`` is a key of ONLY, ``words`` are looked for in ``column``; "" for what is not asked."""

    only: str
    words: str
    column: str
    sort: str

    @property
    def narrows(self) -> bool:
        return bool(self.only or self.words)


def asked(query, known: dict) -> Asked:
    """The query with unknown values left out. ``known``: {name: view.Column} of the set; ``sort`` may be "-year"."""
    only, column, sort = query.get("only", ""), query.get("col", ""), query.get("sort", "")
    name = sort.removeprefix("-")
    return Asked(
        only=only if only in ONLY else "",
        words=query.get("has", "").replace("\x00", "").strip(),
        column=column if column in {"file", *known} else "file",
        sort=sort if name == "file" or (name in known and known[name].sortable) else "",
    )


def rows(task, wish: Asked, known: dict) -> QuerySet:
    """The matching papers in the order asked for, as ``outcomes.items_of`` gives them."""
    found = outcomes.items_of(task).filter(outcome__in=outcomes.WITH_VALUES)
    if wish.only:
        found = found.filter(ONLY[wish.only][1])
    if wish.words:
        text = effective.text(_key(wish.column, known))
        found = found.annotate(looked_in=text).filter(looked_in__icontains=wish.words)
    if not wish.sort:
        return found.order_by("position")
    value = effective.order(_key(wish.sort.removeprefix("-"), known))
    down = wish.sort.startswith("-")
    return found.order_by(value.desc(nulls_last=True) if down else value.asc(nulls_last=True), "position")


def _key(name: str, known: dict) -> str:
    return name if name == "file" else known[name].key
