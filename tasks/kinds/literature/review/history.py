"""The history of a value: every verdict, the latest first. An earlier correction can be chosen again."""

from __future__ import annotations

from tasks.kinds.literature.fields import as_text
from tasks.kinds.literature.review import effect
from tasks.kinds.literature.review.models import Act
from tasks.kinds.literature.review.typing import as_typed


def put_beside(fields: list[dict], paper) -> None:
    """Add ``history`` to each of ``fields`` (of web.detail): its verdicts, or [] when there was at most one."""
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
