"""Values of the results table as expressions in SQL, so that sorting and filtering see what people corrected.

A person's value counts first, then the reference list's (of an item without full text), then the one that was read.
"""

from __future__ import annotations

from django.db.models import Case, Exists, F, Func, JSONField, OuterRef, Subquery, TextField, Value, When
from django.db.models.functions import Cast, Coalesce, Lower, NullIf

from tasks.kinds.literature.fields import NAMED, Type
from tasks.kinds.literature.fields.columns import COLUMN_NAMED
from tasks.kinds.literature.models import Verdict
from tasks.kinds.literature.record import stored
from tasks.kinds.literature.review.models import Act

_FACT = '$.fields[*] ? (@.name == $name && @.status != "ambiguous").value'


class _First(Func):
    """The first value that a JSON path finds; NULL when it finds nothing."""

    function = "jsonb_path_query_first"
    template = "%(function)s(%(expressions)s, true)"
    output_field = JSONField()


def value(name: str):
    """An expression over ``outcomes.papers_of``: a column's value as JSON; SQL's NULL when there is none."""
    if name not in NAMED and name in COLUMN_NAMED and COLUMN_NAMED[name].keys:
        name = COLUMN_NAMED[name].keys[0]  # a column of several fields is sorted by the first of them
    corrected = Verdict.objects.filter(paper=OuterRef("pk"), name=name, nth=0, current=True, act=Act.CORRECTED)
    if name in NAMED and NAMED[name].is_part:
        machine = stored(name)
    else:
        machine = _First(
            stored(),
            Cast(Value(_FACT), _JsonPath()),
            Func(Value("name"), Value(name), function="jsonb_build_object", output_field=JSONField()),
        )
    # An empty correction says that the paper has no such value, so the machine's must not show through.
    return Case(
        When(Exists(corrected), then=Subquery(corrected.values("value")[:1])),
        default=Coalesce(_known(F(f"listed__{name}")), _known(machine), output_field=JSONField()),
        output_field=JSONField(),
    )


def order(name: str):
    """What a column is sorted by: numbers as numbers, all else as text without regard to capitals."""
    if name == "file":
        return Lower("filename")
    found = _known(value(name))
    is_number = name in NAMED and NAMED[name].type is Type.WHOLE
    return found if is_number else Lower(Cast(found, TextField()))


def text(name: str):
    """The text in which a filter looks for words."""
    return F("filename") if name == "file" else Cast(_known(value(name)), TextField())


class _JsonPath(JSONField):
    def db_type(self, connection):
        return "jsonpath"


def _known(expression):
    """The expression with JSON's null made SQL's NULL, so that papers without a value come last."""
    return NullIf(expression, Value(None, output_field=JSONField()))
