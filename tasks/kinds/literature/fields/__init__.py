"""What the record of a paper holds: every field once, with all that the rest of the Kind has to know of it.

    WORK        what the paper is and where it appeared        a key of the record, and an entry of record["fields"]
    IDENTIFIER  its numbers elsewhere                          the same
    STUDY       facts of the study that it reports             entries of record["fields"] alone
    TEXT        the authors' own summary, language, licence    a key of the record, and an entry of record["fields"]
    BODY        what the file is made of                       a key of the record, without a quote

A new field is one entry of FIELDS. The record, its merging, the table, exports, report, review, pairing and the JSON
Schema follow from it. There is no Django in here, so that the code that reads papers may use it too; the labels are
marked for translation and translated by ``sentences.FIELD_WORDS``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import partial

from tasks.kinds.literature.references.matching import normal_title


def gettext_noop(message: str) -> str:
    """Mark a text for ``makemessages``; whoever shows it translates it."""
    return message


_ = gettext_noop


class Group(Enum):
    """The kinds of fields, in the order of a table's columns."""

    WORK = 1
    IDENTIFIER = 2
    STUDY = 3
    TEXT = 4
    BODY = 5


class Type(StrEnum):
    """What a value is, by which it is typed, compared, sorted and described in the JSON Schema."""

    PROSE = "prose"  # words of the authors: compared without capitals, accents and punctuation
    TEXT = "text"
    IDENTIFIER = "identifier"
    WHOLE = "whole"  # a whole number
    TEXTS = "texts"  # a list of texts
    PEOPLE = "people"  # [{family, given, affiliations, email, orcid}]
    EFFECT = "effect"  # {measure, value, low, high, level}
    SECTIONS = "sections"  # [{title, level, page}]
    REFERENCES = "references"  # [{text, doi, year, title, authors, journal}]


_LISTS = {Type.TEXTS, Type.PEOPLE, Type.SECTIONS, Type.REFERENCES}


class Counted(Enum):
    """Whether the report counts the papers that have a value."""

    NO = 0
    WHEN_ASKED = 1  # counted of every set, said where the set's form asks for it
    ALWAYS = 2


@dataclass(frozen=True)
class Field:
    """One field. ``name`` is its key everywhere and never changes; ``label`` is what people read, untranslated."""

    name: str
    label: str
    group: Group
    type: Type = Type.TEXT
    #: Of the value, where it is always the same.
    unit: str = ""
    #: A paper may have several values, each an entry of its own in record["fields"].
    many: bool = False
    #: A reference list may say it, and it is compared with what the paper says.
    listed: bool = False
    #: People may confirm it, correct it, or fill it in.
    judged: bool = True
    #: Each value has the page and the words from which it was read.
    quoted: bool = True
    counted: Counted = Counted.ALWAYS
    #: A reader expects it of every paper: the live log says when it is missing.
    expected: bool = False
    #: Two items of a set are compared by it, to find those that are one work.
    identifies: bool = False
    #: Whether it has a column of its own, and whether that is shown to a person who has chosen no columns.
    column: bool = True
    at_first: bool = True
    #: Shown and typed over several lines.
    long: bool = False
    #: What stands in its column (for the data dictionary) and in the JSON, where that is not plain from the label.
    in_files: str = ""
    in_json: str = ""

    @property
    def is_part(self) -> bool:
        """Whether it is a key of the record itself."""
        return self.group is not Group.STUDY

    @property
    def empty(self) -> object:
        """What the record holds where the paper says nothing: a new empty list, or None."""
        return [] if self.type in _LISTS else None


_work = partial(Field, group=Group.WORK, listed=True)
_identifier = partial(Field, group=Group.IDENTIFIER, type=Type.IDENTIFIER, listed=True, identifies=True)
_study = partial(Field, group=Group.STUDY)
_text = partial(Field, group=Group.TEXT)
_body = partial(Field, group=Group.BODY, judged=False, quoted=False)

