"""What reading a file of references gives: records, and problems with the line each stands on."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from tasks.kinds.literature.reading.notices import CONCERN, RETRACTION, WITHDRAWAL, of_title

RAW_LIMIT = 20_000

#: How grave a problem is. "repaired": read as it was meant. "warned": read, a person should look at it.
#: "unreadable": one record of the file that was not imported. "refused": the file gave nothing at all.
REPAIRED, WARNED, UNREADABLE, REFUSED = "repaired", "warned", "unreadable", "refused"
_LINES_TOLD = 100


@dataclass(slots=True)
class Record:
    """One reference.

    ``year`` is an int or None; ``authors`` are ``{"family", "given"}`` in order; ``type`` is a word of
    ``vocabulary.TYPES``; ``language`` is as the file gives it; ``notice`` is "retraction", "correction", ... where
    its list or its title says so; ``source_line`` counts from 1 (the row, in a workbook); ``part`` is the sheet
    of a workbook; ``raw`` is the record's own text, at most RAW_LIMIT characters.
    """

    title: str | None = None
    authors: list[dict] = field(default_factory=list)
    year: int | None = None
    journal: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    doi: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    abstract: str | None = None
    keywords: list[str] = field(default_factory=list)
    type: str | None = None
    language: str | None = None
    url: str | None = None
    notes: str | None = None
    notice: str | None = None
    source_line: int = 0
    part: str = ""
    raw: str = ""

    @property
    def says_something(self) -> bool:
        """Whether there is enough to know a paper by."""
        return bool(self.title or self.doi or self.pmid or self.pmcid or self.abstract)


@dataclass(slots=True)
class Problem:
    """``line`` counts from 1, 0 is the file as a whole; ``code`` has a sentence in the catalogue, ``detail`` are its
    values; ``text`` is what stands there. A repair made many times is one problem: ``detail["count"]``,
    ``detail["lines"]`` (the first 100).
    """

    line: int
    code: str
    text: str = ""
    severity: str = WARNED
    detail: dict = field(default_factory=dict)


@dataclass
class Reading:
    """``counted`` is how many records the file says it has, counted apart from the reading: each of them is in
    ``records`` or is a problem of severity "unreadable".
    """

    format: str
    records: list[Record] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    counted: int = 0
    encoding: str = ""
    _told: dict[tuple[str, str], Problem] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def unreadable(self) -> list[Problem]:
        return [p for p in self.problems if p.severity == UNREADABLE]

    @property
    def refused(self) -> Problem | None:
        """Why the whole file gave nothing, if so."""
        return next((p for p in self.problems if p.severity == REFUSED), None)

    def as_dict(self) -> dict:
        """Plain values, fit for JSON."""
        plain = asdict(self)
        del plain["_told"]
        return plain

    # -- while reading ---------------------------------------------------------------------------------------------

    def tell(self, line: int, code: str, severity: str, text: str = "", **detail) -> None:
        """A problem of its own."""
        self.problems.append(Problem(line, code, text[:500], severity, detail))

    def tell_again(self, line: int, code: str, severity: str = REPAIRED, text: str = "", **detail) -> None:
        """A problem that a file tends to have in every record: told once, with the lines."""
        same = self._told.get((code, severity))
        if same is None:
            self.tell(line, code, severity, text, count=1, lines=[line], **detail)
            self._told[code, severity] = self.problems[-1]
            return
        same.detail["count"] += 1
        if len(same.detail["lines"]) < _LINES_TOLD:
            same.detail["lines"].append(line)

    def add(self, record: Record, raw: str) -> None:
        """Import a record, or list it as unreadable when nothing in it tells which paper it is."""
        record.raw = raw if len(raw) <= RAW_LIMIT else raw[: RAW_LIMIT - 1] + "…"
        if not record.says_something:
            self.tell(
                record.source_line,
                "nothing_identifies",
                UNREADABLE,
                raw.strip(),
                **({"part": record.part} if record.part else {}),
            )
            return
        if not record.title:
            self.tell(record.source_line, "untitled", WARNED, record.doi or record.pmid or (record.abstract or "")[:80])
        record.notice = record.notice or of_title(record.title)
        if record.notice in (RETRACTION, WITHDRAWAL, CONCERN):
            self.tell(record.source_line, "retracted", WARNED, record.title or record.doi or "", notice=record.notice)
        self.records.append(record)


def refused(format: str, code: str, text: str = "", **detail) -> Reading:
    """The reading of a file that gives nothing."""
    reading = Reading(str(format))
    reading.tell(0, code, REFUSED, text, **detail)
    return reading
