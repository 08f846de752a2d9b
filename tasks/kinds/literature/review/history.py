"""What was said about a value before: every verdict, the latest first; a correction of then can be taken again."""

from __future__ import annotations

from tasks.kinds.literature.fields import as_text
from tasks.kinds.literature.review import effect
from tasks.kinds.literature.review.models import Act
from tasks.kinds.literature.review.typing import as_typed


def put_beside(fields: list[dict], paper) -> None:
    """Give each of ``fields`` (as detail shows them) its ``history``; [] where at most one verdict was ever given."""
    said: dict[tuple[str, int], list] = {}
    for verdict in paper.verdicts.select_related("by").order_by("-pk"):
        said.setdefault((verdict.name, verdict.nth), []).append(verdict)
    for field in fields:
        verdicts = said.get((field["name"], field["nth"]), [])
        field["history"] = [_told(verdict) for verdict in verdicts] if len(verdicts) > 1 else []


def _told(verdict) -> dict:
    corrected = verdict.act == Act.CORRECTED
    return {
        "act": verdict.act,
        "words": verdict.get_act_display(),
        "value": as_text(effect.as_field(verdict.name, verdict.value)) if verdict.act != Act.WITHDRAWN else "",
        "typed": as_typed(verdict.name, verdict.value, as_text),
        "again": corrected and not verdict.current,
        "empty": corrected and verdict.value in (None, "", []),
        "by": verdict.by,
        "at": verdict.at,
    }
