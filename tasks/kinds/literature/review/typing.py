"""Turns what a reviewer types into a value of the record, and a value into the text of its form field."""

from __future__ import annotations

import re
from datetime import date

from django.utils.translation import gettext as _

from tasks.errors import Refused
from tasks.kinds.literature.fields import NAMED, Type
from tasks.kinds.literature.forms.questions import Question
from tasks.kinds.literature.references.values import doi_of, pmcid_of, pmid_of

_LONGEST = 20_000  # characters
_YES, _NO = {"yes", "y", "true", "1"}, {"no", "n", "false", "0"}


def typed(name: str, text: str, machine: object = None, question: Question | None = None) -> object:
    """The value of a text; None when it is empty. ``question``: of the set's form, whose type and choices apply.

    Raises Refused: bad_number, bad_decimal, bad_date, bad_choice, bad_yes_no, bad_doi, bad_pmid, bad_value.
    """
    text = text.replace("\x00", "").replace("\r\n", "\n").strip()
    if len(text) > _LONGEST:
        raise Refused("bad_value", longest=_LONGEST)
    if not text:
        return None
    field = NAMED.get(name)
    if field and field.type is Type.PEOPLE:
        return [_author(part) for part in text.split(";") if part.strip()]
    if (field and field.type is Type.TEXTS) or isinstance(machine, list):
        return [part.strip() for part in text.split(";") if part.strip()]
    if field and field.type is Type.IDENTIFIER:
        return _number_of_paper(name, text)
    if question is not None and question.type in _OF_TYPE:
        return _OF_TYPE[question.type](text, question)
    if field and field.type is Type.WHOLE:
        return _whole(text)
    if isinstance(machine, int | float) and not isinstance(machine, bool) and re.fullmatch(r"-?\d+(\.\d+)?", text):
        return float(text) if "." in text else int(text)
    return text if field and field.long else " ".join(text.split())


def _number(text: str, question: Question) -> int | float:
    digits = re.sub(r"[\s\u2009\u00a0]", "", text).replace("−", "-")
    if re.fullmatch(r"-?\d{1,3}(,\d{3})+(\.\d+)?", digits):
        digits = digits.replace(",", "")
    if not re.fullmatch(r"-?\d{1,15}(\.\d{1,15})?", digits):
        raise Refused("bad_decimal", text=text[:60])
    return float(digits) if "." in digits else int(digits)


def _date(text: str, question: Question) -> str:
    """A day, a month or a year, as ISO 8601 writes them."""
    try:
        if not re.fullmatch(r"\d{4}(-\d{2}(-\d{2})?)?", text):
            raise ValueError
        date.fromisoformat((text + "-01-01")[:10])
    except ValueError:
        raise Refused("bad_date", text=text[:60]) from None
    return text


def _choice(text: str, question: Question) -> str:
    for one in question.choices:
        if one.casefold() == text.casefold():
            return one
    raise Refused("bad_choice", text=text[:60], choices="; ".join(question.choices))


def _yes_no(text: str, question: Question) -> str:
    """ "yes" or "no" in every language, so that a filter finds them."""
    said = text.casefold()
    if said in _YES | {_("yes").casefold()}:
        return "yes"
    if said in _NO | {_("no").casefold()}:
        return "no"
    raise Refused("bad_yes_no", text=text[:60])


def _list(text: str, question: Question) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


_OF_TYPE = {"number": _number, "date": _date, "choice": _choice, "yes_no": _yes_no, "list": _list}


def as_typed(name: str, value: object, words) -> str:
    """The text from which ``typed`` gives the value back. ``words`` puts other values into text (``as_text``)."""
    if name in NAMED and NAMED[name].type is Type.PEOPLE and isinstance(value, list):
        return "; ".join(
            ", ".join(filter(None, (one.get("family"), one.get("given")))) if isinstance(one, dict) else str(one)
            for one in value
        )
    return words(value)


def _author(text: str) -> dict:
    family, _, given = (part.strip() for part in text.partition(","))
    return {"family": family, "given": given}


def _whole(text: str) -> int:
    digits = re.sub(r"[\s,_\u2009\u00a0]", "", text)
    if not re.fullmatch(r"\d{1,9}", digits):
        raise Refused("bad_number", text=text[:60])
    return int(digits)


def _number_of_paper(name: str, text: str) -> str:
    found = {"doi": doi_of, "pmid": pmid_of, "pmcid": pmcid_of}[name](text)
    if not found:
        raise Refused("bad_doi" if name == "doi" else "bad_pmid", text=text[:60])
    return found