#: Every field: the parts of a record in its order, then the facts of a study.
FIELDS: tuple[Field, ...] = (
    _work("title", _("Title"), type=Type.PROSE, expected=True, identifies=True),
    _work(
        "authors",
        _("Authors"),
        type=Type.PEOPLE,
        expected=True,
        identifies=True,
        in_files=_("Family name, given names; authors separated by semicolons, in the printed order."),
        in_json="In the printed order.",
    ),
    _identifier(
        "doi",
        "DOI",
        expected=True,
        in_files=_("Digital object identifier without https://doi.org/; empty when there was more than one candidate."),
        in_json="Without https://doi.org/; null when there is more than one candidate.",
    ),
    _identifier(
        "pmid",
        "PMID",
        counted=Counted.WHEN_ASKED,
        in_files=_("PubMed's number, as text: zeros at its front are kept."),
        in_json="PubMed's number, as text.",
    ),
    _identifier("pmcid", "PMCID", counted=Counted.WHEN_ASKED, column=False),
    _work(
        "year",
        _("Year"),
        type=Type.WHOLE,
        expected=True,
        identifies=True,
        in_files=_("Year of publication, a number."),
    ),
    _work("journal", _("Journal"), type=Type.PROSE, expected=True, identifies=True),
    _work("volume", _("Volume"), counted=Counted.WHEN_ASKED),
    _work("issue", _("Issue"), counted=Counted.WHEN_ASKED),
    _work("first_page", _("First page"), counted=Counted.WHEN_ASKED, column=False),
    _work("last_page", _("Last page"), counted=Counted.NO, column=False),
    _text("abstract", _("Abstract"), type=Type.PROSE, listed=True, expected=True, at_first=False, long=True),
    _text(
        "keywords",
        _("Keywords"),
        type=Type.TEXTS,
        listed=True,
        counted=Counted.WHEN_ASKED,
        at_first=False,
        in_files=_("Keywords of the authors, separated by semicolons."),
    ),
    _text("licence", _("Licence"), counted=Counted.WHEN_ASKED, column=False),
    _text(
        "language",
        _("Language"),
        listed=True,
        quoted=False,
        counted=Counted.WHEN_ASKED,
        column=False,
        in_json="ISO 639-1 code.",
    ),
    _body("sections", _("Sections"), type=Type.SECTIONS, column=False),
    _body(
        "references",
        _("References"),
        type=Type.REFERENCES,
        in_files=_("Number of references in the list."),
    ),
    _body(
        "pages",
        _("Pages"),
        type=Type.WHOLE,
        counted=Counted.NO,
        in_files=_("Number of pages of the file."),
        in_json="Pages of the file.",
    ),
    _study(
        "design",
        _("Design"),
        in_files=_("Study design by the words of the paper; empty when two designs are equally likely."),
    ),
    _study(
        "sample_size",
        _("Sample size"),
        type=Type.WHOLE,
        in_files=_("Number of participants or other units; a number when there is one, empty when ambiguous."),
    ),
    _study(
        "groups",
        _("Groups"),
        type=Type.WHOLE,
        unit="groups",
        in_files=_("Number of groups that are compared."),
    ),
    _study("country", _("Country")),
    _study("setting", _("Setting"), type=Type.PROSE),
    _study("period", _("Period")),
    _study(
        "registration",
        _("Registration"),
        in_files=_("Number in a trial register (NCT, ISRCTN, ChiCTR, PROSPERO and others)."),
    ),
    _study("primary_outcome", _("Primary outcome"), type=Type.PROSE),
    _study(
        "p_values",
        _("p-values"),
        many=True,
        in_files=_("p-values of abstract and results, separated by semicolons."),
    ),
    _study(
        "effect_sizes",
        _("Effect sizes"),
        type=Type.EFFECT,
        many=True,
        in_files=_("Effect measures with their confidence intervals, separated by semicolons."),
    ),
    _study("ethics", _("Ethics"), type=Type.PROSE),
    _study("funding", _("Funding"), type=Type.PROSE),
    _study("conflicts", _("Conflicts of interest"), type=Type.PROSE),
    _study("data_availability", _("Data availability"), type=Type.PROSE),
)
NAMED: dict[str, Field] = {field.name: field for field in FIELDS}
#: The parts of a record in its order, each with what stands there when the paper says nothing. "fields" holds every
#: value with the place where it stands.
PARTS: dict[str, object] = {field.name: field.empty for field in FIELDS if field.is_part} | {"fields": []}
#: The fields in the order in which a table shows them.
IN_TABLE: tuple[Field, ...] = tuple(sorted(FIELDS, key=lambda field: field.group.value))
#: What a reference list may say of a paper.
LISTED: tuple[str, ...] = tuple(field.name for field in IN_TABLE if field.listed)
#: Parts of a record that a person may correct, beside the entries of record["fields"].
JUDGED_PARTS = frozenset(field.name for field in FIELDS if field.is_part and field.judged)
#: The facts of a study.
FACTS: tuple[str, ...] = tuple(field.name for field in FIELDS if not field.is_part)
EXPECTED: tuple[str, ...] = tuple(field.name for field in FIELDS if field.expected)
#: What the report says of every set, in how many papers it is.
COUNTED: tuple[str, ...] = tuple(field.name for field in FIELDS if field.counted is Counted.ALWAYS)
IDENTIFYING: tuple[str, ...] = tuple(field.name for field in FIELDS if field.identifies)


