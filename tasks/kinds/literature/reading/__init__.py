"""Reads a paper, with no network, no model and no database: `extract_file(path)` gives a plain record.

Pages become words with boxes (chars), words lines (lines), lines an order (columns) and roles (running, captions); then
the parts of a paper are found in them (frontmatter, authors, identifiers, journal, abstract, sections, references),
facts by rules (facts), and every value is looked up on its page (provenance). Nothing here imports Django.
"""

from .errors import ExtractionError
from .record import extract_file

__all__ = ["ExtractionError", "extract_file"]
