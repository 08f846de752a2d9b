"""The Kind of docs/write-a-kind.md, built from the guide's text in a folder of its own, run by real processes."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from django.conf import settings
from django.contrib.auth import get_user_model

from tasks.models import Task
from tests.integration.streaming.watching import session_of
from tests.processes import Web, Worker, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

GUIDE = Path(__file__).parents[3] / "docs/write-a-kind.md"
FILE = re.compile(r"^\*\*`(shouting/[\w./]+)`\*\*\n+```\w+\n(.*?)^```", re.S | re.M)


def written_into(folder: Path) -> list[str]:
    """Write the guide's files into ``folder``; their names."""
    files = FILE.findall(GUIDE.read_text())
    for name, text in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [name for name, _text in files]


def test_it_has_a_page_a_stylesheet_and_batches_and_touches_no_other_file(tmp_path):
    assert {Path(name).suffix for name in written_into(tmp_path)} == {".py", ".html", ".css"}
    environment = {
        "PYTHONPATH": str(tmp_path),
        "SHEAF_KINDS": ",".join([*settings.SHIPPED_KINDS, "shouting.kind.Shout"]),
    }
    ana = get_user_model().objects.create_user("ana")
    name, _, value = session_of(ana).partition("=")
    with Web(env=environment) as web, Worker(concurrency=4, env=environment) as worker:
        with httpx.Client(base_url=web.url, cookies={name: value}, follow_redirects=True, trust_env=False) as ask:
            assert 'href="/shouting/"' in ask.get("/sets/").text  # its entry, on a page of another Kind
            page = ask.get("/shouting/")
            assert page.status_code == 200 and '<h1 class="shouting">' in page.text
            (sheet,) = re.findall(r'href="([^"]*shouting\.css)"', page.text)
            assert "text-transform: uppercase" in ask.get(sheet).text
            token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)[1]
            form = {"csrfmiddlewaretoken": token, "words": "hello world b4d"}
            batch = ask.post("/shouting/", data=form, headers={"Referer": web.url})
            assert batch.status_code == 200 and "/tasks/" in str(batch.url)
            task = wait_until(
                lambda: Task.objects.filter(kind="shout", state="completed").first(),
                30,
                what="the batch to end",
                processes=[web, worker],
            )
            assert f"/tasks/{task.pk}/" == batch.url.path
            assert "is not a word" in ask.get(batch.url.path).text
    assert (task.succeeded, task.failed) == (2, 1)
    assert {child.result["shout"]["loud"] for child in task.children.filter(state="succeeded")} == {"HELLO", "WORLD"}
