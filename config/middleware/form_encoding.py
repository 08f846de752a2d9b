"""Refuses forms that name another encoding than UTF-8: no browser sends one of ours so.

Django refuses them of plain forms; in the parts of a multipart one it takes whatever Python has under that name, and
"base64" is no encoding of a text.
"""

from __future__ import annotations

import codecs

from django.core.exceptions import BadRequest

from config.middleware.refusing import refusing


def _check(request) -> None:
    named = request.content_params.get("charset", "")
    try:
        if not named or codecs.lookup(named).name == "utf-8":
            return
    except (LookupError, ValueError):
        pass
    if request.content_type == "multipart/form-data":
        raise BadRequest("a form that is not UTF-8")


refused = refusing(_check)
