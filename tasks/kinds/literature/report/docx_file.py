"""The report as a DOCX to paste from into a manuscript: headings and plain tables, no pictures."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

import docx
from django.utils import formats, timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from docx.oxml.ns import qn
from docx.shared import Pt

from tasks.kinds.literature.exports.xlsx import text_cell
from tasks.kinds.literature.report.content import Content

CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def made(content: Content) -> bytes:
    """The file."""
    document = docx.Document()
    _letters(document)
    document.core_properties.title, document.core_properties.author = text_cell(content.title)[:255], "Sheaf"
    document.core_properties.comments = ""
    document.add_heading(text_cell(content.title), 0)
    when = formats.date_format(timezone.localtime(content.made_at), "DATETIME_FORMAT")
    document.add_paragraph(_("Report of %(when)s") % {"when": when})
    document.add_heading(_("What became of the papers"), 1)
    document.add_paragraph(content.sum_words + ".")
    _table(document, (_("What"), _("Papers")), [(words, number) for _name, words, number in content.flow])
    document.add_heading(_("What it took"), 1)
    _table(document, (_("What"), _("How much")), content.facts)
    document.add_heading(_("Fields found"), 1)
    head, rows = [_("Field"), _("Papers that have it"), _("of them verified")], content.completeness
    if content.judged_words:
        document.add_paragraph(content.judged_words)
        head += [_("confirmed"), _("corrected")]
    _table(document, head, [row[: len(head)] for row in rows])
    for part in content.distributions:
        document.add_heading(part.title, 1)
        rows = [*((words, number) for words, number in part.bars if number), (_("not found"), part.without)]
        _table(document, (part.title, _("Papers")), rows)
        if part.note:
            document.add_paragraph(part.note)
    document.add_heading(_("Papers that gave nothing"), 1)
    if not content.reasons:
        document.add_paragraph(_("There are none."))
    for reason in content.reasons:
        document.add_heading(f"{reason.number} × {text_cell(reason.words)}", 2)
        for one in reason.papers:
            document.add_paragraph(text_cell(one["paper"].path), style="List Bullet")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _letters(document) -> None:
    """Set a font for each script. Without one for Chinese, Word falls back to whatever font it finds first."""
    style = document.styles["Normal"]
    style.font.name, style.font.size = "Calibri", Pt(10.5)
    style.element.rPr.rFonts.set(qn("w:eastAsia"), "Microsoft YaHei")
    if (get_language() or "").startswith("zh"):
        for name in ("Title", "Heading 1", "Heading 2"):
            document.styles[name].element.get_or_add_rPr().get_or_add_rFonts().set(qn("w:eastAsia"), "Microsoft YaHei")


def _table(document, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    table = document.add_table(rows=1, cols=len(head), style="Light Grid Accent 1")
    for cell, words in zip(table.rows[0].cells, head, strict=True):
        cell.text = text_cell(words)
    for row in rows:
        for cell, value in zip(table.add_row().cells, row, strict=True):
            cell.text = f"{value:,}" if isinstance(value, int) else text_cell(value)
