"""Pages without the white space that only lays out their templates."""

from __future__ import annotations

import re

from django.http import HttpResponse


def flat(response: HttpResponse) -> str:
    """The body of a page: no space beside a tag, one space for any run of it elsewhere."""
    return re.sub(r" ?(<|>) ?", r"\1", " ".join(response.content.decode().split()))
