"""What the formats of reference managers share: which papers they hold, and values on one line."""

from __future__ import annotations

import re

_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def one_line(value: object) -> str:
    """The value on one line: runs of white space become one space; control characters and lone surrogates go."""
    if value is None:
        return ""
    return _UNFIT.sub("", " ".join(str(value).split()))


def is_reference(record: dict) -> bool:
    """Whether it belongs into a reference manager: a paper that was read, or one that a list names."""
    return record["status"] == "succeeded" or (record["status"] == "listed" and bool(record["title"] or record["doi"]))
