"""XLSX: every sheet of a workbook as a table of texts: numbers as they were typed, dates as dates, formulas by value.

PubMed numbers keep their digits, nothing is calculated, nothing is run. A workbook with a password is not a zip archive
but an OLE file, and so is one of before 2007: those are told apart and refused.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation

from .formats import Format
from .opendocument import MIMETYPE
from .package_parts import BadPackage, Package
from .record import REFUSED, REPAIRED, UNREADABLE, WARNED, Reading
from .sheet import Sheet, read_sheet
from .table import head_row, import_rows
from .values import unescaped

_DATE_IDS = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}
_DATE_HEAD = re.compile(r"date|year|day|month|time|publish|created|updated|accessed|日期|时间|年", re.I)
_SHARED_TEXT = 128 * 2**20


def office_format(source) -> Format:
    """XLSX or DOCX when the directory of an archive (bytes, path or open file) shows it, else ZIP."""
    try:
        package = Package(source)
        names = package.names
    except BadPackage:
        return Format.ZIP
    if "content.xml" in names and "mimetype" in names and _part(package, "mimetype") == MIMETYPE:
        return Format.ODS
    if "[Content_Types].xml" not in names:
        return Format.ZIP
    if any(name.startswith("xl/") for name in names):
        return Format.XLSX
    return Format.DOCX if any(name.startswith("word/") for name in names) else Format.ZIP


def _part(package: Package, name: str) -> bytes:
    try:
        return package.stream(name, 200).read()
    except BadPackage:
        return b""


def ole_code(data: bytes) -> str:
    """Which of the files in OLE's clothes it is, by the names in its directory (UTF-16)."""

    def named(name: str) -> bool:
        return name.encode("utf-16-le") in data

    if named("EncryptedPackage"):
        return "office_password"
    if named("Workbook") or named("Book"):
        return "old_workbook"
    return "old_document" if named("WordDocument") else "old_office"


def read_workbook(data: bytes, reading: Reading, limits) -> None:
    """Add the rows of every sheet to the reading."""
    try:
        package = Package(data)
        sheets = _sheets(package)
        texts = _Texts(package)
    except BadPackage as error:
        reading.tell(0, _code(error), REFUSED, error.message)
        return
    left = limits.cells
    for title, part in sheets:
        where = title if len(sheets) > 1 else ""
        try:
            sheet = read_sheet(package, part, texts.of, max_cells=left, max_columns=limits.columns)
        except BadPackage as error:
            reading.tell(0, _code(error), REFUSED if len(sheets) == 1 else UNREADABLE, error.message, part=title)
            reading.counted += 1 if len(sheets) > 1 else 0
            continue
        left -= sum(map(len, sheet.rows.values()))
        _tell(sheet, reading, title, limits)
        rows = [(number, _filled(sheet.rows[number])) for number in sorted(sheet.rows)]
        _dates(sheet, rows, reading, title)
        import_rows(rows, reading, where)


def _code(error: BadPackage) -> str:
    return {"damaged": "workbook_damaged", "password": "office_password", "too_large_inside": "workbook_too_large"}.get(
        error.code, error.code
    )


def _sheets(package: Package) -> list[tuple[str, str]]:
    """[(title, part)] in the order of the tabs."""
    books = package.find(r"xl/workbook\d*\.xml")
    if not books:
        raise BadPackage("damaged", "no workbook in it")
    targets = package.targets(books[0])
    found = []
    for sheet in package.tree(books[0]).iter():
        if isinstance(sheet.tag, str) and sheet.tag.rpartition("}")[2] == "sheet":
            ids = [value for name, value in sheet.attrib.items() if name.rpartition("}")[2] == "id"]
            part = targets.get(ids[0]) if ids else None
            if part in package.names and "/chartsheets/" not in part:
                found.append((sheet.get("name") or part, part))
    return found or [(name, name) for name in package.find(r"xl/worksheets/\w+\.xml")]


class _Texts:
    """Cell values as text: shared strings, number formats that are dates, the workbook's epoch."""

    def __init__(self, package: Package):
        self.shared = _shared(package)
        self.dates = _date_styles(package)
        book = package.tree(package.find(r"xl/workbook\d*\.xml")[0])
        marks = [
            one.get("date1904") for one in book.iter() if isinstance(one.tag, str) and one.tag.endswith("}workbookPr")
        ]
        self.epoch = datetime(1904, 1, 1) if marks and marks[0] in ("1", "true") else datetime(1899, 12, 30)

    def of(self, kind: str, style: str, value: str) -> tuple[str, bool]:
        if kind == "s":
            return (
                (self.shared[int(value)], False)
                if re.fullmatch(r"[0-9]{1,9}", value) and int(value) < len(self.shared)
                else ("", False)
            )
        if kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(value, value), False
        if kind in ("str", "e", "d"):
            return unescaped(value), kind == "d"
        if not value:
            return "", False
        if style in self.dates and (date := self._date(value)):
            return date, True
        return _number(value), False

    def _date(self, value: str) -> str | None:
        try:
            moment = self.epoch + timedelta(days=float(value))
        except (ValueError, OverflowError):
            return None
        return moment.date().isoformat() if float(value) >= 1 else None


