"""The receipt of a set: everything that was given, what became of it at the door and why; for the page and as a file.

given = accepted + duplicate + refused, where a record of a reference list is accepted like a file.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tasks import sentences
from tasks.kinds.literature.models import Intake, Paper, Source

#: What a list or an archive is, in words.
FORMATS = {
    "zip": _("archive"),
    "ris": "RIS",
    "bibtex": "BibTeX",
    "nbib": "PubMed (NBIB)",
    "endnote_xml": "EndNote XML",
    "pubmed_xml": "PubMed XML",
    "enw": "EndNote (.enw)",
    "wos": "Web of Science",
    "pubmed_text": _("PubMed text"),
    "csv": "CSV",
    "tsv": "TSV",
    "xlsx": "XLSX",
    "identifiers": _("list of DOIs and PMIDs"),
    "pdf": "PDF",
    "csl_json": "CSL-JSON",
    "refworks": "RefWorks Tagged",
    "ovid": "Ovid",
    "labelled": _("text with labels"),
    "mods": "MODS",
    "zotero_rdf": "Zotero RDF",
    "ods": "ODS",
    "jats": "JATS",
    "tei": "TEI",
    "docx": "DOCX",
    "html": "HTML",
}
_TROUBLE_SHOWN, _PROBLEMS_SHOWN = 200, 200


def problem_words(problem: dict) -> str:
    """A problem of a list in the reader's language: {line} and {text} have their values."""
    values = {**problem.get("detail", {}), "line": problem["line"], "text": problem.get("text", "")}
    return sentences.sentence(problem["code"], values)


def paper_json(paper: Paper) -> dict:
    """A file as the upload page and programs see it."""
    first = paper.duplicate_of
    return {
        "id": paper.pk,
        "number": paper.position,
        "filename": paper.filename,
        "folder": paper.folder,
        "line": paper.line,
        "size": paper.size,
        "sha256": paper.sha256,
        "format": paper.format,
        "state": paper.state,
        "reason": paper.reason,
        "message": paper.message,
        "duplicate_of": first and {"id": first.pk, "number": first.position, "filename": first.filename},
        "remove_url": reverse("literature:remove", args=[paper.task_id, paper.pk]),
        "again_url": reverse("literature:read_all_the_same", args=[paper.task_id, paper.pk])
        if paper.state == Intake.DUPLICATE
        else None,
    }


def source_json(source: Source) -> dict:
    """An archive or a list as the upload page and programs see it: counts, what was mended, what was not taken."""
    papers = within(source)
    trouble = (
        papers.filter(state__in=[Intake.DUPLICATE, Intake.REFUSED]).select_related("duplicate_of").order_by("position")
    )
    return {
        "id": source.pk,
        "filename": source.filename,
        "folder": source.folder,
        "size": source.size,
        "sha256": source.sha256,
        "format": source.format,
        "format_words": str(FORMATS.get(source.format, source.format)),
        "done": source.done,
        "counts": counts(papers),
        "ignored": source.ignored,
        "problems": [
            {"line": one["line"], "code": one["code"], "severity": one["severity"], "message": problem_words(one)}
            for one in source.problems[:_PROBLEMS_SHOWN]
        ],
        "trouble": [
            {"file": paper.path, "line": paper.line, "state": paper.state, "message": paper.message}
            for paper in trouble[:_TROUBLE_SHOWN]
        ],
        "remove_url": reverse("literature:remove_source", args=[source.task_id, source.pk]),
    }


def within(source: Source):
    """The papers that came in a source, those of lists in an archive included."""
    return Paper.objects.filter(Q(source=source) | Q(source__parent=source), task=source.task_id)


def counts(papers) -> dict[str, int]:
    """{given, accepted, duplicate, refused} of papers: the first is the sum of the others."""
    found = dict(papers.order_by().values_list("state").annotate(Count("pk")))
    accepted = found.get(Intake.ACCEPTED, 0) + found.get(Intake.LISTED, 0)
    now = {
        "accepted": accepted,
        **{name: found.get(name, 0) for name in (Intake.DUPLICATE.value, Intake.REFUSED.value)},
    }
    return {"given": sum(now.values()), **now}


def receipt_json(task) -> dict:
    """The whole receipt: files that came by themselves, archives and lists with what is in them, the sum."""
    alone = task.papers.filter(source=None).select_related("duplicate_of").order_by("position")
    return {
        "papers": [paper_json(paper) for paper in alone],
        "sources": [source_json(source) for source in task.sources.filter(parent=None).order_by("pk")],
        "counts": counts(task.papers.all()),
        "files": task.papers.filter(state=Intake.ACCEPTED).count(),
    }


def rows(task) -> Iterator[list]:
    """The receipt as a table, its head first: a row for everything given, then one for each repair and warning."""
    yield [
        gettext("number"),
        gettext("name"),
        gettext("folder"),
        gettext("line"),
        gettext("came in"),
        gettext("format"),
        gettext("state"),
        gettext("code"),
        gettext("reason"),
        gettext("text"),
    ]
    papers = task.papers.select_related("source").order_by("position")
    for paper in papers.iterator(chunk_size=500):
        came_in = paper.source.path if paper.source and not paper.line else ""
        yield [
            paper.position,
            paper.filename,
            paper.folder,
            paper.line or "",
            came_in,
            FORMATS.get(paper.format, paper.format),
            paper.get_state_display(),
            paper.reason,
            paper.message,
            paper.reason_data.get("text", ""),
        ]
    for source in task.sources.order_by("pk"):
        for one in source.problems:
            word = gettext("mended") if one["severity"] == "repaired" else gettext("look at it")
            yield [
                "",
                source.filename,
                source.folder,
                one["line"] or "",
                source.path,
                FORMATS.get(source.format, source.format),
                word,
                one["code"],
                problem_words(one),
                one.get("text", ""),
            ]
        if source.ignored:
            yield [
                "",
                source.filename,
                source.folder,
                "",
                source.path,
                FORMATS.get(source.format, source.format),
                gettext("left out"),
                "ignored",
                gettext("%(n)d files that systems leave in archives") % {"n": source.ignored},
                "",
            ]
