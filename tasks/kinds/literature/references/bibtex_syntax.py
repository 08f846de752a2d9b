"""The syntax of BibTeX: entries with their fields as text, each with its line, and what is wrong with them.

One broken entry never takes its neighbours along: a value whose brace is not closed ends where the line ends, at the
latest before the next line that begins an entry.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

START = re.compile(r"^[ \t]*@[ \t]*([A-Za-z]\w*)[ \t]*\n?[ \t]*([{(])", re.M)
NOT_ENTRIES = ("comment", "string", "preamble")
_NAME = re.compile(r"[A-Za-z][\w:.+/*-]*(?:[ \t]+[\w:.+/*-]+)*(?=\s*=)")
_KEY = re.compile(r"\s*([^\s,={}\"#%]*)\s*(?=[,}\n)]|$)")
_WORD = re.compile(r"[^\s,#{}\"=]+")
_MONTHS = dict(zip("jan feb mar apr may jun jul aug sep oct nov dec".split(), range(1, 13), strict=True))


@dataclass
class Entry:
    """``fields`` are by name in lower case, text still in LaTeX; ``faults`` are (code, line, text)."""

    kind: str
    key: str
    line: int
    raw: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    faults: list[tuple[str, int, str]] = field(default_factory=list)


def entries(text: str) -> tuple[list[Entry], list[tuple[int, str]]]:
    """(entries in order, [(line, text)] between them that is neither comment nor white space)."""
    starts = list(START.finditer(text))
    macros = {name: str(number) for name, number in _MONTHS.items()}
    found, between, at, lines = [], [], 0, _Lines(text)
    for n, start in enumerate(starts):
        if start.start() < at:
            continue  # stands inside the braces of a comment
        if text[at : start.start()].strip():
            between.append(
                (
                    lines.number(at + len(text[at : start.start()]) - len(text[at : start.start()].lstrip())),
                    text[at : start.start()].strip(),
                )
            )
        limit = starts[n + 1].start() if n + 1 < len(starts) else len(text)
        kind = start[1].lower()
        if kind in NOT_ENTRIES:
            at = _Body(text, start.end(), start[2], limit if kind != "comment" else len(text), macros, lines).skip(kind)
            if at > limit and kind == "comment" and text.count("\n", start.start(), at) > 2000:
                at = limit  # a comment that is not closed hides no records
            continue
        entry = Entry(kind, "", lines.number(start.start() + len(start[0]) - len(start[0].lstrip())))
        at = _Body(text, start.end(), start[2], limit, macros, lines).read(entry)
        entry.raw = text[start.start() : at].strip()
        found.append(entry)
    if text[at:].strip():
        between.append((lines.number(at + len(text[at:]) - len(text[at:].lstrip())), text[at:].strip()))
    return found, between


class _Lines:
    """Offsets to line numbers; asked for in rising order, so each newline is counted once."""

    def __init__(self, text: str):
        self._text, self._at, self._line = text, 0, 1

    def number(self, at: int) -> int:
        if at < self._at:
            return self._line - self._text.count("\n", at, self._at)
        self._line += self._text.count("\n", self._at, at)
        self._at = at
        return self._line


class _Body:
    """What stands between the brackets of one entry; never reads past ``limit``, where the next one begins."""

    def __init__(self, text, at, opener, limit, macros, lines):
        self.text, self.at, self.limit, self.macros, self.lines = text, at, limit, macros, lines
        self.closer = "}" if opener == "{" else ")"

    def skip(self, kind: str) -> int:
        """Past @comment, @preamble, @string; a string's value becomes a macro."""
        if kind == "string":
            entry = Entry(kind, "", 0)
            self._fields(entry)
            self.macros.update(entry.fields)
            return self.at
        end = self._balanced(self.at, self.closer)
        return end + 1 if end is not None else self.limit

    def read(self, entry: Entry) -> int:
        match = _KEY.match(self.text, self.at, self.limit)
        if match:
            entry.key = match[1]
            self.at = match.end()
        if not entry.key:
            entry.faults.append(("missing_key", entry.line, ""))
        self._fields(entry)
        return self.at

    def _fields(self, entry: Entry) -> None:
        first = True
        while True:
            comma = self._space()
            if self.at >= self.limit:
                entry.faults.append(("unclosed_entry", entry.line, entry.key))
                return
            if self.text[self.at] == self.closer:
                self.at += 1
                return
            name = _NAME.match(self.text, self.at, self.limit)
            if not name:
                self._stray(entry)
                continue
            if not comma and not first:
                entry.faults.append(("missing_comma", self.lines.number(self.at), name[0]))
            first = False
            line = self.lines.number(self.at)
            self.at = self.text.index("=", name.end()) + 1
            value = self._value(entry)
            key = re.sub(r"\s+", "", name[0]).lower()
            if key in entry.fields:
                entry.faults.append(("duplicate_field", line, f"{name[0]} = {value}"))
            else:
                entry.fields[key] = value

    def _space(self) -> bool:
        """Skips white space, commas and lines of comment; whether there was a comma."""
        comma = False
        while self.at < self.limit:
            c = self.text[self.at]
            if c == "%" and not self.text[self.text.rfind("\n", 0, self.at) + 1 : self.at].strip():
                end = self.text.find("\n", self.at, self.limit)
                self.at = self.limit if end < 0 else end
            elif c == "," or c.isspace():
                comma = comma or c == ","
                self.at += 1
            else:
                return comma
        return comma

    def _stray(self, entry: Entry) -> None:
        """Something that is no field: the rest of its line is passed over, and told."""
        end = self.text.find("\n", self.at, self.limit)
        end = self.limit if end < 0 else end
        text = self.text[self.at : end]
        cut = text.find(self.closer)
        if 0 <= cut and text.strip(" \t,") != text[: cut + 1].strip(" \t,") and not text[cut + 1 :].strip():
            end = self.at + cut
        entry.faults.append(("unreadable_field", self.lines.number(self.at), text.strip()[:200]))
        self.at = max(end, self.at + 1)

    def _value(self, entry: Entry) -> str:
        """Parts joined by "#": braces, quotes, numbers, names of strings."""
        parts = []
        while True:
            while self.at < self.limit and self.text[self.at].isspace():
                self.at += 1
            c = self.text[self.at] if self.at < self.limit else ""
            if c in ("{", '"'):
                parts.append(self._delimited(c, entry))
            elif word := _WORD.match(self.text, self.at, self.limit):
                self.at = word.end()
                parts.append(self.macros.get(word[0].lower(), word[0]))
            after = re.compile(r"\s*+#").match(self.text, self.at, self.limit)
            if not after:
                return "".join(parts)
            self.at = after.end()

    def _delimited(self, opener: str, entry: Entry) -> str:
        start = self.at + 1
        end = self._balanced(start, "}" if opener == "{" else '"')
        if end is not None and not self._swallowed(start, end, opener):
            self.at = end + 1
            return self.text[start:end]
        entry.faults.append(
            ("unclosed_value", self.lines.number(self.at), self.text[self.at : self.at + 80].split("\n")[0])
        )
        newline = self.text.find("\n", start, self.limit)
        self.at = self.limit if newline < 0 else newline
        rest = self.text[start : self.at].rstrip().rstrip(",")
        return re.sub(r'["}]\s*$', "", rest) if opener == '"' else rest.rstrip("}")

    def _swallowed(self, start: int, end: int, opener: str) -> bool:
        """Whether a value holds what must be fields of its own: its closing sign was forgotten further up."""
        inside = self.text[start:end]
        if opener == '"' and re.search(r"\n\s*[A-Za-z]\w*\s*=\s*$", inside):
            return True  # ended by the quote that opens the next field's value
        return re.search(r"\n\s*[A-Za-z]{3,12}\s*=\s*[{\"][^\n]*[}\"],?\s*(?:\n|$)", inside) is not None and (
            opener == '"'
            or inside.count("{") > 0
            and re.search(r"\}\s*,\s*\n\s*[A-Za-z]{3,12}\s*=\s*\{", inside) is not None
        )

    def _balanced(self, at: int, closer: str) -> int | None:
        """The offset of the closing sign, braces inside balanced; None when there is none before the limit."""
        depth = 0
        for match in re.compile(r"\\.|[{}]|" + re.escape(closer), re.S).finditer(self.text, at, self.limit):
            c = match[0]
            if c == closer and depth == 0:
                return match.start()
            if c == "{":
                depth += 1
            elif c == "}":
                depth -= 1
                if depth < 0:
                    return None
        return None
