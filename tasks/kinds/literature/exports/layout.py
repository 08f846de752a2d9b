"""The columns of a set's CSV and workbook: those of its template, in its words, units and order, else all.

Where people corrected a column's values, what the machine had read stands in a column beside it. Files say which paper
it is and why there is nothing, whatever the template.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tasks.kinds.literature.exports import dictionary
from tasks.kinds.literature.exports.table import COLUMNS
from tasks.kinds.literature.forms.items import TYPES, Field, fields_of
from tasks.kinds.literature.models import Note, Review, Verdict
from tasks.kinds.literature.review import effect
from tasks.kinds.literature.review.models import Act
from tasks.kinds.literature.table import columns as wanted

#: Columns of a file that no template asks for: in front of the wanted ones, and behind them.
_FRONT, _BACK = ("file", "status"), ("error_code", "error")
_PARTS_OF = {"pages_range": ("first_page", "last_page")}


@dataclass(frozen=True)
class Column:
    """``name`` is the head in files; ``keys``: the record's values that it shows."""

    name: str
    words: str
    read: Callable[[dict], object]
    keys: tuple[str, ...] = ()
    meaning: str = ""


def _plain(name: str, words: object, read: Callable) -> Column:
    keys = () if name in _FRONT + _BACK else _PARTS_OF.get(name, (name,))
    return Column(name, str(words), read, keys, dictionary.meaning(name))


def everything() -> list[Column]:
    """All that reading finds, without what people said: the columns where there is no set to ask."""
    return [_plain(*one) for one in COLUMNS]


def of(task) -> list[Column]:
    """The columns of the files of this set."""
    plain = {column.name: column for column in everything()}
    version = wanted.version_of(task)
    if version:
        middle = [_wanted(field) for field in fields_of(version)]
        chosen = [*(plain[name] for name in _FRONT), *middle, *(plain[name] for name in _BACK)]
    else:
        chosen = list(plain.values())
    corrected = Verdict.objects.filter(paper__task=task, current=True, act=Act.CORRECTED)
    names = set(corrected.order_by().values_list("name", flat=True).distinct())
    found: list[Column] = []
    for column in chosen:
        found.append(column)
        if names & set(column.keys):
            found.append(_machine(column))
    return _unique([*found, *_said(task)])


def _wanted(field: Field) -> Column:
    words = f"{field.words} ({field.unit})" if field.unit else field.words
    source = wanted.SOURCES.get(field.source)
    meaning = [
        field.description, str(TYPES[field.type]), "; ".join(field.choices),
        _("taken from: %(what)s") % {"what": source} if source else _("filled in by people"),
    ]  # fmt: skip
    keys = _PARTS_OF.get(field.key, (field.key,))

    def read(record: dict) -> object:
        found = wanted.value_of(field, record)
        return (_("yes") if found else _("no")) if isinstance(found, bool) else found

    return Column(words, words, read, keys, " · ".join(filter(None, meaning)))


def _machine(column: Column) -> Column:
    """What the machine had read, of the papers in which a person corrected it."""

    def read(record: dict) -> object:
        if not any(_is_corrected(field) and field["name"] in column.keys for field in record["fields"]):
            return ""
        found = column.read(before(record))
        return _("(nothing found)") if found in (None, "", []) else found

    words = _("%(column)s, as read by the machine") % {"column": column.words}
    return Column(f"{column.name}_machine", words, read, (), _("Filled where a person corrected the value beside it."))


def before(record: dict) -> dict:
    """The record as it was before people corrected it."""
    found = {**record, "fields": [dict(field) for field in record["fields"]]}
    seen: set[str] = set()
    for field in found["fields"]:
        first, name = field.get("name") not in seen, field.get("name", "")
        seen.add(name)
        if not _is_corrected(field):
            continue
        field["value"] = effect.as_field(name, field.get("machine_value"))
        if first and name in effect.PARTS:
            found[name] = field.get("machine_value") or ([] if isinstance(record[name], list) else None)
    return found


def _is_corrected(field: dict) -> bool:
    return (field.get("review") or {}).get("act") == Act.CORRECTED


def _said(task) -> Iterator[Column]:
    """What people said of papers as a whole, if they did."""
    if Review.objects.filter(paper__task=task).exists():
        yield Column("reviewed", _("reviewed"), _reviewed, (), _("Who marked the paper as reviewed, and when."))
    if Note.objects.filter(paper__task=task).exists():
        yield Column("notes", _("Notes"), _notes, (), _("Remarks of people, separated by line ends."))


def _reviewed(record: dict) -> str:
    signed = record["reviewed"] or {}
    return " ".join(str(signed[part]) for part in ("by", "at") if signed.get(part))


def _notes(record: dict) -> str:
    return "\n".join(f"{note['by'] or '?'}: {note['text']}" for note in record["notes"])


def _unique(columns: Iterable[Column]) -> list[Column]:
    """No head twice: a template may call a field "file"."""
    used: set[str] = set()
    found = []
    for column in columns:
        name, number = column.name, 1
        while name.casefold() in used:
            number += 1
            name = f"{column.name} ({number})"
        used.add(name.casefold())
        found.append(Column(name, column.words, column.read, column.keys, column.meaning))
    return found


def with_wanted(record: dict, fields: list[Field]) -> dict:
    """The record with ``wanted``: the template's fields by name, each with its words, value and unit."""
    return record | {
        "wanted": {
            field.name: {"words": field.words, "value": _value(field, record), "unit": field.unit or None}
            for field in fields
        }
    }  # fmt: skip


def _value(field: Field, record: dict) -> object:
    found = wanted.value_of(field, record)
    return None if found == "" else found