def _number(value: str) -> str:
    """A number as a person typed it: no ".0", no exponent for whole numbers of up to 15 digits, no binary dust."""
    try:
        number = Decimal(value)
    except InvalidOperation:
        return value
    if number == number.to_integral_value() and abs(number) < 10**15:
        return str(int(number))
    return value if "E" in value.upper() and abs(number) >= 10**15 else format(float(number), ".15g")


def _shared(package: Package) -> list[str]:
    found: list[str] = []
    if not (names := package.find(r"xl/[sS]haredStrings\.xml")):
        return found
    for event, element in package.events(names[0], _SHARED_TEXT):
        if event == "end" and isinstance(element.tag, str) and element.tag.rpartition("}")[2] == "si":
            parts = [
                one.text or ""
                for one in element.iter()
                if isinstance(one.tag, str) and one.tag.endswith("}t") and not one.getparent().tag.endswith("}rPh")
            ]
            found.append(unescaped("".join(parts)))
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
    return found


def _date_styles(package: Package) -> set[str]:
    """Indices of cell styles whose number format is a date."""
    if not (names := package.find(r"xl/styles\.xml")):
        return set()
    root = package.tree(names[0])
    own = {}
    styles: list[str] = []
    for one in root.iter():
        tag = one.tag.rpartition("}")[2] if isinstance(one.tag, str) else ""
        if tag == "numFmt":
            own[one.get("numFmtId")] = one.get("formatCode") or ""
        elif tag == "cellXfs":
            styles = [child.get("numFmtId") or "0" for child in one]

    def is_date(number: str) -> bool:
        code = re.sub(r'"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]', "", own.get(number, ""))
        return (
            re.fullmatch(r"[0-9]{1,9}", number) is not None
            and int(number) in _DATE_IDS
            or bool(re.search(r"[ymdhs]", code, re.I))
            and "general" not in code.lower()
        )

    return {str(n) for n, number in enumerate(styles) if is_date(number)}


def _tell(sheet: Sheet, reading: Reading, title: str, limits) -> None:
    if sheet.full:
        reading.tell(max(sheet.rows, default=0), "too_many_cells", WARNED, part=title, limit=limits.cells)
    for row, text in sheet.far:
        reading.tell_again(row, "far_cell", WARNED, text, part=title, limit=limits.columns)
    for row, text in sheet.unsolved:
        reading.tell_again(row, "formula_without_value", WARNED, text, part=title)
    if sheet.spread:
        reading.tell(
            place_row(sheet.merged[0]),
            "merged_cells",
            REPAIRED,
            sheet.merged[0],
            part=title,
            ranges=len(sheet.merged),
            cells=sheet.spread,
        )


def place_row(ref: str) -> int:
    """The first row of a range."""
    match = re.match(r"\$?[A-Z]+\$?(\d+)", ref)
    return int(match[1]) if match else 0


def _dates(sheet: Sheet, rows, reading: Reading, title: str) -> None:
    """Dates in a column of words: what becomes of SEPT2 and MARCH1 (Ziemann 2016, 10.1186/s13059-016-1044-7)."""
    if not sheet.dates or not rows:
        return
    head = head_row([cells for _, cells in rows])
    heads = rows[head][1] if head is not None else []
    for column in {column for _, column in sheet.dates}:
        title_of = heads[column] if column < len(heads) else ""
        if _DATE_HEAD.search(title_of):
            continue
        cells = [(number, sheet.rows[number][column]) for number in sorted(sheet.rows) if column in sheet.rows[number]]
        words = [
            text
            for number, text in cells
            if (number, column) not in sheet.dates and re.search(r"[A-Za-z]", text) and text != title_of
        ]
        if words or re.search(r"gene|symbol|protein", title_of, re.I):
            for number, text in cells:
                if (number, column) in sheet.dates:
                    reading.tell_again(
                        number, "gene_as_date", WARNED, text, part=title, column=title_of or str(column + 1)
                    )


def _filled(cells: dict[int, str]) -> list[str]:
    return [cells.get(n, "") for n in range(max(cells) + 1)]
