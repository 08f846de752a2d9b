"""A paper with a password: opened once, read, and the password nowhere to be found afterwards."""

from __future__ import annotations

import io
import logging

import pypdfium2
import pytest
from django.db import connection
from reportlab.lib import pdfencrypt
from reportlab.pdfgen.canvas import Canvas

from tasks import fanout
from tasks.files import store
from tasks.kinds.literature import outcomes
from tasks.kinds.literature.intake import entry
from tasks.kinds.literature.kind import Literature
from tasks.models import SubTask, Task
from tests.integration.literature.papers import JSON, pdf_bytes

SECRET = "zz-hay-and-straw-zz"


def locked_pdf(words: str = "Locked hay") -> bytes:
    out = io.BytesIO()
    lock = pdfencrypt.StandardEncryption(SECRET, ownerPassword="owner", strength=128)
    canvas = Canvas(out, encrypt=lock)
    canvas.drawString(72, 720, words)
    canvas.save()
    return out.getvalue()


@pytest.fixture
def task(people):
    """A set that has ended: one paper failed for its password, one as damaged."""
    task = fanout.create("literature", people["ana"], "Locked")
    entry.receive(task.pk, io.BytesIO(locked_pdf()), filename="locked.pdf")
    entry.receive(task.pk, io.BytesIO(pdf_bytes("bad")), filename="bad.pdf")
    Task.objects.filter(pk=task.pk).update(state="expanding")
    task.refresh_from_db()
    fanout.add(task, Literature().expand(task))
    for key, code in (("locked.pdf", "password"), ("bad.pdf", "damaged")):
        SubTask.objects.filter(task=task, key=key).update(state="failed", error_code=code)
    Task.objects.filter(pk=task.pk).update(failed=2, sealed=True, state="running")
    Task.objects.filter(pk=task.pk).update(state="finalizing")
    Task.objects.filter(pk=task.pk).update(state="completed")
    task.refresh_from_db()
    return task


@pytest.fixture
def unlock(ana, task):
    paper = task.papers.get(filename="locked.pdf")
    return lambda password: ana.post(f"/sets/{task.pk}/papers/{paper.pk}/password/", {"password": password}, **JSON)


def everything_stored() -> str:
    """Every row of every table, as text."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = current_schema()")
        texts = []
        for (name,) in cursor.fetchall():
            cursor.execute(f"SELECT string_agg(t::text, '') FROM {name} t")
            texts.append(cursor.fetchone()[0] or "")
    return "".join(texts)


def test_a_wrong_password_changes_nothing_and_is_said(unlock, task):
    before = task.papers.get(filename="locked.pdf").sha256
    answer = unlock("wrong")
    assert (answer.status_code, answer.json()["code"]) == (409, "wrong_password")
    assert task.papers.get(filename="locked.pdf").sha256 == before


def test_the_right_one_leaves_an_open_copy_and_reads_that_paper_alone(unlock, task):
    old = task.papers.get(filename="locked.pdf").sha256
    assert unlock(SECRET).json() == {"done": True}
    paper = task.papers.get(filename="locked.pdf")
    opened = pypdfium2.PdfDocument(b"".join(store.blocks(paper.sha256)))
    assert "Locked hay" in opened[0].get_textpage().get_text_bounded()
    child = paper.subtask
    assert (child.error_code, child.input["sha256"], child.input["size"]) == ("unlocked", paper.sha256, paper.size)
    assert not store.is_kept(old)
    task.refresh_from_db()
    assert (task.state, task.generation, task.reopening) == ("running", 2, {"codes": ["unlocked"]})


def test_the_password_is_stored_and_logged_nowhere(unlock, task, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    unlock("wrong-" + SECRET)
    unlock(SECRET)
    said = capfd.readouterr()
    assert SECRET not in caplog.text + said.out + said.err
    assert SECRET not in everything_stored() and SECRET.encode().hex() not in everything_stored()


def test_while_the_set_runs_the_copy_waits_for_the_next_retry(unlock, task):
    Task.objects.filter(pk=task.pk).update(state="running", generation=2)
    assert unlock(SECRET).json() == {"done": True}
    assert outcomes.failures(task) == {"damaged": 1, "unlocked": 1}


def test_a_paper_that_waits_for_none_takes_none(ana, task, unlock):
    bad = task.papers.get(filename="bad.pdf")
    answer = ana.post(f"/sets/{task.pk}/papers/{bad.pk}/password/", {"password": "x"}, **JSON)
    assert answer.json()["code"] == "not_locked"
    unlock(SECRET)
    assert unlock(SECRET).json()["code"] == "not_locked"


def test_retry_is_offered_where_it_can_help_and_the_password_is_asked_for(ana, task):
    page = ana.get(f"/sets/{task.pk}/").content.decode()
    assert "retry-damaged" not in page and "retry-password" not in page and "retry-button" not in page
    paper = task.papers.get(filename="locked.pdf")
    assert 'id="unlock"' in ana.get(f"/sets/{task.pk}/papers/{paper.pk}/").content.decode()
    SubTask.objects.filter(task=task, key="bad.pdf").update(error_code="timeout")
    page = ana.get(f"/sets/{task.pk}/").content.decode()
    assert "retry-timeout" in page and "retry-button" in page and "retry-password" not in page
