"""A mixed set through a real worker: a web page and a PDF are read, a reference finds its paper, a locked one waits."""

from __future__ import annotations

import io

import pytest

from tasks import fanout
from tasks.files import store
from tasks.files.models import Artefact
from tasks.kinds.literature import outcomes, record
from tasks.kinds.literature.intake import entry, unlocking
from tasks.models import Task
from tests.integration.literature.papers import pdf_bytes
from tests.integration.literature.test_password import SECRET, locked_pdf
from tests.processes import Worker, wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

WORDS = " ".join(["Hay was cut in June and weighed when it was dry, as the farmers of the county do."] * 12)
HTML = f"""<!doctype html><html lang="en"><head><title>Hay</title>
<meta name="citation_title" content="On hay and its many uses in the barn of the north">
<meta name="citation_author" content="Rios, Ana"><meta name="citation_doi" content="10.5555/hay.1">
<meta name="citation_publication_date" content="2020/05/01"><meta name="citation_journal_title" content="Barn Letters">
</head><body><article><h1>On hay and its many uses in the barn of the north</h1>
<h2>Methods</h2><p>{WORDS}</p><h2>Results</h2><p>{WORDS}</p></article></body></html>""".encode()
RIS = b"""TY  - JOUR
TI  - On hay and its many uses in the barn of the north
AU  - Rios, Ana
PY  - 2020
DO  - 10.5555/HAY.1
JO  - Barn Lett
ER  -
"""


def became(task) -> dict:
    return {paper.path: paper.outcome for paper in outcomes.papers_of(task)}


def test_a_mixed_set_is_read_to_its_end(django_user_model):
    ana = django_user_model.objects.create_user("ana")
    task = fanout.create("literature", ana, "Mixed")
    for name, data in (
        ("hay.html", HTML),
        ("own.pdf", pdf_bytes("own", 2)),
        ("locked.pdf", locked_pdf()),
        ("list.ris", RIS),
    ):
        entry.receive(task.pk, io.BytesIO(data), filename=name)

    def ended():
        return Task.objects.get(pk=task.pk).is_terminal

    with Worker(concurrency=1) as worker:
        task.refresh_from_db()
        fanout.start(task, ana)
        wait_until(ended, 60, what="the end", processes=[worker])
        assert became(task) == {
            "hay.html": "succeeded",
            "own.pdf": "succeeded",
            "locked.pdf": "failed",
            "list.ris:1": "merged",
        }
        page = record.effective(outcomes.items_of(task).get(filename="hay.html"))
        assert (page["doi"], page["year"], page["journal"]) == ("10.5555/hay.1", 2020, "Barn Letters")
        assert page["listed"]["journal"] == "Barn Lett"
        (found,) = {one.sha256 for one in Artefact.objects.filter(task=task)} & {
            paper.subtask.result["parse"]["artefact"]
            for paper in outcomes.papers_of(task).filter(filename="hay.html").select_related("subtask")
        }
        assert "Hay was cut" in store.read_json(found)["markdown"]
        unlocking.unlock(outcomes.items_of(task).get(filename="locked.pdf"), SECRET)
        assert fanout.retry_failed(task, ana, [unlocking.UNLOCKED])
        wait_until(
            lambda: ended() and Task.objects.get(pk=task.pk).generation == 2,
            60,
            what="the next end",
            processes=[worker],
        )
    assert became(task)["locked.pdf"] in ("succeeded", "failed")
    child = outcomes.papers_of(task).select_related("subtask").get(filename="locked.pdf").subtask
    assert child.error_code not in ("password", "unlocked")
    assert SECRET not in worker.output
