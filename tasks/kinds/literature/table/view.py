"""What a person sees of a set's table: the columns of its form, else all, those that they chose shown; its cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tasks.kinds.literature.fields import as_text
from tasks.kinds.literature.fields.columns import COLUMNS
from tasks.kinds.literature.fields.columns import Column as FileColumn
from tasks.kinds.literature.forms.questions import Question, questions_of
from tasks.kinds.literature.models import TemplateVersion, ViewChoice


@dataclass(frozen=True)
class Column:
    """A column on the page. ``key`` is the field by which it is sorted; ``hint`` says what is meant."""

    name: str
    words: str
    read: Callable[[dict], object]
    key: str
    hint: str = ""
    shown: bool = True
    #: Shown even when it is empty in all papers: a person chose it, or the form asks for it.
    chosen: bool = False
    sortable: bool = True
    at_first: bool = True
    #: The question that it answers.
    question: Question | None = None


def of(task, user=None, version: TemplateVersion | None = None) -> list[Column]:
    """All columns of a set's table but the file's name, in order; those that ``user`` sees are ``shown``."""
    version = version or TemplateVersion.of(task)
    if version:
        columns = [_of_question(question) for question in questions_of(version)]
    else:
        columns = [_plain(column) for column in COLUMNS if column.on_page]
    chosen = _choice(user, version)
    return [
        replace(
            column,
            shown=column.name in chosen if chosen else column.at_first,
            chosen=bool(version) or column.name in chosen,
        )
        for column in columns
    ]


def choose(user, task, names: list[str]) -> None:
    """Keep the columns that a person wants to see, for every set with the same form (or for those without one)."""
    version = TemplateVersion.of(task)
    known = [column.name for column in of(task, None, version)]
    ViewChoice.objects.update_or_create(
        user=user,
        template=version.template if version else None,
        defaults={"columns": [name for name in known if name in names]},
    )


def _plain(column: FileColumn) -> Column:
    words = _(column.label)
    return Column(column.name, words, column.read, column.name, sortable=column.sortable, at_first=column.at_first)


def _of_question(question: Question) -> Column:
    hint = " · ".join(filter(None, (question.description, "; ".join(question.choices))))
    return Column(question.name, question.head, question.answer, question.key, hint, question=question)


def _choice(user, version) -> set[str]:
    if user is None or not user.is_authenticated:
        return set()
    found = ViewChoice.objects.filter(user=user, template=version.template if version else None).first()
    return set(found.columns) if found else set()


def remark(column: Column, shown: str) -> str:
    """What is said beside a cell that answers a question, so that an empty one claims nothing; "" for most."""
    if column.question is None:
        return ""
    if not shown:
        return _("not found locally") if column.question.source else _("left to people")
    if column.question.choices and shown not in column.question.choices:
        return _("none of the choices")
    return ""


def cell(column: Column, record: dict) -> str:
    """A cell as the page shows it."""
    value = column.read(record)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return as_text(value)
