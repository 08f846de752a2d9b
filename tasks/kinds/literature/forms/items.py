"""A field that somebody wants of every paper: its name, what is meant, of which type, and where it may be found.

``source`` names a fact that reading finds without a model (records.PARTS, extraction.facts); without one the field is
empty until a person fills it in, or a later stage of reading does.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import asdict, dataclass, field

from django.utils.translation import gettext_lazy as _

from tasks.errors import Refused

TYPES = {
    "text": _("text"), "number": _("number"), "date": _("date"), "choice": _("one of a list"), "yes_no": _("yes or no"),
    "list": _("several texts"),
}  # fmt: skip
_MOST, _LONG, _CHOICES = 100, 500, 60


@dataclass(frozen=True)
class Field:
    """``name`` is its key in files and stays when ``words``, what people read, change; ``choices`` go with its type."""

    name: str
    words: str
    description: str = ""
    type: str = "text"
    choices: list[str] = field(default_factory=list)
    unit: str = ""
    source: str = ""

    @property
    def key(self) -> str:
        """The name under which a record holds its value."""
        return self.source or self.name


def checked(given: list[dict], sources: set[str]) -> list[dict]:
    """The fields of a template as they are stored. Rows without words are passed over.

    Raises Refused: template_empty, field_twice, field_type, field_choices, field_source, template_long.
    """
    fields: list[Field] = []
    for row in given:
        words = _line(row.get("words"))
        if not words:
            continue
        kind, source = row.get("type") or "text", row.get("source") or ""
        choices = [one for part in re.split(r"[;\n]", row.get("choices") or "") if (one := _line(part))][:_CHOICES]
        if kind not in TYPES:
            raise Refused("field_type", field=words)
        if source and source not in sources:
            raise Refused("field_source", field=words)
        if kind == "choice" and len(choices) < 2:
            raise Refused("field_choices", field=words)
        fields.append(
            Field(
                _line(row.get("name"))[:60] or _slug(words),
                words[:120],
                _line(row.get("description"))[:_LONG],
                kind,
                choices if kind == "choice" else [],
                _line(row.get("unit"))[:40],
                source,
            )  # fmt: skip
        )
    if not fields:
        raise Refused("template_empty")
    if len(fields) > _MOST:
        raise Refused("template_long", limit=_MOST)
    seen: set[str] = set()
    for one in fields:
        for mark in (f"={one.words.casefold()}", one.key):
            if mark in seen:
                raise Refused("field_twice", field=one.words)
            seen.add(mark)
    return [asdict(one) for one in fields]


def fields_of(version) -> list[Field]:
    """The fields of a template's version; of None, none."""
    return [Field(**one) for one in version.fields] if version else []


def _line(text: object) -> str:
    """One line; characters that nobody sees are gone, line ends are spaces."""
    return " ".join(
        "".join(c for c in str(text or "") if c.isspace() or unicodedata.category(c) not in ("Cc", "Cs")).split()
    )


def _slug(words: str) -> str:
    name = re.sub(r"\W+", "_", unicodedata.normalize("NFKC", words).casefold()).strip("_")
    return name[:60] or "field"
