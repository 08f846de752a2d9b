"""Papers that are not PDFs: `read_paper(path)` gives the record of a JATS, TEI, DOCX or HTML file in the shape of
`extraction.extract_file`, so that a set may hold all of them side by side.

What these files mark is taken as marked; study facts come from the same rules as in PDFs. Such a file is one page: its
values stand on page 1, quotes are looked up in its whole text, and there are no boxes and no `page_sizes`.
"""

from __future__ import annotations

import os

from tasks.kinds.literature.reading.errors import ExtractionError

from ..formats import HEAD, Format, sniff
from ..package_parts import BadPackage
from ..workbook import office_format
from ..xml_tree import RefusedXml
from . import docx, jats, tei, web_page
from .record import build_record

__all__ = ["ExtractionError", "read_paper"]

_READERS = {Format.JATS: jats.read_jats, Format.TEI: tei.read_tei, Format.HTML: web_page.read_web_page}


def read_paper(path: str, *, max_bytes: int = 200 * 2**20) -> dict:
    """The record of the paper at ``path``.

    Raises ExtractionError: damaged, empty_file, too_large, no_text, xml_entities, office_password, not_a_paper.
    """
    size = os.path.getsize(path)
    if size > max_bytes:
        raise ExtractionError("too_large", f"{size} bytes", {"mib": -(-size >> 20), "limit_mib": max_bytes >> 20})
    with open(path, "rb") as file:
        data = file.read()
    found = sniff(data[:HEAD])
    if found == Format.ZIP:
        found = office_format(data)
    if found == Format.EMPTY:
        raise ExtractionError("empty_file", "nothing in it")
    try:
        if found == Format.DOCX:
            article = docx.read_docx(data)
        elif found in _READERS:
            article = _READERS[found](data)
        else:
            raise ExtractionError("not_a_paper", str(found), {"found": str(found)})
    except RefusedXml as error:
        raise ExtractionError(error.code, error.message) from None
    except BadPackage as error:
        code = {"password": "office_password", "too_large_inside": "too_large"}.get(error.code, error.code)
        raise ExtractionError(code, error.message) from None
    if not article.says_something:
        raise ExtractionError("no_text", f"a {found} file without text")
    return build_record(article, str(found))
