"""A Kind whose list of children ends the worker that makes it is given up, with the reason."""

import pytest

from tasks import background, fanout
from tasks.kinds.base import NewChild, kind_named
from tests.integration.engine.batches import act, fresh


@pytest.fixture(autouse=True)
def queues(empty):
    fanout.ensure_queues()


def dying_after(children: int):
    def expand(self, task):
        for n in range(children):
            yield NewChild(f"{n}")
        raise SystemExit  # as a killed worker: nothing after it runs

    return expand


def test_a_list_that_kills_its_worker_does_not_do_so_for_ever(monkeypatch):
    monkeypatch.setattr(type(kind_named("act")), "expand", dying_after(0))
    task = act({})
    for _ in range(background.MAX_STARTS):
        with pytest.raises(SystemExit):
            list(background.expand(task.pk))
    assert fresh(task).state == "expanding"
    assert list(background.expand(task.pk)) == []
    assert (fresh(task).state, fresh(task).error_code) == ("cancelling", "expand_failed")
    list(background.sweep_up(task.pk))
    assert background.finalize(task.pk, 1)
    assert fresh(task).state == "failed"


def test_starts_that_bring_children_are_not_held_against_a_list(monkeypatch, settings):
    settings.SHEAF_CHUNK = 1
    task = act({})
    for n in range(1, background.MAX_STARTS + 3):
        monkeypatch.setattr(type(kind_named("act")), "expand", dying_after(n))
        with pytest.raises(SystemExit):
            list(background.expand(task.pk))
    assert (fresh(task).state, fresh(task).total) == ("expanding", background.MAX_STARTS + 2)
