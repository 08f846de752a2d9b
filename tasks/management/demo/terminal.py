"""What the demo shows in a terminal: a progress bar and the table of what became of each paper."""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

from django.utils.translation import gettext as _

_BAR = 30
_WIDEST = 140


def width(text: str) -> int:
    """Columns that `text` takes in a terminal: Chinese characters take two, combining marks none."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def fit(text: str, columns: int) -> str:
    """`text` on one line in exactly `columns`, cut with an ellipsis or filled with blanks."""
    text = " ".join(text.split())
    if width(text) > columns:
        while width(text) > columns - 1:
            text = text[:-1]
        text += "…"
    return text + " " * (columns - width(text))


class Progress:
    """A bar that is redrawn in a terminal; elsewhere a line for each tenth that is done."""

    def __init__(self, out: TextIO):
        self._out = out
        self._live = out.isatty()
        self._shown = -1

    def show(self, done: int, total: int, words: str) -> None:
        """Show `done` of `total`, with `words` about the rest."""
        share = done / total if total else 0.0
        if self._live:
            bar = "█" * int(share * _BAR)
            columns = shutil.get_terminal_size().columns - 1
            self._out.write("\r" + fit(f"{bar:░<{_BAR}} {share:4.0%}  {words}", columns))
        elif int(share * 10) != self._shown:
            self._shown = int(share * 10)
            self._out.write(f"{share:4.0%}  {words}\n")
        self._out.flush()

    def end(self) -> None:
        """Leave the last state standing on a line of its own."""
        if self._live:
            self._out.write("\n")
            self._out.flush()


def table(records: Iterable[Mapping[str, Any]], words_of_state: Mapping[str, str]) -> str:
    """One line a record: file, state, then title, DOI and year, or the reason."""
    rows = []
    for record in records:
        found = record["title"] or "", record["doi"] or "", str(record["year"] or "")
        reason = record["error"] or record["error_code"] or ""
        rows.append((record["file"], str(words_of_state.get(record["status"], record["status"])), found, reason))
    heads = (_("File"), _("State"), _("Title, or the reason"), _("DOI"), _("Year"))
    file = max([width(heads[0]), *(width(row[0]) for row in rows)])
    state = max([width(heads[1]), *(width(row[1]) for row in rows)])
    doi = max([width(heads[3]), *(width(row[2][1]) for row in rows)])
    total = max(min(shutil.get_terminal_size((_WIDEST, 24)).columns, _WIDEST), 80)
    file, doi = min(file, total // 4), min(doi, total // 4)
    title = max(total - file - state - doi - 4 - 4 * 2, 20)
    lines = [f"{fit(heads[0], file)}  {fit(heads[1], state)}  {fit(heads[2], title)}  {fit(heads[3], doi)}  {heads[4]}"]
    lines.append("  ".join("─" * columns for columns in (file, state, title, doi, 4)))
    for name, word, (found_title, found_doi, year), reason in rows:
        start = f"{fit(name, file)}  {fit(word, state)}  "
        if reason:
            lines.append(start + fit(reason, title + doi + 8).rstrip())
        else:
            lines.append(start + f"{fit(found_title, title)}  {fit(found_doi, doi)}  {year}")
    return "\n".join(lines)
