"""The records as a JSON list, one object for each paper; the command ``extract`` writes the same."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator


def pieces(records: Iterable[dict]) -> Iterator[str]:
    """The text of the list, one record at a time."""
    yield "["
    for number, record in enumerate(records):
        yield (",\n" if number else "\n") + json.dumps(record, ensure_ascii=False)
    yield "\n]\n"
