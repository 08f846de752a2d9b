"""One page of the results table of a set: sorted, filtered, with the columns that a person chose."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.utils.translation import gettext_lazy as _

from tasks.kinds.literature.fields import COUNTED, LISTED, NAMED
from tasks.kinds.literature.models import Intake
from tasks.kinds.literature.record import effective
from tasks.kinds.literature.report import judged
from tasks.kinds.literature.review import progress
from tasks.kinds.literature.sentences import FIELD_WORDS
from tasks.kinds.literature.table import search, view
from tasks.kinds.literature.table.search import ONLY

PAGE = 50


def results(task, query, user=None) -> dict:
    """A page of the table: papers that were read, and references without full text.

    ``query``: ``rows`` is the page, ``sort`` a column ("-year": downwards), ``only`` a name of ONLY, ``has`` words that
    the column ``col`` must hold; ``empty=1`` shows the columns too that hold nothing in any paper.
    """
    all_columns = view.of(task, user)
    known = {column.name: column for column in all_columns}
    wish = search.asked(query, known)
    page = Paginator(search.rows(task, wish, known), PAGE).get_page(query.get("rows"))
    found = [(paper, effective(paper)) for paper in page]
    numbers = judged.numbers_of(task) if task.is_terminal else None
    whole = [record for _paper, record in found] if page.paginator.num_pages == 1 and not wish.narrows else None
    empty = _empty(task, all_columns, numbers, whole)
    hidden = empty if query.get("empty") != "1" else set()
    shown = [one for one in all_columns if one.shown and one.name not in hidden]
    return {
        "page": page,
        "heads": [
            _head("file", _("File"), "", True, wish.sort),
            *(_head(c.name, c.words, c.hint, c.sortable, wish.sort) for c in shown),
        ],
        "rows": [_row(paper, record, shown) for paper, record in found],
        "all_columns": all_columns,
        "empty": len(empty),
        "empty_words": ", ".join(str(known[name].words) for name in known if name in empty),
        "empty_shown": bool(empty) and not hidden,
        "completeness": [] if (task.params or {}).get("template") else _completeness(numbers),
        "only": wish.only,
        "only_words": [(name, said) for name, (said, _condition) in ONLY.items()],
        "has": wish.words,
        "col": wish.column,
        "filtered": wish.narrows,
        **progress.of(task),
        "next_open": progress.next_open(task),
        "sort": wish.sort,
    }


def matching_ids(task, query) -> list[int]:
    """The ids of all papers that the table's filter matches, on every page, in the table's order."""
    known = {column.name: column for column in view.of(task)}
    return list(search.rows(task, search.asked(query, known), known).values_list("pk", flat=True))


def _empty(task, all_columns: list, numbers: dict | None, whole: list[dict] | None) -> set[str]:
    """Names of columns that are empty in every paper, and that nobody asked for.

    Once a set has ended, the report's counts tell; they cover the papers that were read, so fields that a reference
    list may fill are left out. Before the end only a table of one page can tell.
    """
    asked = [column for column in all_columns if column.shown and not column.chosen]
    if numbers is not None:
        said = LISTED if task.papers.filter(state=Intake.LISTED).exists() else ()
        return {c.name for c in asked if c.key not in said and numbers["have"].get(c.key, 1) == 0}
    if whole:
        return {column.name for column in asked if not any(view.cell(column, record) for record in whole)}
    return set()


def _row(paper, record: dict, shown: list) -> dict:
    acts = {field["name"]: field["review"]["act"] for field in record["fields"] if "review" in field}
    cells = [(column, view.cell(column, record), acts.get(column.key, "")) for column in shown]
    cells = [(column.name, said, act, "" if act else view.remark(column, said)) for column, said, act in cells]
    return {"paper": paper, "cells": cells, "reviewed": record["reviewed"], "notes": len(record["notes"])}


def _head(name: str, words: object, hint: str, sortable: bool, sort: str) -> dict:
    """A column's head. ``next`` is the order that a click on it asks for; None when it can't be sorted."""
    ordered = {name: "ascending", f"-{name}": "descending"}.get(sort, "")
    following = (f"-{name}" if sort == name else name) if sortable else None
    return {"name": name, "words": words, "hint": hint, "ordered": ordered, "next": following}


def _completeness(numbers: dict | None) -> list[dict]:
    """Of a set that has ended: how many of the papers read have each field, found or filled in by people."""
    if numbers is None or not numbers["papers"]:
        return []
    return [
        {"words": FIELD_WORDS[name], "number": numbers["have"].get(name, 0), "all": numbers["papers"]}
        for name in COUNTED
        if NAMED[name].is_part
    ]
