"""Values of the results table as the database sees them, so that sorting and filtering know what people corrected.

The value that counts is a person's, else the reference list's (of an item without full text), else the machine's.
"""

from __future__ import annotations

from django.db.models import Case, Exists, F, Func, JSONField, OuterRef, Subquery, TextField, Value, When
from django.db.models.functions import Cast, Coalesce, Lower, NullIf

from tasks.kinds.literature.models import Verdict
from tasks.kinds.literature.review.effect import PARTS
from tasks.kinds.literature.review.models import Act

#: Sorted as numbers; everything else as text without regard to capitals.
NUMBERS = {"year", "pages", "sample_size", "groups"}
_PART_OF = {"pages_range": "first_page"}
_FACT = '$.fields[*] ? (@.name == $name && @.status != "ambiguous").value'


class _First(Func):
    """The first of what a JSON path finds; NULL when it finds nothing."""

    function = "jsonb_path_query_first"
    template = "%(function)s(%(expressions)s, true)"
    output_field = JSONField()


def value(name: str):
    """An expression over ``outcomes.papers_of``: the column's value as JSON; SQL's NULL when there is none."""
    name = _PART_OF.get(name, name)
    corrected = Verdict.objects.filter(paper=OuterRef("pk"), name=name, nth=0, current=True, act=Act.CORRECTED)
    if name in PARTS or name == "pages":
        machine = F(f"subtask__result__parse__{name}")
    else:
        machine = _First(
            F("subtask__result__parse"),
            Cast(Value(_FACT), _JsonPath()),
            Func(Value("name"), Value(name), function="jsonb_build_object", output_field=JSONField()),
        )
    # A person may have said that there is none, so the machine's does not come in for an empty correction.
    return Case(
        When(Exists(corrected), then=Subquery(corrected.values("value")[:1])),
        default=Coalesce(_known(F(f"listed__{name}")), _known(machine), output_field=JSONField()),
        output_field=JSONField(),
    )


def order(name: str):
    """What a column is sorted by."""
    if name == "file":
        return Lower("filename")
    found = _known(value(name))
    return found if name in NUMBERS else Lower(Cast(found, TextField()))


def text(name: str):
    """What a filter looks for words in."""
    return F("filename") if name == "file" else Cast(_known(value(name)), TextField())


class _JsonPath(JSONField):
    def db_type(self, connection):
        return "jsonpath"


def _known(expression):
    """JSON's null is not SQL's: what was not found belongs to the end."""
    return NullIf(expression, Value(None, output_field=JSONField()))
