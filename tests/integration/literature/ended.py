"""A set in its last state without a worker: papers read by hand, so that pages and exports have something to show."""

from __future__ import annotations

import io

from tasks import fanout
from tasks.kinds.literature.intake import entry
from tasks.kinds.literature.kind import Literature
from tasks.models import SubTask, Task
from tests.integration.literature.papers import keep_json, pdf_bytes

RECORD = {
    "title": "Hay & <b>straw</b>",
    "authors": [{"family": "Ríos", "given": "Ana"}],
    "doi": "10.5555/hay.1",
    "year": 2024,
    "journal": "=Journal of Hay",
    "abstract": "All about hay.",
    "sections": [{"title": "Methods", "level": 1, "page": 1}],
    "references": [{"text": "Straw B. On straw. 2001.", "doi": "10.5555/straw"}],
    "pages": 2,
    "page_sizes": [[612, 792], [612, 792]],
    "fields": [
        {
            "name": "doi",
            "value": "10.5555/hay.1",
            "page": 1,
            "quote": "doi 10.5555/hay.1",
            "box": [72, 60, 200, 75],
            "verified": True,
            "confidence": 0.99,
            "status": "found",
        },
        {"name": "design", "value": "cohort", "page": 2, "quote": "a cohort", "verified": False, "status": "found"},
    ],
}


def ended_set(owner, title: str = "Hay and its uses") -> Task:
    """One paper succeeded, one failed as damaged, one duplicate, one refused; finalized as the engine would."""
    task = fanout.create("literature", owner, title)
    for name, data in (
        ("good.pdf", pdf_bytes("good", 2)),
        ("bad.pdf", pdf_bytes("bad")),
        ("good again.pdf", pdf_bytes("good", 2)),
        ("page.pdf", b"<html>"),
    ):
        entry.receive(task.pk, io.BytesIO(data), filename=name, folder="barn")
    Task.objects.filter(pk=task.pk).update(state="expanding")
    task.refresh_from_db()
    fanout.add(task, Literature().expand(task))
    large = keep_json({"page_text": ["…", "…"], "markdown": "# Hay", "tables": [], "captions": []}, task.pk)
    good = SubTask.objects.filter(task=task, key="barn/good.pdf")
    good.update(state="succeeded", result={"parse": {**RECORD, "artefact": large}})
    SubTask.objects.filter(task=task, key="barn/bad.pdf").update(
        state="failed", error_code="damaged", error="no trailer", error_data={"pages": 3}
    )
    Task.objects.filter(pk=task.pk).update(succeeded=1, failed=1, sealed=True, state="running")
    Task.objects.filter(pk=task.pk).update(state="finalizing")
    task.refresh_from_db()
    Literature().complete(task)
    Task.objects.filter(pk=task.pk).update(state="completed")
    task.refresh_from_db()
    return task
