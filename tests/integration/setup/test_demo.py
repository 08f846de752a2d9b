"""`manage.py demo` with everything real: its exit tells whether every sample ended as it should."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest

from tasks.kinds.literature import samples
from tasks.kinds.literature.samples import Sample
from tasks.management.demo import tour
from tasks.models import Task, Worker
from tests.processes import Manage, free_port, wait_until


def demo(var: Path, *arguments: str) -> Manage:
    return Manage("demo", "--port", str(free_port()), *arguments, env={"SHEAF_VAR": var}, stop_s=60)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_demo_reads_every_sample_as_promised_and_ends_with_success(tmp_path):
    with demo(tmp_path, "--once") as process:
        status = process.wait(180)
        log = (tmp_path / "demo.log").read_text()
    assert status == 0, process.output + log
    given = samples.build(tmp_path)
    assert len(given) >= 12
    table = process.output[process.output.index("──") :].splitlines()[1 : len(given) + 1]
    for sample, line in zip(given, table, strict=True):
        assert line.startswith(sample.path.name[:12])
        assert sample.outcome in line
    assert "100%" in process.output
    assert re.search(r"Account: +researcher, password \S{12,}", process.output)
    assert Task.objects.get().owner.username == "researcher"
    assert not Worker.objects.filter(stopping=False).exists()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_ctrl_c_while_it_serves_stops_everything_in_peace(tmp_path):
    with demo(tmp_path) as process:
        wait_until(lambda: "Ctrl-C stops everything" in process.output, 180, what="the demo to serve")
        process.signal(signal.SIGINT)
        assert process.wait(60) == 0, process.output
    assert "Traceback" not in process.output + (tmp_path / "demo.log").read_text()


def sample(name: str, outcome: str, code: str = "") -> Sample:
    empty = {"title": "", "doi": "", "authors": [], "year": 0, "journal": "", "abstract": ""}
    return Sample(name=name, path=Path(name), outcome=outcome, error_code=code, sections=[], references=[], **empty)


def record(name: str, status: str, code: str | None = None) -> dict:
    return {"file": name, "status": status, "error_code": code}


def test_no_surprise_when_all_ended_as_promised():
    given = [sample("a", "succeeded"), sample("b", "failed", "damaged"), sample("c", "duplicate")]
    told = [record("a", "succeeded"), record("b", "failed", "damaged"), record("c", "duplicate", "duplicate")]
    assert tour.surprises(given, told) == []


@pytest.mark.parametrize(
    "told",
    [
        [record("a", "failed", "damaged")],
        [record("a", "failed", "password")],
        [],
        [record("other", "succeeded")],
    ],
    ids=json.dumps,
)
def test_whatever_else_happened_is_a_surprise(told):
    assert tour.surprises([sample("a", "succeeded")], told)


def test_a_failure_for_another_reason_is_a_surprise():
    assert tour.surprises([sample("a", "failed", "damaged")], [record("a", "failed", "crashed")])
