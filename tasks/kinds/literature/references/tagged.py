"""Records made of tagged lines ("TI  - ...", "%T ...", "PMID- ..."): gathering tags and continuation lines, with the
line each record begins on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Tagged:
    """One record as it stands in the file: ``tags`` are (tag, lines of its value, number of its first line)."""

    line: int
    tags: list[tuple[str, list[str], int]] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)
    begun: bool = False  # by the tag that begins a record, not by guess

    def put(self, tag: str, value: str, line: int) -> None:
        self.tags.append((tag, [value] if value else [], line))

    def go_on(self, value: str) -> None:
        """A line without a tag belongs to the value above it."""
        if self.tags and value:
            self.tags[-1][1].append(value)

    def has(self, *names: str) -> bool:
        return any(tag in names and value for tag, value, _ in self.tags)

    def first(self, *names: str) -> str:
        """The value of the first of ``names`` that has one, its lines joined by spaces."""
        return next(iter(self.all(*names)), "")

    def all(self, *names: str) -> list[str]:
        """Every value of the tags, in the order of ``names``, the lines of each joined by spaces."""
        return [" ".join(value) for name in names for tag, value, _ in self.tags if tag == name and any(value)]

    def in_order(self, *names: str) -> list[str]:
        """Every value of the tags in the order of the file, the lines of each joined by spaces."""
        return [" ".join(value) for tag, value, _ in self.tags if tag in names and any(value)]

    def lines_of(self, *names: str) -> list[str]:
        """Every line of the tags' values: where each line is an entry (keywords, authors)."""
        return [line for name in names for tag, value, _ in self.tags if tag == name for line in value if line.strip()]

    def at(self, name: str) -> int:
        """The line a tag stands on; the record's own when it has none."""
        return next((line for tag, _, line in self.tags if tag == name), self.line)

    @property
    def text(self) -> str:
        return "\n".join(self.raw).strip("\n")


class Stray:
    """Text that belongs to no record: told once for each run of lines, so that nothing vanishes."""

    def __init__(self, reading):
        self._reading, self._lines, self._start = reading, [], 0

    def put(self, number: int, text: str) -> None:
        if text.strip():
            if not self._lines:
                self._start = number
            self._lines.append(text.strip())

    def end(self) -> None:
        if self._lines:
            self._reading.tell_again(self._start, "text_outside", text=" / ".join(self._lines)[:500])
            self._lines = []


def numbered(text: str) -> Iterable[tuple[int, str]]:
    """(number, line), counted from 1. Only a newline ends a line; no other sign that Unicode takes for an end."""
    return enumerate(text.split("\n"), 1)
