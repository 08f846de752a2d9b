"""The columns of the results table and of the files: one for each field that has one, and those that say which paper.

Labels and meanings are untranslated, as in the registry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tasks.kinds.literature.fields import IN_TABLE, Field, Type, fact
from tasks.kinds.literature.fields import gettext_noop as _


@dataclass(frozen=True)
class Column:
    """A column of the table and of the files. ``read`` takes a record; ``keys`` are the fields that it shows."""

    name: str
    label: str
    read: Callable[[dict], object]
    keys: tuple[str, ...] = ()
    #: What stands in it, untranslated.
    meaning: str = _("As printed in the paper; empty when not found.")
    #: The page links the paper and says its outcome already, so it leaves those columns to the files.
    on_page: bool = True
    at_first: bool = True
    sortable: bool = True
    #: A form may name it as where its value is found.
    is_source: bool = False


def _part(record: dict, *, name: str) -> object:
    return record[name]


def _authors(record: dict) -> str:
    names = [", ".join(filter(None, (one.get("family"), one.get("given")))) for one in record["authors"]]
    return "; ".join(name for name in names if name)


def _page_range(record: dict) -> str:
    return "–".join(str(part) for part in (record["first_page"], record["last_page"]) if part)


def _reader(field: Field) -> Callable[[dict], object]:
    if not field.is_part:
        return partial(fact, name=field.name)
    special: dict[Type, Callable[[dict], object]] = {
        Type.PEOPLE: _authors,
        Type.TEXTS: lambda record: "; ".join(record[field.name]),
        Type.REFERENCES: lambda record: len(record[field.name]) or None,
    }
    return special.get(field.type) or partial(_part, name=field.name)


def _column(field: Field) -> Column:
    return Column(
        field.name,
        field.label,
        _reader(field),
        (field.name,),
        field.in_files or Column.meaning,
        at_first=field.at_first,
        sortable=field.type is not Type.REFERENCES,
        is_source=field.type is not Type.REFERENCES,
    )


def _of_file(name: str, label: str, meaning: str) -> Column:
    return Column(name, label, partial(_part, name=name), (), meaning, on_page=False)


def _columns() -> tuple[Column, ...]:
    columns = {field.name: _column(field) for field in IN_TABLE if field.column}
    pages = Column(
        "pages_range",
        _("Pages in the journal"),
        _page_range,
        ("first_page", "last_page"),
        _("First and last page in the journal, or the article's number."),
    )
    names = list(columns)
    after = names.index("issue") + 1
    return (*(columns[name] for name in names[:after]), pages, *(columns[name] for name in names[after:]))


#: What every file says of a paper, whatever the form: in front of its values, and behind them.
FRONT: tuple[Column, ...] = (
    _of_file("file", _("File"), _("Folder and name of the file as it was given.")),
    _of_file(
        "status",
        _("Status"),
        _("What became of it: succeeded, failed, cancelled, duplicate, refused, pending or running."),
    ),
)
BACK: tuple[Column, ...] = (
    _of_file(
        "error_code",
        _("Error code"),
        _("Why there are no values: a code that stays the same in every language."),
    ),
    _of_file("error", _("Reason"), _("The same reason in words, with what to do.")),
)
#: The columns of a file, one row a paper, in their order.
COLUMNS: tuple[Column, ...] = (*FRONT, *_columns(), *BACK)
COLUMN_NAMED: dict[str, Column] = {column.name: column for column in COLUMNS}