# -- values ------------------------------------------------------------------------------------------------------------

_EFFECT = ("measure", "value", "low", "high", "level")


def as_text(value: object) -> str:
    """A value in words: lists by semicolons, effects as a paper writes them, other objects as "name: value" pairs."""
    if value is None:
        return ""
    if isinstance(value, dict) and "measure" in value and "value" in value:
        return _effect_words(**{key: item for key, item in value.items() if key in _EFFECT})
    if isinstance(value, dict):
        return ", ".join(f"{key}: {as_text(item)}" for key, item in value.items() if item not in (None, ""))
    if isinstance(value, list | tuple):
        return "; ".join(as_text(item) for item in value)
    return str(value)


def _effect_words(measure: object, value: object, low: object = None, high: object = None, level: object = None) -> str:
    """An effect with its confidence interval: "odds ratio 8.7 (95 % CI 4.0 to 18.9)"."""
    interval = f" ({level or 95} % CI {low} to {high})" if low is not None and high is not None else ""
    return f"{measure} {value}{interval}".strip()


def fact(record: dict, name: str) -> object:
    """The value of a fact that was found and is not ambiguous: a number where it is one, else words; "" for none.

    Several values of one name come as one text.
    """
    found = [one for one in record["fields"] if one.get("name") == name and one.get("status") != "ambiguous"]
    values = [one.get("value") for one in found if one.get("value") not in (None, "", [])]
    if len(values) == 1 and isinstance(values[0], int | float):
        return values[0]
    return "; ".join(as_text(value) for value in values)


def same(name: str, one: object, other: object) -> bool:
    """Whether two values of a field say the same: people by family name, prose by its letters, lists as sets, the rest
    without white space and capitals. Nothing is never the same as something."""
    if not one:
        return False
    field_type = NAMED[name].type if name in NAMED else Type.TEXT
    if field_type is Type.PEOPLE:
        return _families(one) == _families(other)
    if field_type is Type.TEXTS:
        return {str(word).casefold() for word in one} == {str(word).casefold() for word in other}
    if field_type is Type.PROSE:
        return normal_title(str(one)) == normal_title(str(other))
    return _squeezed(one) == _squeezed(other)


def _families(authors: list) -> list[str]:
    """The family names; of a name in one text that is its last word."""
    names = [one.get("family", "") if isinstance(one, dict) else (str(one).split() or [""])[-1] for one in authors]
    return [normal_title(name) for name in names]


def _squeezed(value: object) -> str:
    return re.sub(r"\s+", "", str(value)).casefold()
