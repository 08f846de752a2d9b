"""The report in words and tables, made once and shown three ways: as a page, a workbook and a document."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tasks import sentences
from tasks.kinds.literature import outcomes
from tasks.kinds.literature.fields import COUNTED
from tasks.kinds.literature.forms.questions import questions_of
from tasks.kinds.literature.models import Report, Review, TemplateVersion
from tasks.kinds.literature.report import judged
from tasks.kinds.literature.report.estimate import rounded, took_words
from tasks.kinds.literature.report.models import Account
from tasks.kinds.literature.report.numbers import SIZES
from tasks.kinds.literature.sentences import FIELD_WORDS

#: The columns of models.Report that add up to "given", in the order in which they are said.
PARTS = ("succeeded", "failed", "cancelled", "listed", "merged", "duplicate", "refused")
SHOWN_JOURNALS = 15
WIDEST_YEARS = 40  # columns


@dataclass
class Distribution:
    """``bars``: (words, papers); ``without``: papers without a value; ``note``: what is not shown."""

    name: str
    title: str
    bars: list[tuple[str, int]]
    without: int
    note: str = ""

    @property
    def most(self) -> int:
        return max((number for _words, number in self.bars), default=0)


class Found(NamedTuple):
    """A field: in how many papers it is, in how many of them verified; what people confirmed and corrected."""

    words: str
    number: int
    proven: int
    confirmed: int
    corrected: int


@dataclass
class Reason:
    """Papers that failed for one reason, with what to do."""

    code: str
    words: str
    number: int
    papers: list[Any] = field(default_factory=list)


@dataclass
class Content:
    """Everything that a report says. ``flow``: (name, words, papers), which add up to ``given``."""

    title: str
    generation: int
    given: int
    read: int
    flow: list[tuple[str, str, int]]
    sum_words: str
    facts: list[tuple[str, str]]
    completeness: list[Found]
    judged_words: str  # what people confirmed and corrected, "" when nothing
    distributions: list[Distribution]
    reasons: list[Reason]
    made_at: Any


def of(task, *, papers_a_reason: int | None = 20) -> Content | None:
    """The report of the set's last finished run, in the reader's language; None when there is none yet."""
    report = Report.objects.filter(task=task).first()
    account = Account.objects.filter(task=task, generation__gt=0).first()
    if report is None or account is None or report.generation != account.generation:
        return None
    numbers = judged.numbers_of(task, exact=True)
    parts = [(name, str(outcomes.OUTCOMES[name]), getattr(report, name)) for name in PARTS]
    parts = [part for part in parts if part[2] or part[0] in ("succeeded", "failed")]
    return Content(
        title=task.title,
        generation=report.generation,
        given=report.given,
        read=numbers["papers"],
        flow=parts,
        sum_words=_("%(given)s given = %(parts)s")
        % {"given": report.given, "parts": " + ".join(f"{number} {words}" for _name, words, number in parts)},
        facts=list(_facts(task, account)),
        completeness=_completeness(task, numbers),
        judged_words=_judged_words(numbers),
        distributions=[_years(numbers), _journals(numbers), _designs(numbers), _sizes(numbers)],
        reasons=_reasons(task, papers_a_reason),
        made_at=account.made_at,
    )


def _completeness(task, numbers: dict) -> list[Found]:
    """The questions of the set's form in their order, then the fields that are counted of every set."""
    wanted = {field.key: field.words for field in questions_of(TemplateVersion.of(task))}
    names = [*wanted, *(name for name in COUNTED if name not in wanted)]

    def found(name: str) -> Found:
        have = numbers["have"].get(name, 0)
        said = numbers["confirmed"].get(name, 0), numbers["corrected"].get(name, 0)
        return Found(
            str(wanted.get(name) or FIELD_WORDS[name]), have, min(have, numbers["verified"].get(name, 0)), *said
        )

    return [found(name) for name in names]


def _judged_words(numbers: dict) -> str:
    """A sentence that says how many verdicts are in the counts; "" when there are none."""
    confirmed, corrected = (sum(numbers[act].values()) for act in ("confirmed", "corrected"))
    if not numbers["judged_papers"]:
        return ""
    return ngettext(
        "People judged values of %(n)s paper: %(confirmed)s confirmed, %(corrected)s corrected. A corrected value is "
        "counted as the corrected one.",
        "People judged values of %(n)s papers: %(confirmed)s confirmed, %(corrected)s corrected. A corrected value is "
        "counted as the corrected one.",
        numbers["judged_papers"],
    ) % {"n": numbers["judged_papers"], "confirmed": confirmed, "corrected": corrected}


