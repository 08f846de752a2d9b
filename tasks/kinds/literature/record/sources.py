"""Where the values of a record come from: the stages that read a paper, and what each of them has stored.

A child keeps what each of its stages returned, under the stage's name. This is the only module that knows those names;
everybody else asks ``record.of`` for values in Python and ``stored`` for an expression in SQL.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F, JSONField, Value
from django.db.models.functions import Coalesce, NullIf
from django.utils.translation import gettext_lazy as _

#: The stage that every paper goes through: its own characters, read by rules on our own machines.
PARSE = "parse"
#: The last stage of a child that several sources have read: the merged record, made once (docs/adr/0011).
MERGED = "record"


@dataclass(frozen=True)
class Source:
    """A stage whose result says what a paper holds. ``label`` is what people read."""

    name: str
    label: object


#: Every source, in the order that decides when nothing else does: the file's own characters come before a service's
#: view of them, that before letters recognised in a picture, and those before what a language model says.
SOURCES: dict[str, Source] = {
    source.name: source
    for source in (
        Source(PARSE, _("read from the file")),
        Source("grobid", "GROBID"),
        Source("mineru", "MinerU"),
        Source("docling", "Docling"),
        Source("recognise", _("text recognition")),
        Source("ask", _("language model")),
    )
}
#: Why a value stands and not another source's: the words of ``merging``, as people read them.
WHY = {
    "only": _("the only source that has it"),
    "verified": _("its quote was found on the page"),
    "agreed": _("more sources say the same"),
    "surer": _("the surer source"),
    "preferred": _("the preferred source"),
}
#: The stored results that SQL looks into, the first that has a value counts. Each look unpacks the whole result of a
#: child again, so only stages that the Kind runs are named here.
STORED = (PARSE,)


def stored(name: str = "", child: str = "subtask"):
    """An expression: what was read of a field, as JSON; SQL's NULL or JSON's null where it was not found.

    ``name`` "" is the whole record. ``child`` is the way to the child's row: "" from the child itself.
    """
    way = f"{child}__result__" if child else "result__"
    found = [F(f"{way}{stage}__{name}" if name else f"{way}{stage}") for stage in STORED]
    if len(found) == 1:
        return found[0]
    null = Value(None, output_field=JSONField())
    return Coalesce(*(NullIf(one, null) for one in found), output_field=JSONField())


def results_of(result: dict | None) -> dict[str, dict]:
    """{source: the record it gave} of a child's stored result, in the order of SOURCES."""
    given = result or {}
    return {name: given[name] for name in SOURCES if isinstance(given.get(name), dict)}
