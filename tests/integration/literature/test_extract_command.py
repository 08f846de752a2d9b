"""``manage.py extract``: one record for every file given, in order, through real worker processes."""

from __future__ import annotations

import json
import signal

import pytest

from tasks.kinds.literature import samples
from tasks.models import Task, Worker
from tests import processes
from tests.integration.literature.papers import pdf_bytes
from tests.processes import Manage, wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture(scope="module")
def papers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("papers")
    return folder, samples.build(folder)


def run(*arguments, timeout=120, **options):
    with Manage("extract", *map(str, arguments), **options) as process:
        status = process.wait(timeout)
        return status, process.output


def test_a_folder_gives_a_record_for_every_file_and_status_3_when_some_failed(papers, tmp_path):
    folder, built = papers
    (folder / "notes.txt").write_text("not a paper")
    out, table = tmp_path / "out.json", tmp_path / "out.csv"
    status, said = run(folder, "--json", out, "--csv", table)
    assert status == 3, said
    records = {record["file"]: record for record in json.loads(out.read_text())}
    assert list(records) == sorted([str(folder / "notes.txt"), *(str(sample.path) for sample in built)])
    assert records[str(folder / "notes.txt")]["error_code"] == "not_a_format"
    first = next(sample for sample in built if sample.outcome == "succeeded")
    for sample in built:
        record = records[str(sample.path)]
        if sample.outcome == "duplicate":
            assert record["status"] == "succeeded" and record["title"]
        else:
            assert (record["status"], record["error_code"]) == (sample.outcome, sample.error_code or None), said
    assert records[str(first.path)]["title"] == first.title
    assert len(table.read_text("utf-8-sig").splitlines()) > len(built)
    task = Task.objects.get()
    assert (task.state, task.owner.username) == ("completed", "cli")
    ends = {
        name: [sample for sample in built if sample.outcome == name] for name in ("succeeded", "duplicate", "failed")
    }
    assert f"{len(built) + 1} given: " in said and f"{len(ends['succeeded'])} succeeded" in said
    for word in ("duplicate", "failed"):
        assert f"{len(ends[word])} {word}" in said
        for sample in ends[word]:
            assert f"{word}: {sample.path}: " in said
    assert not task.owner.has_usable_password()


def test_it_uses_the_workers_that_live_and_stops_those_it_started(papers, tmp_path):
    _folder, built = papers
    good = [sample.path for sample in built if sample.outcome == "succeeded"][:2]
    with processes.Worker() as worker:
        status, said = run(*good, "--json", tmp_path / "a.json")
        assert status == 0, said
        assert [str(token) for token in Worker.objects.values_list("token", flat=True)] == [worker.token]
    status, said = run(*good, "--json", tmp_path / "b.json")
    assert status == 0, said
    wait_until(lambda: not Worker.objects.filter(stopping=False).exists(), 20, what="its own worker to be gone")
    assert json.loads((tmp_path / "a.json").read_text()) == json.loads((tmp_path / "b.json").read_text())


def test_what_the_door_refuses_is_a_failed_record_and_nothing_needs_a_worker(tmp_path):
    page = tmp_path / "page.pdf"
    page.write_text("<html>")
    status, said = run(page, "--json", tmp_path / "out.json")
    assert status == 3, said
    (record,) = json.loads((tmp_path / "out.json").read_text())
    assert (record["status"], record["error_code"]) == ("failed", "not_a_pdf")


@pytest.mark.parametrize("arguments", [[], ["/nowhere"], ["EMPTY"], ["PAPER", "--json", "/nowhere/out.json"]])
def test_wrong_usage_is_status_2_and_starts_nothing(tmp_path, arguments):
    paper = tmp_path / "a.pdf"
    paper.write_bytes(pdf_bytes())
    (tmp_path / "empty").mkdir()
    places = {"PAPER": paper, "EMPTY": tmp_path / "empty"}
    status, said = run(*[places.get(argument, argument) for argument in arguments])
    assert status == 2, said
    assert "Traceback" not in said and "Errno" not in said
    if "--json" in arguments:
        assert "/nowhere/out.json can't be written" in said
    assert not Task.objects.exists()


def test_ctrl_c_cancels_the_batch_says_so_and_writes_what_was_read(tmp_path):
    for number in range(200):
        (tmp_path / f"{number:03}.pdf").write_bytes(pdf_bytes(f"paper {number}", 30))
    out = tmp_path / "out.json"
    with Manage("extract", str(tmp_path), "--json", str(out)) as process:
        wait_until(lambda: Task.objects.filter(succeeded__gt=0).exists(), 60, what="a first paper", processes=[process])
        process.signal(signal.SIGINT)
        status = process.wait(60)
    assert status == 130, process.output
    assert "Cancelling" in process.output
    task = Task.objects.get()
    assert (task.state, task.total) == ("cancelled", task.succeeded + task.failed + task.cancelled)
    records = json.loads(out.read_text())
    assert len(records) == 200
    assert sum(record["status"] == "succeeded" for record in records) == task.succeeded < 200
