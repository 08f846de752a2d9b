"""References, whatever they come in: `sniff` tells what a file is, `read` gives its records.

    sniff(head) -> Format          by content; Format.is_list: for `read`, Format.is_paper: for `read_paper` (or PDF)
    read(source) -> Reading        records, problems with line and code, counted
    read_file(path) -> dict        the same as plain values, to be run in a child process that can be killed
    match, possible_duplicates     which record and which paper are the same, or may be (matching)
    fulltext.read_paper(path)      a JATS, TEI, DOCX or HTML paper in the shape of `extraction.extract_file`

Every record that a file has is in `Reading.records` or is a problem of severity "unreadable" with its line:
`counted == len(records) + len(unreadable)`. Nothing here raises for what a file holds, save `read_paper`; a file that
gives nothing has one problem of severity "refused". Codes have their sentences in `reference_sentences`. No Django.
"""

from .formats import HEAD, Format, name_of, sniff
from .matching import Match, match, possible_duplicates
from .reading import Limits, format_of, read, read_file
from .record import REFUSED, REPAIRED, UNREADABLE, WARNED, Problem, Reading, Record

__all__ = [
    "HEAD", "REFUSED", "REPAIRED", "UNREADABLE", "WARNED", "Format", "Limits", "Match", "Problem", "Reading", "Record",
    "format_of", "match", "name_of", "possible_duplicates", "read", "read_file", "sniff",
]  # fmt: skip
