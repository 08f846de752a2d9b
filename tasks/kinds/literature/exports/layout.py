"""The columns of a set's CSV and workbook: those of its form, in its words, units and order, else all.

Where people corrected values of a column, a second column beside it holds what the machine had read. File, status and
the reason of a failure are always there, whatever the form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tasks.kinds.literature.fields import JUDGED_PARTS
from tasks.kinds.literature.fields.columns import BACK, COLUMN_NAMED, COLUMNS, FRONT
from tasks.kinds.literature.fields.columns import Column as Plain
from tasks.kinds.literature.forms.questions import SOURCES, TYPES, Question, questions_of
from tasks.kinds.literature.models import Note, Review, TemplateVersion, Verdict
from tasks.kinds.literature.review import effect
from tasks.kinds.literature.review.models import Act


@dataclass(frozen=True)
class Column:
    """``name`` is the head in files; ``keys`` are the fields whose values it shows."""

    name: str
    words: str
    read: Callable[[dict], object]
    keys: tuple[str, ...] = ()
    meaning: str = ""


def _plain(column: Plain) -> Column:
    return Column(column.name, _(column.label), column.read, column.keys, _(column.meaning))


def everything() -> list[Column]:
    """All that reading finds, without what people said: the columns of a file that belongs to no set."""
    return [_plain(column) for column in COLUMNS]


def of(task) -> list[Column]:
    """The columns of the files of this set."""
    version = TemplateVersion.of(task)
    if version:
        chosen = [*map(_plain, FRONT), *map(_of_question, questions_of(version)), *map(_plain, BACK)]
    else:
        chosen = everything()
    corrected = Verdict.objects.filter(paper__task=task, current=True, act=Act.CORRECTED)
    names = set(corrected.order_by().values_list("name", flat=True).distinct())
    found: list[Column] = []
    for column in chosen:
        found.append(column)
        if names & set(column.keys):
            found.append(_machine(column))
    return _unique([*found, *_said(task)])


def _of_question(question: Question) -> Column:
    source = SOURCES.get(question.source)
    meaning = [
        question.description,
        str(TYPES[question.type]),
        "; ".join(question.choices),
        _("taken from: %(what)s") % {"what": _(source)} if source else _("filled in by people"),
    ]
    plain = COLUMN_NAMED.get(question.key)
    keys = plain.keys if plain and plain.keys else (question.key,)

    def read(record: dict) -> object:
        found = question.answer(record)
        return (_("yes") if found else _("no")) if isinstance(found, bool) else found

    return Column(question.head, question.head, read, keys, " · ".join(filter(None, meaning)))


def _machine(column: Column) -> Column:
    """What the machine had read, filled in for the papers in which a person corrected it."""

    def read(record: dict) -> object:
        if not any(_is_corrected(field) and field["name"] in column.keys for field in record["fields"]):
            return ""
        found = column.read(before(record))
        return _("(nothing found)") if found in (None, "", []) else found

    words = _("%(column)s, as read by the machine") % {"column": column.words}
    return Column(f"{column.name}_machine", words, read, (), _("Filled where a person corrected the value beside it."))


def before(record: dict) -> dict:
    """The record with every corrected value put back to what the machine had read."""
    found = {**record, "fields": [dict(field) for field in record["fields"]]}
    seen: set[str] = set()
    for field in found["fields"]:
        first, name = field.get("name") not in seen, field.get("name", "")
        seen.add(name)
        if not _is_corrected(field):
            continue
        field["value"] = effect.as_field(name, field.get("machine_value"))
        if first and name in JUDGED_PARTS:
            found[name] = field.get("machine_value") or ([] if isinstance(record[name], list) else None)
    return found


def _is_corrected(field: dict) -> bool:
    return (field.get("review") or {}).get("act") == Act.CORRECTED


def _said(task) -> Iterator[Column]:
    """Columns of what people said of whole papers, where anybody did."""
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
    """The columns with unique names, told apart by a number: a form may have a question called "file"."""
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


def with_answers(record: dict, questions: list[Question]) -> dict:
    """The record with ``wanted``: the form's questions by name, each with its words, value and unit."""
    return record | {
        "wanted": {
            question.name: {
                "words": question.words,
                "value": _value(question, record),
                "unit": question.unit or None,
            }
            for question in questions
        }
    }


def _value(question: Question, record: dict) -> object:
    found = question.answer(record)
    return None if found == "" else found
