"""The columns of a set's table: those of its template, else all that reading finds; and which of them a person sees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tasks.kinds.literature.exports.table import COLUMNS, as_text, fact
from tasks.kinds.literature.forms.items import Field, fields_of
from tasks.kinds.literature.models import TemplateVersion, ViewChoice
from tasks.kinds.literature.record import PARTS

#: Columns of the files that make no sense on the page: it links the paper, and the list of papers tells the status.
_NOT_ON_PAGE = {"file", "status", "error_code", "error"}
#: Shown when a person has chosen nothing; the long ones are one press away.
_AT_FIRST_HIDDEN = {"abstract", "keywords"}
#: What can't be put in an order.
_UNSORTED = {"references"}
#: What the reading of a paper may find, and a template's field may name as its source.
SOURCES = {name: words for name, words, _read in COLUMNS if name not in _NOT_ON_PAGE | {"pages_range", "references"}}
#: What a yes-or-no field holds, and what it means.
YES_NO = {"yes": True, "no": False}
_READ = {name: read for name, _words, read in COLUMNS}


@dataclass(frozen=True)
class Column:
    """``key`` is the value's name in the record, by which it is sorted; ``hint`` says what is meant."""

    name: str
    words: object
    read: Callable[[dict], object]
    key: str
    hint: str = ""
    shown: bool = True
    #: A person wants to see it, whether it holds anything or not: she said so, or the template does.
    chosen: bool = False
    #: The template's field that it shows.
    field: Field | None = None

    @property
    def sortable(self) -> bool:
        return self.key not in _UNSORTED


def version_of(task) -> TemplateVersion | None:
    """The version of a template that the set was made with."""
    known = (task.params or {}).get("template")
    return TemplateVersion.objects.select_related("template").filter(pk=known).first() if known else None


def of(task, user=None, version: TemplateVersion | None = None) -> list[Column]:
    """All columns of a set's table in order, those that ``user`` chose ``shown``; the file's name is none of them."""
    version = version or version_of(task)
    if version:
        columns = [_wanted(field) for field in fields_of(version)]
        at_first = {column.name for column in columns}
    else:
        columns = [Column(name, words, read, name) for name, words, read in COLUMNS if name not in _NOT_ON_PAGE]
        at_first = {column.name for column in columns} - _AT_FIRST_HIDDEN
    chosen = _choice(user, version)
    return [replace(c, shown=c.name in (chosen or at_first), chosen=bool(version) or c.name in chosen) for c in columns]


def choose(user, task, names: list[str]) -> None:
    """Keep the columns that a person wants to see, in every set of that template (or of none)."""
    version = version_of(task)
    known = [column.name for column in of(task, None, version)]
    ViewChoice.objects.update_or_create(
        user=user,
        template=version.template if version else None,
        defaults={"columns": [name for name in known if name in names]},
    )


def value_of(field: Field, record: dict) -> object:
    """What a record says of a wanted field: "" where it says nothing. A number stays one."""
    if field.key in _READ and field.key in PARTS:
        found = _READ[field.key](record)
    else:
        found = fact(field.key)(record)
    if field.type == "choice" and isinstance(found, str):
        return next((one for one in field.choices if one.casefold() == found.casefold()), found)
    if field.type == "yes_no" and found in YES_NO:
        return YES_NO[found]
    return "" if found is None else found


def _wanted(field: Field) -> Column:
    hint = " · ".join(filter(None, (field.description, "; ".join(field.choices))))
    words = f"{field.words} ({field.unit})" if field.unit else field.words
    return Column(field.name, words, lambda record: value_of(field, record), field.key, hint, field=field)


def _choice(user, version) -> set[str]:
    if user is None or not user.is_authenticated:
        return set()
    found = ViewChoice.objects.filter(user=user, template=version.template if version else None).first()
    return set(found.columns) if found else set()


def remark(column: Column, shown: str) -> str:
    """What has to be said of a wanted field's cell, so that an empty one claims nothing: "" where nothing has."""
    if column.field is None:
        return ""
    if not shown:
        return _("not found locally") if column.field.source else _("left to people")
    if column.field.choices and shown not in column.field.choices:
        return _("none of the choices")
    return ""


def cell(column: Column, record: dict) -> str:
    """A cell as the page shows it."""
    value = column.read(record)
    return {True: _("yes"), False: _("no")}.get(value, as_text(value)) if isinstance(value, bool) else as_text(value)
