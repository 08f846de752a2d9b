"""A question of a data extraction form: what it asks of every paper, of which type the answer is, where it is found.

``source`` names a column that reading fills by itself; without one the answer is empty until a person gives it, or a
source that answers questions does.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import asdict, dataclass, field

from django.utils.translation import gettext_lazy as _

from tasks.errors import Refused
from tasks.kinds.literature.fields import PARTS, fact
from tasks.kinds.literature.fields.columns import COLUMN_NAMED, COLUMNS

TYPES = {
    "text": _("text"),
    "number": _("number"),
    "date": _("date"),
    "choice": _("one of a list"),
    "yes_no": _("yes or no"),
    "list": _("several texts"),
}
_MOST, _LONG, _CHOICES = 100, 500, 60
#: What reading may find and a question may name as its source: {name: label, untranslated}.
SOURCES = {column.name: column.label for column in COLUMNS if column.is_source}
#: What an answer to a yes-or-no question is stored as, and what it means.
YES_NO = {"yes": True, "no": False}


@dataclass(frozen=True)
class Question:
    """``words`` is what people read and may change; ``name`` is its key in files and stays. ``choices`` belong to the
    type "choice"."""

    name: str
    words: str
    description: str = ""
    type: str = "text"
    choices: list[str] = field(default_factory=list)
    unit: str = ""
    source: str = ""

    @property
    def key(self) -> str:
        """The name under which a record holds the answer."""
        return self.source or self.name

    @property
    def head(self) -> str:
        """The head of its column: its words, with the unit."""
        return f"{self.words} ({self.unit})" if self.unit else self.words

    def answer(self, record: dict) -> object:
        """What a record says: a number stays one, yes and no are truth values, "" stands for nothing."""
        column = COLUMN_NAMED.get(self.key)
        found = column.read(record) if column and self.key in PARTS else fact(record, self.key)
        if self.type == "choice" and isinstance(found, str):
            return next((one for one in self.choices if one.casefold() == found.casefold()), found)
        if self.type == "yes_no" and found in YES_NO:
            return YES_NO[found]
        return "" if found is None else found


def checked(given: list[dict]) -> list[dict]:
    """The questions of a form as they are stored. Rows without words are skipped.

    Raises Refused: template_empty, field_twice, field_type, field_choices, field_source, template_long.
    """
    questions: list[Question] = []
    for row in given:
        words = _line(row.get("words"))
        if not words:
            continue
        kind, source = row.get("type") or "text", row.get("source") or ""
        choices = [one for part in re.split(r"[;\n]", row.get("choices") or "") if (one := _line(part))][:_CHOICES]
        if kind not in TYPES:
            raise Refused("field_type", field=words)
        if source and source not in SOURCES:
            raise Refused("field_source", field=words)
        if kind == "choice" and len(choices) < 2:
            raise Refused("field_choices", field=words)
        questions.append(
            Question(
                _line(row.get("name"))[:60] or _slug(words),
                words[:120],
                _line(row.get("description"))[:_LONG],
                kind,
                choices if kind == "choice" else [],
                _line(row.get("unit"))[:40],
                source,
            )
        )
    if not questions:
        raise Refused("template_empty")
    if len(questions) > _MOST:
        raise Refused("template_long", limit=_MOST)
    seen: set[str] = set()
    for one in questions:
        for mark in (f"={one.words.casefold()}", one.key):
            if mark in seen:
                raise Refused("field_twice", field=one.words)
            seen.add(mark)
    return [asdict(one) for one in questions]


def questions_of(version) -> list[Question]:
    """The questions of a template's version; [] for None."""
    return [Question(**one) for one in version.fields] if version else []


def _line(text: object) -> str:
    """The text on one line, without control characters and lone surrogates."""
    return " ".join(
        "".join(c for c in str(text or "") if c.isspace() or unicodedata.category(c) not in ("Cc", "Cs")).split()
    )


def _slug(words: str) -> str:
    name = re.sub(r"\W+", "_", unicodedata.normalize("NFKC", words).casefold()).strip("_")
    return name[:60] or "field"
