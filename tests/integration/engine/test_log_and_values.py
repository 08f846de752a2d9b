"""What children say and return: lines without gaps from many writers, values that PostgreSQL or JSON cannot take."""

import pytest

from tasks.log import joblog
from tasks.log.joblog import Line
from tests.integration.engine.batches import (
    Worker,
    act,
    assert_log_has_no_gap,
    at_once,
    child,
    counters,
    fresh,
    submit,
    wait_for_end,
)


@pytest.fixture(scope="module")
def workers(ground):
    with Worker(8) as one, Worker(8) as two:
        yield one, two


def test_lines_of_many_workers_are_numbered_without_a_gap_and_each_child_in_its_order(workers):
    task = wait_for_end(act({"lines": 60}, repeat=30), processes=workers)
    for one in task.children.all():
        said = list(task.log.filter(subtask=one).order_by("seq").values_list("text", flat=True))
        assert said == [f"line {n}" for n in range(60)]


def test_a_childs_lines_are_stored_before_the_line_that_says_that_all_have_ended(workers):
    task = wait_for_end(act({"log": "last words"}, {"log": "last words", "do": "fail"}), processes=workers)
    closing = task.log.get(code="finalizing").seq
    assert max(task.log.filter(text="last words").values_list("seq", flat=True)) < closing
    assert task.log.get(code="child_failed").seq < closing < task.log.get(code="ended").seq


def test_lines_written_from_many_connections_are_numbered_without_a_gap():
    tasks = [submit("noop", n=0) for _ in range(3)]
    lines = [Line(task.pk, text=f"{n}") for n in range(5) for task in tasks]
    answers = at_once(*[lambda: joblog.write(lines)] * 12)
    assert not [answer for answer in answers if answer is not None]
    for task in tasks:
        assert_log_has_no_gap(fresh(task))
        assert task.log.exclude(text="").count() == 60


def test_nul_and_half_a_pair_become_the_replacement_character(workers):
    task = wait_for_end(act({"do": "nul", "log": "十 ⌘ 🜚"}), processes=workers)
    assert child(task).result["act"] == {"value": "a\ufffdb?", "quoted": "\\u0000"}
    assert task.log.get(text__contains="🜚").text == "十 ⌘ 🜚"


def test_an_error_in_odd_words_costs_its_child_only(workers):
    task = wait_for_end(act({"do": "odd words"}, *[{}] * 9), processes=workers)
    assert counters(task) == (10, 9, 1, 0)
    assert child(task, state="failed").error.startswith("NUL \ufffd and half a pair")


@pytest.mark.parametrize("value", ["nan", "object"])
def test_a_result_that_is_no_json_fails_its_child_with_the_reason(workers, value):
    task = wait_for_end(act({"do": value}, *[{}] * 9), processes=workers)
    assert counters(task) == (10, 9, 1, 0)
    assert child(task, state="failed").error_code == "unexpected"


def test_a_result_of_two_megabytes_is_kept(workers):
    task = wait_for_end(act({"do": "big", "size": 1_000_000}), processes=workers)
    assert len(child(task).result["act"]["value"]) == 1_000_000


def test_a_line_of_a_megabyte_is_cut_and_says_so(workers):
    task = wait_for_end(act({"log": "x" * 1_000_000}), processes=workers)
    (line,) = task.log.filter(text__startswith="xxx")
    assert len(line.text) < 70_000 and line.text.endswith("(+934464)")


@pytest.mark.parametrize("does", ["cancel itself", "exit"])
def test_a_stage_that_stops_in_an_unusual_way_fails_its_attempt_and_harms_nobody(workers, does):
    task = wait_for_end(act({"do": does}, *[{}] * 5), processes=workers)
    assert counters(task) == (6, 5, 1, 0)
    failed = child(task, state="failed")
    assert (failed.error_code, failed.lost, failed.attempt) == ("unexpected", 0, 3)
