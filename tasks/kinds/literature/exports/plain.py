"""Texts of papers as the line-based formats can hold them."""

from __future__ import annotations

import re

_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def one_line(value: object) -> str:
    """The value on one line: white space of any kind is one space, control characters and half pairs are gone."""
    if value is None:
        return ""
    return _UNFIT.sub("", " ".join(str(value).split()))
