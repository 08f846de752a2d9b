"""What became of the files given to a set: one outcome a paper, and the counts that must add up.

given = succeeded + failed + cancelled + listed + merged + duplicate + refused  (+ pending + running until the end)
"""

from __future__ import annotations

from collections import Counter

from django.db.models import Case, CharField, Count, F, Prefetch, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from tasks import sentences
from tasks.kinds.literature.models import Intake, Note, Paper, Verdict
from tasks.states import ChildState

#: Every outcome with its word, in the order in which a person wants to see them: trouble first.
OUTCOMES = {
    "failed": _("failed"),
    "refused": _("refused"),
    "duplicate": _("duplicate"),
    "running": _("being read"),
    "pending": _("waiting"),
    "succeeded": _("succeeded"),
    "listed": _("no full text"),
    "merged": _("joined"),
    "cancelled": _("cancelled"),
}
#: Failures that lie in the stored bytes: reading them again can give nothing else, so nobody is asked to retry.
STAYS_SO = {
    "damaged", "password", "office_password", "no_text", "not_a_pdf", "not_a_paper", "empty_file", "xml_entities",
}  # fmt: skip
#: The columns of a Report that count papers.
NUMBERS = ("given", "duplicate", "refused", "listed", "merged", "succeeded", "failed", "cancelled")
#: The fields whose presence the report counts.
COUNTED = ("title", "authors", "doi", "year", "journal", "abstract", "sections", "references")


def papers_of(task) -> QuerySet[Paper]:
    """The set's papers with ``outcome`` (a key of OUTCOMES) and ``rank`` (its place there)."""
    # A set that was cancelled while its list of work was still being made has papers without a child
    never_begun = Case(
        When(task__sealed=True, then=Value(ChildState.CANCELLED.value)), default=Value(ChildState.PENDING.value)
    )
    outcome = Case(
        When(merged_into__isnull=False, then=Value("merged")),
        When(state=Intake.ACCEPTED, then=Coalesce(F("subtask__state"), never_begun)),
        default=F("state"),
        output_field=CharField(),
    )
    ranks = [When(outcome=name, then=Value(rank)) for rank, name in enumerate(OUTCOMES)]
    return (
        Paper.objects.filter(task=task)
        .annotate(outcome=outcome)
        .annotate(rank=Case(*ranks, default=Value(len(OUTCOMES))))
    )


def items_of(task) -> QuerySet[Paper]:
    """``papers_of`` with all that a record is made of, a query more for each chunk that is read."""
    return (
        papers_of(task)
        .select_related("subtask", "review__by")
        .prefetch_related(
            Prefetch("verdicts", Verdict.objects.filter(current=True).select_related("by"), to_attr="standing"),
            Prefetch("notes", Note.objects.select_related("by"), to_attr="remarks"),
            Prefetch("merged", Paper.objects.order_by("position"), to_attr="joined"),
        )
    )


def error_of(paper: Paper) -> tuple[str, str]:
    """(code, sentence in the reader's language) of a paper that failed or was not accepted; else two empty texts."""
    if paper.state != Intake.ACCEPTED:
        return paper.reason, paper.message
    child = paper.subtask
    if child is None or not child.error_code:
        return "", ""
    return child.error_code, sentences.sentence(child.error_code, {"detail": child.error, **child.error_data})


def counts(task) -> dict[str, int]:
    """{outcome: papers, "given": all}, every outcome present."""
    found = dict(papers_of(task).order_by().values_list("outcome").annotate(Count("pk")))
    return {name: found.get(name, 0) for name in OUTCOMES} | {"given": sum(found.values())}


def failures(task) -> dict[str, int]:
    """{error code: papers that failed with it}, the most frequent first."""
    rows = task.children.filter(state=ChildState.FAILED).values_list("error_code").annotate(n=Count("pk"))
    return dict(rows.order_by("-n", "error_code"))


def example(task, code: str) -> dict:
    """The values of one failure of that code, so that its sentence can be said for all of them."""
    found = task.children.filter(state=ChildState.FAILED, error_code=code).order_by("position")
    row = found.values("error", "error_data").first()
    return {"detail": row["error"], **row["error_data"]} if row else {}


def numbers(task) -> dict:
    """The columns of a Report."""
    now = counts(task)
    have: Counter[str] = Counter()
    done = task.children.filter(state=ChildState.SUCCEEDED).values_list("result__parse", flat=True)
    for record in done.iterator(chunk_size=200):
        have.update(name for name in COUNTED if record and record.get(name))
    return {
        **{name: now[name] for name in NUMBERS},
        "failures": failures(task),
        "completeness": {name: have[name] for name in COUNTED},
    }
