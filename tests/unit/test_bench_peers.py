"""The other engines of the fanout bench: none is a bench, and what isn't here is null with a reason."""

from __future__ import annotations

import pkgutil
import sys

import pytest

from tests.bench import peers
from tests.bench.__main__ import names
from tests.bench.peers import redis_server, rounds


def test_no_peer_is_listed_as_a_bench():
    modules = {module.name for module in pkgutil.iter_modules(peers.__path__)}
    assert set(peers.PEERS.values()) < modules
    assert not ({"peers"} | modules) & set(names())
    assert "fanout" in names()


def test_every_peer_whose_package_cannot_be_imported_is_null_and_stderr_says_why(monkeypatch, capsys):
    for package in ("celery", "dramatiq", "redis", "oban"):
        monkeypatch.setitem(sys.modules, package, None)  # Python's own way to refuse an import
    assert peers.measure(5000, 16, 2) == {"peers": {"celery_per_s": None, "oban_per_s": None, "dramatiq_per_s": None}}
    said = capsys.readouterr().err
    for key, package in (("celery_per_s", "celery"), ("oban_per_s", "oban"), ("dramatiq_per_s", "dramatiq")):
        assert f"{key}: null: the package {package} can't be imported" in said


def test_without_the_program_redis_is_absent(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(peers.Absent, match="redis-server is not on this machine"), redis_server.running():
        pass


class Engine:
    """Ends `per_s` jobs a second of a clock of its own."""

    def __init__(self, per_s: float):
        self.per_s, self.now, self.asked = per_s, 0.0, []

    def clock(self) -> float:
        return self.now

    def run(self, n: int, left_s: float) -> None:
        self.asked.append(n)
        self.now += n / self.per_s
        assert n / self.per_s <= left_s


def test_a_fast_peer_gets_all_jobs():
    engine = Engine(1000)
    assert rounds.rate(engine.run, 5000, clock=engine.clock) == (pytest.approx(1000), 5000)
    assert engine.asked == [1, rounds.SAMPLE, 5000]


def test_a_slow_peer_gets_as_many_jobs_as_fit_its_time():
    engine = Engine(20)
    per_s, ran = rounds.rate(engine.run, 5000, clock=engine.clock)
    assert per_s == pytest.approx(20)
    assert 0 < ran < 5000 and engine.now <= rounds.CAP_S
