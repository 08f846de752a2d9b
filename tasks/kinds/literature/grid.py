"""The results of a set as a table on the page: sorted, filtered, with the columns that a person chose."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from tasks.kinds.literature import effective, flow, records
from tasks.kinds.literature.exports.table import COLUMNS
from tasks.kinds.literature.models import Pair, Report, Verdict
from tasks.kinds.literature.pairing import rows as pairs
from tasks.kinds.literature.review.rows import Act
from tasks.kinds.literature.wanted import columns

PAGE = 50
_CORRECTED = Verdict.objects.filter(paper=OuterRef("pk"), current=True, act=Act.CORRECTED)
_POSSIBLE = Pair.objects.filter(Q(left=OuterRef("pk")) | Q(right=OuterRef("pk")), decision=pairs.Decision.OPEN)
#: Rows that a press shows alone: {name: (words, condition)}.
ONLY = {
    "unreviewed": (_("not reviewed"), Q(review=None)),
    "reviewed": (_("reviewed"), Q(review__isnull=False)),
    "corrected": (_("with corrections"), Exists(_CORRECTED)),
    "possible": (_("possible duplicates"), Exists(_POSSIBLE)),
    "listed": (_("no full text"), Q(outcome="listed")),
}


def results(task, query, user=None) -> dict:
    """A page of the table: papers that were read, and references without full text.

    ``query``: ``rows`` is the page, ``sort`` a column ("-year": downwards), ``only`` a name of ONLY, ``has`` words that
    the column ``col`` must hold.
    """
    all_columns = columns.of(task, user)
    known = {column.name: column for column in all_columns}
    found = flow.items_of(task).filter(outcome__in=["succeeded", "listed"])
    only = query.get("only", "") if query.get("only", "") in ONLY else ""
    if only:
        found = found.filter(ONLY[only][1])
    words = query.get("has", "").replace("\x00", "").strip()
    column = query.get("col", "") if query.get("col", "") in {"file", *known} else "file"
    if words:
        key = column if column == "file" else known[column].key
        found = found.annotate(looked_in=effective.text(key)).filter(looked_in__icontains=words)
    sort = query.get("sort", "")
    found, sort = _sorted(found, sort, known)
    page = Paginator(found, PAGE).get_page(query.get("rows"))
    shown = [one for one in all_columns if one.shown]
    return {
        "page": page,
        "heads": [
            _head("file", _("File"), "", True, sort),
            *(_head(c.name, c.words, c.hint, c.sortable, sort) for c in shown),
        ],
        "rows": [_row(paper, shown) for paper in page],
        "all_columns": all_columns,
        "completeness": [] if (task.params or {}).get("template") else _completeness(task),
        "only": only,
        "only_words": [(name, said) for name, (said, _condition) in ONLY.items()],
        "has": words,
        "col": column,
        "filtered": bool(only or words),
        "sort": sort,
    }


def _sorted(found, sort: str, known: dict):
    name = sort.removeprefix("-")
    if name != "file" and (name not in known or not known[name].sortable):
        return found.order_by("position"), ""
    value = effective.order("file" if name == "file" else known[name].key)
    down = sort.startswith("-")
    return found.order_by(value.desc(nulls_last=True) if down else value.asc(nulls_last=True), "position"), sort


def _row(paper, shown: list) -> dict:
    record = records.record(paper)
    judged = {field["name"]: field["review"]["act"] for field in record["fields"] if "review" in field}
    cells = [(column.name, columns.cell(column, record), judged.get(column.key, "")) for column in shown]
    return {"paper": paper, "cells": cells, "reviewed": record["reviewed"], "notes": len(record["notes"])}


def _head(name: str, words: object, hint: str, sortable: bool, sort: str) -> dict:
    """A column's head: ``next`` is the order that a press on it asks for, None where it can't be sorted."""
    ordered = {name: "ascending", f"-{name}": "descending"}.get(sort, "")
    following = (f"-{name}" if sort == name else name) if sortable else None
    return {"name": name, "words": words, "hint": hint, "ordered": ordered, "next": following}


def _completeness(task) -> list[dict]:
    """Of a set that has ended: in how many of the papers read each field was found."""
    report = Report.objects.filter(task=task, generation=task.generation).first() if task.is_terminal else None
    if report is None or not report.succeeded:
        return []
    words = {name: said for name, said, _read in COLUMNS} | {"sections": _("Sections")}
    return [
        {"words": words.get(name, name), "number": number, "all": report.succeeded}
        for name, number in ((name, report.completeness.get(name, 0)) for name in flow.COUNTED)
    ]
