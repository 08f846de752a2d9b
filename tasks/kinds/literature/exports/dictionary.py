"""The data dictionary of a workbook: what each column means, for whoever opens the file a year later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext_lazy as _

#: The columns of the sheet "provenance", and the parts of an entry of "fields" in the JSON.
PROVENANCE = {
    "file": _("Folder and name of the file as it was given."),
    "field": _("Name of the field."),
    "value": _("The value; empty when ambiguous."),
    "unit": _("Unit of the value, where it has one."),
    "page": _("Page of the file, counted from 1."),
    "quote": _("The words of the paper from which the value was read."),
    "verified": _("yes: the quote was looked up on that page and stands there."),
    "status": _("found, or ambiguous when there was more than one candidate."),
    "confidence": _("How sure the reader is, from 0 to 1."),
    "calibrated": _("yes: the confidence was measured on papers whose values are known."),
    "candidates": _("The candidates of an ambiguous field, separated by semicolons."),
    "machine_value": _("What was read from the paper, where a person has judged the value."),
    "review": _("What a person said: confirmed or corrected, by whom and when."),
}


def rows(columns: Iterable) -> Iterator[tuple[str, str, str, str]]:
    """(sheet, column, words on the page, meaning) of these columns (``layout.Column``) and of the provenance."""
    for column in columns:
        yield "values", column.name, column.words, column.meaning
    for name, words in PROVENANCE.items():
        yield "provenance", name, name, str(words)