def _facts(task, account: Account):
    """(what, how much): what the set took, beside what was expected."""
    numbers, expected = account.numbers, account.estimate or {}
    pages = f"{numbers['pages']:,}"
    if expected.get("pages"):
        pages = _("%(pages)s (expected: about %(expected)s)") % {
            "pages": pages,
            "expected": f"{rounded(expected['pages']):,}",
        }
    yield _("Pages read"), pages
    took = numbers["took_s"]
    if took is not None:
        words = took_words(took)
        if expected.get("minutes") and account.generation == 1:
            words = _("%(took)s (expected: about %(expected)s)") % {
                "took": words,
                "expected": took_words(max(expected["minutes"] * 60, 1)),
            }
        yield _("Time taken"), words
        ended = task.children.filter(generation=account.generation, finished_at__isnull=False).count()
        if took >= 1 and ended:
            pace = ended / took * 60
            yield _("Pace"), _("%(n)s papers a minute") % {"n": f"{pace:,.0f}" if pace >= 10 else f"{pace:.1f}"}
    reviewed, readable = (
        Review.objects.filter(paper__task=task),
        outcomes.papers_of(task).filter(outcome__in=outcomes.WITH_VALUES),
    )
    if number := reviewed.count():
        yield _("Reviewed"), _("%(n)s of %(all)s papers") % {"n": number, "all": readable.count()}
    yield _("Cost"), _("none: read on our own machines")
    if account.generation > 1:
        yield _("Run"), str(account.generation)


def _years(numbers: dict) -> Distribution:
    """Every year from the first to the last, also those without a paper; in steps of 5 or 100 when there are many."""
    known = {int(year): n for year, n in numbers["years"].items() if year.lstrip("-").isdecimal()}
    bars: list[tuple[str, int]] = []
    if known:
        first, last = min(known), max(known)
        step = 1 if last - first < WIDEST_YEARS else 5 if last - first < 5 * WIDEST_YEARS else 100
        begin = first - first % step
        for year in range(begin, last + 1, step):
            inside = sum(n for one, n in known.items() if year <= one < year + step)
            bars.append((str(year) if step == 1 else f"{year}–{year + step - 1}", inside))
    without = numbers["papers"] - sum(known.values())
    return Distribution("years", _("Years of publication"), bars, without)


def _journals(numbers: dict) -> Distribution:
    known = _ranked(numbers["journals"])
    shown, rest = known[:SHOWN_JOURNALS], known[SHOWN_JOURNALS:]
    without = numbers["journals"].get("", 0)
    left = numbers["papers"] - without - sum(n for _name, n in shown)
    note = ""
    if rest:
        note = ngettext(
            "%(n)s more paper stands in other journals.", "%(n)s more papers stand in other journals.", left
        ) % {"n": left}
    return Distribution("journals", _("Journals"), shown, without, note)


def _designs(numbers: dict) -> Distribution:
    return Distribution("designs", _("Study designs"), _ranked(numbers["designs"]), numbers["designs"].get("", 0))


def _ranked(counts: dict[str, int]) -> list[tuple[str, int]]:
    """The most frequent first (PostgreSQL keeps a JSON object's keys in an order of its own)."""
    return sorted(((name, n) for name, n in counts.items() if name), key=lambda one: (-one[1], one[0].casefold()))


def _sizes(numbers: dict) -> Distribution:
    bars = []
    for low, high in zip(SIZES, (*SIZES[1:], None), strict=True):
        words = f"{low:,}–{high - 1:,}" if high else _("%(n)s or more") % {"n": f"{low:,}"}
        bars.append((words, numbers["sizes"].get(str(low), 0)))
    if not any(n for _words, n in bars):
        bars = []
    return Distribution("sizes", _("Sample sizes"), bars, numbers["sizes"].get("0", 0))


def _reasons(task, most: int | None) -> list[Reason]:
    """Failed and refused papers by reason, the most frequent first; ``most`` papers of each (None: all)."""
    found: dict[str, Reason] = {}
    papers = outcomes.papers_of(task).filter(outcome__in=["failed", "refused"]).select_related("subtask")
    for paper in papers.order_by("position").iterator(chunk_size=500):
        code, words = outcomes.error_of(paper)
        reason = found.setdefault(code, Reason(code, sentences.sentence(code, _values(paper)), 0))
        reason.number += 1
        if most is None or len(reason.papers) < most:
            reason.papers.append({"paper": paper, "words": words})
    return sorted(found.values(), key=lambda reason: (-reason.number, reason.code))


def _values(paper) -> dict:
    child = paper.subtask
    return {"detail": child.error, **child.error_data} if child is not None else paper.reason_data
