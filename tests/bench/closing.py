"""How long the closing step of a literature set takes: pairs found, papers counted, report written.

``python -m tests.bench closing [PAPERS]``: records of the size that reading gives (60 references, 40 sections and facts
with quotes), written straight into the rows, closed three times. ``close_s`` is the median; ``record_kib`` is the size
of one record as JSON.
"""

from __future__ import annotations

import json
import statistics
import time

from tests.bench import ground

PAPERS = 1000


def main(arguments: list[str]) -> dict:
    papers = int(arguments[0]) if arguments else PAPERS
    ground.prepare("tasks.kinds.literature.kind.Literature")
    from tasks import fanout
    from tasks.kinds.literature.kind import Literature
    from tasks.kinds.literature.models import Paper
    from tasks.models import SubTask, Task

    task = fanout.create("literature", title="bench")
    Paper.objects.bulk_create(
        Paper(task=task, position=n, filename=f"{n}.pdf", key=f"{n}", sha256=f"{n:064}", size=1, state="accepted")
        for n in range(1, papers + 1)
    )
    SubTask.objects.bulk_create(
        (
            SubTask(
                task=task,
                position=n,
                key=f"{n}",
                stage="parse",
                queue="local",
                state="succeeded",
                result={"parse": _record(n)},
            )
            for n in range(1, papers + 1)
        ),
        batch_size=200,
    )
    batch = Task.objects.filter(pk=task.pk)
    for state in ("expanding", "running"):
        batch.update(state=state)
    batch.update(sealed=True, total=papers, succeeded=papers)
    batch.update(state="finalizing")
    task.refresh_from_db()
    took = []
    for _ in range(3):
        began = time.monotonic()
        Literature().complete(task)
        took.append(time.monotonic() - began)
    ground.empty()
    return {
        "papers": papers,
        "record_kib": round(len(json.dumps(_record(1))) / 1024, 1),
        "close_s": round(statistics.median(took), 2),
        "each_s": [round(one, 2) for one in took],
    }


def _record(n: int) -> dict:
    sentence = f"Hay number {n} was stored in the barn and weighed by two people who did not know of one another. "
    fields = [
        {
            "name": name,
            "value": f"{name} {n}",
            "unit": None,
            "page": 1,
            "quote": sentence,
            "box": [72, 60, 200, 75],
            "boxes": [[72, 60, 200, 75], [72, 80, 200, 95]],
            "verified": True,
            "confidence": 0.9,
            "status": "found",
        }
        for name in ("title", "authors", "doi", "year", "journal", "abstract", "design", *["p_values"] * 33)
    ]
    return {
        "title": f"Barn {n:05} and its hay of the year {1900 + n % 120}",
        "authors": [{"family": f"Family{n}", "given": "A.", "affiliations": [sentence], "email": None, "orcid": None}],
        "doi": f"10.5555/hay.{n}",
        "pmid": None,
        "pmcid": None,
        "year": 1900 + n % 120,
        "journal": f"Journal {n % 40}",
        "abstract": sentence * 15,
        "keywords": ["hay", "straw"],
        "sections": [{"title": sentence[:40], "level": 1, "page": 1}] * 40,
        "references": [
            {"text": sentence * 2, "doi": f"10.5555/straw.{n}.{k}", "year": 2001, "title": sentence, "authors": ["B"]}
            for k in range(60)
        ],
        "pages": 12,
        "page_sizes": [[612, 792]] * 12,
        "fields": fields,
        "warnings": [],
        "artefact": "0" * 64,
    }
