"""Makes each line of one child's log stand by itself: a terminal's colour that goes on over several lines begins anew
in each of them, and ends with it.

Between two lines of a child stand those of others, and a reader may see any line first (by a link, by a search, in a
page of the log that was fetched alone). Only the writer sees all lines of the child, in order.

    add("\\x1b[31mred") -> "\\x1b[31mred\\x1b[0m"    add("still") -> "\\x1b[31mstill\\x1b[0m"
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tasks.log.joblog import Line

_SGR = re.compile(r"\x1b\[([0-9;:]*)m")
#: An escape that the child's next line finishes.
_CUT_OFF = re.compile(r"\x1b(?:\[[0-?]{0,64})?\Z")
_RESET = "\x1b[0m"
#: {code that ends: what it ends}; the codes that begin are told apart by ``_slot``.
_ENDS = {
    22: ("bold", "dim"),
    23: ("italic",),
    24: ("underline",),
    25: ("blink",),
    27: ("inverse",),
    28: ("hidden",),
    29: ("struck",),
    39: ("colour",),
    49: ("ground",),
}
_BEGINS = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 5: "blink", 7: "inverse", 8: "hidden", 9: "struck"}


def _slot(code: int) -> str | None:
    if code in _BEGINS:
        return _BEGINS[code]
    if 30 <= code <= 37 or 90 <= code <= 97:
        return "colour"
    return "ground" if 40 <= code <= 47 or 100 <= code <= 107 else None


class Colours:
    """The lines of one attempt. ``hand_on`` gets each of them, in order."""

    def __init__(self, hand_on: Callable[[Line], None]):
        self._hand_on = hand_on
        self._open: dict[str, str] = {}  # {what: the code that began it}
        self._rest = ""

    def add(self, line: Line) -> None:
        if line.text and not line.code and (self._open or self._rest or "\x1b" in line.text):
            line.text = self._alone(line.text)
        self._hand_on(line)

    def _alone(self, text: str) -> str:
        text = self._rest + text
        cut = _CUT_OFF.search(text)
        self._rest = cut[0] if cut else ""
        text = text[: len(text) - len(self._rest)]
        begins = f"\x1b[{';'.join(self._open.values())}m" if self._open else ""
        for found in _SGR.finditer(text):
            self._apply(found[1])
        return begins + text + (_RESET if self._open else "")

    def _apply(self, codes: str) -> None:
        numbers = [int(code[:4] or 0) for code in re.split("[;:]", codes)]
        at = 0
        while at < len(numbers):
            code, taken = numbers[at], 1
            if code == 0:
                self._open = {}
            elif code in (38, 48):  # one of 256 colours (5;n), or any (2;r;g;b)
                taken = 3 if numbers[at + 1 : at + 2] == [5] else 5
                slot = "colour" if code == 38 else "ground"
                self._open[slot] = ";".join(map(str, numbers[at : at + taken]))
            elif code in _ENDS:
                for slot in _ENDS[code]:
                    self._open.pop(slot, None)
            elif slot := _slot(code):
                self._open[slot] = str(code)
            at += taken
