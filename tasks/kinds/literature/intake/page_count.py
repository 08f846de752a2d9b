"""How many pages a PDF says it has, without opening it: for the estimate before the start, and for nothing else.

Asking PDFium would take a child process and a moment for each file that is given. The number stands in the bytes of
nearly every PDF: in the head of a linearized one, else beside the root of its page tree (ISO 32000, annex F and 7.7.3).
Of 34 real papers that open, it was right for all but one, which keeps its tree in a compressed stream.
"""

from __future__ import annotations

import os
import re
from typing import BinaryIO

_BLOCK = 1024 * 1024
_OVERLAP = 1024
_LINEARIZED = re.compile(rb"/Linearized\b[^>]{0,200}?/N\s+(\d{1,7})\b")
_TREE = re.compile(
    rb"/Type\s*/Pages\b[^>]{0,400}?/Count\s+(\d{1,7})\b|/Count\s+(\d{1,7})\b[^>]{0,400}?/Type\s*/Pages\b"
)
#: No page takes fewer bytes: a larger number is a mistake or a joke.
LEAST_PAGE_BYTES = 50


def claimed(file: BinaryIO) -> int | None:
    """The number of pages of an open PDF as its bytes say; None if they don't, or can't be meant."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    head = file.read(2048)
    found = [int(number) for number in _LINEARIZED.findall(head)[:1]]
    if not found:
        file.seek(0)
        before = b""
        while block := file.read(_BLOCK):
            # The root of the tree has the largest count; nodes below it have their own
            found += [int(one or other) for one, other in _TREE.findall(before + block)]
            before = block[-_OVERLAP:]
    most = max(found, default=0)
    return most if 0 < most <= size // LEAST_PAGE_BYTES else None
