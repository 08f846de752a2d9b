"""Finding lines in a Task's log, by PostgreSQL: over the whole log, in the words that the reader sees.

A line with a code has no words of its own, so its sentence is put together in SQL from the catalogue of the active
language, the way ``tasks.sentences.sentence`` does it.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import Formatter

from streaming.reader import KEY, LINE
from tasks import sentences

#: Numbers of matching lines that are returned at most.
MOST_HITS = 100_000
#: The place in a sentence whose value is a list of names, said in words.
LISTED = "fields"
_LIST = f"""
    CASE jsonb_typeof(l.data->'{LISTED}') WHEN 'array' THEN (
        SELECT string_agg(coalesce(w.said, f.name), %s::text ORDER BY f.n)
          FROM jsonb_array_elements_text(l.data->'{LISTED}') WITH ORDINALITY AS f(name, n)
          LEFT JOIN unnest(%s::text[], %s::text[]) AS w(name, said) ON w.name = f.name
    ) ELSE coalesce(l.data->>'{LISTED}', '…') END
"""


@dataclass(frozen=True)
class Filter:
    """``words``: part of the line, in any case; ``level``: this or worse; ``key``: lines of this child alone."""

    words: str = ""
    level: int = 0
    key: str = ""

    def __bool__(self) -> bool:
        return bool(self.words or self.level or self.key)

    def where(self) -> tuple[str, list]:
        """SQL that begins with AND, for l (tasks_logline) and s (tasks_subtask), with its values."""
        parts, values = [], []
        if self.level:
            parts.append("AND l.level >= %s")
            values.append(self.level)
        if self.key:
            parts.append("AND s.key = %s")
            values.append(self.key)
        if self.words:
            spoken, spoken_values = _spoken()
            parts.append(f"AND concat_ws(' ', s.key, {spoken}, CASE WHEN l.code <> '' THEN l.text END) ILIKE %s")
            values += [*spoken_values, f"%{_literal(self.words)}%"]
        return " ".join(parts), values


def _literal(words: str) -> str:
    return words.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_").replace("\x00", "\ufffd")


def _sentence(words: str, reason: tuple[str, list]) -> tuple[str, list]:
    """One sentence as an SQL expression over l.data."""
    parts, values = [], []
    for text, name, _format, _conversion in Formatter().parse(words):
        if text:
            parts.append("%s::text")
            values.append(text)
        if name == "reason" and reason[0]:
            parts.append(reason[0])
            values += reason[1]
        elif name == LISTED:
            words = sentences.words()
            parts.append(_LIST)
            values += [sentences.comma(), list(words), list(words.values())]
        elif name:
            parts.append("coalesce(l.data->>%s::text, '…')")
            values.append(name)
    return f"concat({', '.join(parts)})" if parts else "''", values


def _chosen(by: str, otherwise: str, reason: tuple[str, list]) -> tuple[str, list]:
    cases, values = [], []
    for code, words in sentences.templates().items():
        expression, its_values = _sentence(words, reason)
        cases.append(f"WHEN %s THEN {expression}")
        values += [code, *its_values]
    return f"CASE {by} {' '.join(cases)} ELSE {otherwise} END", values


def _spoken() -> tuple[str, list]:
    """The line in words. Sentences with a {reason} take it from ``reason_code`` where the line has one."""
    plain = _chosen("l.data->>'reason_code'", "coalesce(l.data->>'reason', '…')", ("", []))
    return _chosen("l.code", "coalesce(nullif(l.code, ''), l.text)", plain)


def hits(task_id: int, after: int, upto: int, wanted: Filter) -> tuple[str, list]:
    """A statement for the numbers of matching lines with after < seq <= upto, in order: MOST_HITS + 1 at most."""
    where, values = wanted.where()
    statement = f"""
        SELECT l.seq FROM tasks_logline l {KEY} WHERE l.task_id = %s AND l.seq > %s AND l.seq <= %s {where}
         ORDER BY l.seq LIMIT {MOST_HITS + 1}
    """
    return statement, [task_id, after, upto, *values]


def page(task_id: int, after: int, limit: int, wanted: Filter) -> tuple[str, list]:
    """A statement for (seq, encoded line) of the next ``limit`` matching lines."""
    where, values = wanted.where()
    statement = f"""
        SELECT {LINE} FROM tasks_logline l {KEY} WHERE l.task_id = %s AND l.seq > %s {where} ORDER BY l.seq LIMIT %s
    """
    return statement, [task_id, after, *values, limit]
