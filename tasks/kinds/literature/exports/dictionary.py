"""What each column of the files means, for who opens them a year later: name, words, and where it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext_lazy as _

#: {column: what stands in it}; the others hold what their words say, as printed in the paper.
MEANINGS = {
    "file": _("Folder and name of the file as it was given."),
    "status": _("What became of it: succeeded, failed, cancelled, duplicate, refused, pending or running."),
    "authors": _("Family name, given names; authors separated by semicolons, in the printed order."),
    "year": _("Year of publication, a number."),
    "pages_range": _("First and last page in the journal, or the article's number."),
    "doi": _("Digital object identifier without https://doi.org/; empty when there was more than one candidate."),
    "pmid": _("PubMed's number, as text: zeros at its front are kept."),
    "design": _("Study design by the words of the paper; empty when two designs are equally likely."),
    "sample_size": _("Number of participants or other units; a number when there is one, empty when ambiguous."),
    "groups": _("Number of groups that are compared."),
    "registration": _("Number in a trial register (NCT, ISRCTN, ChiCTR, PROSPERO and others)."),
    "p_values": _("p-values of abstract and results, separated by semicolons."),
    "effect_sizes": _("Effect measures with their confidence intervals, separated by semicolons."),
    "keywords": _("Keywords of the authors, separated by semicolons."),
    "references": _("Number of references in the list."),
    "pages": _("Number of pages of the file."),
    "error_code": _("Why there are no values: a code that stays the same in every language."),
    "error": _("The same reason in words, with what to do."),
}
#: The columns of the sheet "provenance" (and of a field in the JSON).
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


def meaning(name: str) -> str:
    """What stands in a column of the values, in the reader's language."""
    return str(MEANINGS.get(name, _("As printed in the paper; empty when not found.")))


def rows(columns: Iterable) -> Iterator[tuple[str, str, str, str]]:
    """(sheet, column, words on the page, meaning) of these columns (layout.Column) and of the provenance."""
    for column in columns:
        yield "values", column.name, column.words, column.meaning
    for name, words in PROVENANCE.items():
        yield "provenance", name, name, str(words)
