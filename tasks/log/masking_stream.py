"""Masks secrets that one child's log spreads over several lines: output that arrives in pieces is cut anywhere.

Each line is looked at together with what came before it. Mostly the secret is recognised by then, and its rest is
hidden as it comes. Only a line whose end may be the beginning of a secret ("…sk-ab") is held back: until the child's
next line tells, or its attempt ends, or one flush interval has passed. In that last case the doubtful end is hidden.

    add("key: sk-ab") -> []    add("cdef… ok") -> ["key: •••", "••• ok"]    release() -> what is still held
"""

from __future__ import annotations

from collections.abc import Callable

from tasks.log.joblog import MAX_TEXT, Line
from tasks.log.masking import SHORTEST_BEGUN, Patterns, hide, masked_values, merged, patterns

#: Remembered of what was handed on already: enough for the name of a secret, and for its beginning.
CONTEXT, CONTEXT_START = 64, 512
#: More than this is never held back.
MOST_LINES, MOST_CHARS = 50, 8192


class MaskingStream:
    """The lines of one attempt. ``hand_on`` gets each of them, masked, in order."""

    def __init__(self, hand_on: Callable[[Line], None], known: Patterns | None = None):
        self._hand_on, self._known = hand_on, known or patterns()
        self._context = ""
        self._held: list[tuple[Line, str]] = []  # with the raw text
        self._unbroken = 0  # characters of one secret that goes on and on: an unclosed quote must not hide all the rest

    @property
    def holds(self) -> bool:
        return bool(self._held)

    def add(self, line: Line) -> None:
        """Take the child's next line."""
        raw = line.text if len(line.text) <= 2 * MAX_TEXT else line.text[: 2 * MAX_TEXT]  # it is cut when stored
        line.data = masked_values(line.data)
        line.masked = True
        if not raw and not self._held:
            self._hand_on(line)
            return
        self._held.append((line, raw))
        joined = self._context + "".join(text for _, text in self._held)
        spans, begun = self._known.look(joined)
        if len(self._held) > MOST_LINES or len(joined) - begun > MOST_CHARS:
            spans, begun = merged([*spans, (begun, len(joined))]), len(joined)
        elif self._known.more:  # regular expressions can't tell us whether they have begun
            begun = min(begun, len(joined) - max(len(raw), CONTEXT))
        self._pass(joined, spans, begun)

    def release(self, *, doubtful: bool = False) -> None:
        """Hand on what is held. ``doubtful``: more may follow, so an end that may be a secret's beginning is hidden."""
        if not self._held:
            return
        joined = self._context + "".join(text for _, text in self._held)
        spans, begun = self._known.look(joined, least=SHORTEST_BEGUN)
        if doubtful and begun < len(joined) and not self._known.is_port(joined):
            spans = merged([*spans, (begun, len(joined))])
        self._pass(joined, spans, len(joined))

    def _pass(self, joined: str, spans: list[tuple[int, int]], upto: int) -> None:
        """Hand on the held lines that end at or before ``upto``."""
        at, kept = len(self._context), []
        for line, raw in self._held:
            end = at + len(raw)
            if kept or end > upto:
                kept.append((line, raw))
            else:
                inside = [(max(b, at) - at, min(e, end) - at) for b, e in spans if b < end and e > at]
                if inside:
                    line.text = hide(raw, inside) + line.text[len(raw) :]
                self._hand_on(line)
            at = end
        self._held = kept
        before = joined[: len(joined) - sum(len(raw) for _, raw in kept)]
        self._context = self._remember(before, spans)

    def _remember(self, text: str, spans: list[tuple[int, int]]) -> str:
        """The end of the text; of a secret that reaches that end, its beginning and its name too."""
        last = next((begin for begin, end in reversed(spans) if begin < len(text) <= end), len(text))
        self._unbroken = self._unbroken + len(text) - len(self._context) if last < len(text) else 0
        if self._unbroken > MOST_CHARS:
            return ""
        rest = text[max(0, min(last, len(text)) - CONTEXT) :]
        return rest if len(rest) <= CONTEXT_START + CONTEXT else rest[:CONTEXT_START] + rest[-CONTEXT:]
