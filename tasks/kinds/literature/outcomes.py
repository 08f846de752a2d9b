"""What became of the files given to a set: one outcome a paper, and the counts that must add up.

given = succeeded + failed + cancelled + listed + merged + duplicate + refused  (+ pending + running until the end)
"""

from __future__ import annotations

from django.db.models import Case, CharField, Count, F, Prefetch, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from tasks import sentences
from tasks.kinds.literature.models import Intake, Note, Paper, Verdict
from tasks.states import ChildState

#: Every outcome with its word, trouble first: the order of lists and of the counts on a page.
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
#: Failures that lie in the stored bytes. Another attempt gives the same, so a retry is not offered.
STAYS_SO = {
    "damaged",
    "password",
    "office_password",
    "no_text",
    "not_a_pdf",
    "not_a_paper",
    "empty_file",
    "xml_entities",
}
#: The columns of a Report, which count papers.
NUMBERS = ("given", "duplicate", "refused", "listed", "merged", "succeeded", "failed", "cancelled")
#: Outcomes of papers that have values: a row in the table, and something to review.
WITH_VALUES = ("succeeded", "listed")


def papers_of(task) -> QuerySet[Paper]:
    """The set's papers with ``outcome`` (a key of OUTCOMES) and ``rank`` (its place there)."""
    # A set that was cancelled while its children were still being made has papers without a child.
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
    """``papers_of`` with all that an effective record is made of: four queries for each chunk that is read."""
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
    """The values of one failure of that code, for the sentence that stands for all of them; {} when there is none."""
    found = task.children.filter(state=ChildState.FAILED, error_code=code).order_by("position")
    row = found.values("error", "error_data").first()
    return {"detail": row["error"], **row["error_data"]} if row else {}


def numbers(task) -> dict[str, int]:
    """The columns of a Report."""
    now = counts(task)
    return {name: now[name] for name in NUMBERS}
