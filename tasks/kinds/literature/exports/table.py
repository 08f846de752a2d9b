"""The columns of the results table, on the page and in the CSV: one row a paper."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext_lazy as _


def _authors(record: dict) -> str:
    names = [", ".join(filter(None, (a.get("family"), a.get("given")))) for a in record["authors"]]
    return "; ".join(name for name in names if name)


def _pages(record: dict) -> str:
    return "–".join(str(part) for part in (record["first_page"], record["last_page"]) if part)


def fact(name: str) -> Callable[[dict], object]:
    """The value of a study fact, where it was found and not ambiguous; several values stand in one cell."""

    def value(record: dict) -> object:
        found = [f for f in record["fields"] if f.get("name") == name and f.get("status") != "ambiguous"]
        values = [f.get("value") for f in found if f.get("value") not in (None, "", [])]
        if len(values) == 1 and isinstance(values[0], int | float):
            return values[0]
        return "; ".join(as_text(value) for value in values)

    return value


_EFFECT = ("measure", "value", "low", "high", "level")


def _effect(measure: object, value: object, low: object = None, high: object = None, level: object = None) -> str:
    """An effect with its confidence interval: "odds ratio 8.7 (95 % CI 4.0 to 18.9)"."""
    interval = f" ({level or 95} % CI {low} to {high})" if low is not None and high is not None else ""
    return f"{measure} {value}{interval}".strip()


def as_text(value: object) -> str:
    """A field's value in words: lists by semicolons, effects as a paper writes them, else "name: value" pairs."""
    if value is None:
        return ""
    if isinstance(value, dict) and "measure" in value and "value" in value:
        return _effect(**{key: item for key, item in value.items() if key in _EFFECT})
    if isinstance(value, dict):
        return ", ".join(f"{key}: {as_text(item)}" for key, item in value.items() if item not in (None, ""))
    if isinstance(value, list | tuple):
        return "; ".join(as_text(item) for item in value)
    return str(value)


def _plain(name: str) -> Callable[[dict], object]:
    return lambda record: record[name]


#: (name in files, words on the page, how to read it from a record)
COLUMNS: tuple[tuple[str, object, Callable[[dict], object]], ...] = (
    ("file", _("File"), _plain("file")),
    ("status", _("Status"), _plain("status")),
    ("title", _("Title"), _plain("title")),
    ("authors", _("Authors"), _authors),
    ("year", _("Year"), _plain("year")),
    ("journal", _("Journal"), _plain("journal")),
    ("volume", _("Volume"), _plain("volume")),
    ("issue", _("Issue"), _plain("issue")),
    ("pages_range", _("Pages in the journal"), _pages),
    ("doi", "DOI", _plain("doi")),
    ("pmid", "PMID", _plain("pmid")),
    ("design", _("Design"), fact("design")),
    ("sample_size", _("Sample size"), fact("sample_size")),
    ("groups", _("Groups"), fact("groups")),
    ("country", _("Country"), fact("country")),
    ("setting", _("Setting"), fact("setting")),
    ("period", _("Period"), fact("period")),
    ("registration", _("Registration"), fact("registration")),
    ("primary_outcome", _("Primary outcome"), fact("primary_outcome")),
    ("p_values", _("p-values"), fact("p_values")),
    ("effect_sizes", _("Effect sizes"), fact("effect_sizes")),
    ("ethics", _("Ethics"), fact("ethics")),
    ("funding", _("Funding"), fact("funding")),
    ("conflicts", _("Conflicts of interest"), fact("conflicts")),
    ("data_availability", _("Data availability"), fact("data_availability")),
    ("abstract", _("Abstract"), _plain("abstract")),
    ("keywords", _("Keywords"), lambda record: "; ".join(record["keywords"])),
    ("references", _("References"), lambda record: len(record["references"]) or None),
    ("pages", _("Pages"), _plain("pages")),
    ("error_code", _("Error code"), _plain("error_code")),
    ("error", _("Reason"), _plain("error")),
)
