"""Lines older than the ring, in pages of fixed bounds: whoever asks, the same query, run once and kept a while.

A full page never changes (numbers have no gaps and lines are not edited; retention only takes whole old lines away),
so thousands that come back at once with cursors of their own share a handful of reads.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import OrderedDict

from streaming import messages
from streaming.reader import Reader

PAGE_LINES = 500
KEPT_PAGES = 64


def _serves(reading: asyncio.Task, last: int) -> bool:
    """Under way, or done without an error and reaching as far as is wanted."""
    if not reading.done():
        return True
    return not reading.cancelled() and reading.exception() is None and reading.result()[-1].last >= last


class Pages:
    def __init__(self, reader: Reader):
        self._reader = reader
        self._pages: OrderedDict[tuple[int, int], asyncio.Task] = OrderedDict()

    async def frame_after(self, task_id: int, seq: int, head: int) -> messages.Frame:
        """The first frame with news for somebody who has everything up to ``seq`` < ``head``. Raises ReadError."""
        number = seq // PAGE_LINES
        last = min((number + 1) * PAGE_LINES, head)
        key = (task_id, number)
        reading = self._pages.get(key)
        if reading is None or not _serves(reading, last):
            reading = self._pages[key] = asyncio.create_task(self._read(task_id, number * PAGE_LINES, last))
            while len(self._pages) > KEPT_PAGES:
                self._pages.popitem(last=False)
        self._pages.move_to_end(key)
        # shielded: one reader that leaves must not end the read of the others
        page = await asyncio.shield(reading)
        return page[bisect_right(page, seq, key=lambda frame: frame.last)]

    async def _read(self, task_id: int, after: int, last: int) -> list[messages.Frame]:
        found = await self._reader.lines([(task_id, after, last)])
        return messages.frames(after, last, found[task_id])
