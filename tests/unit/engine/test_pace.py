"""How many children a lane takes at a time follows from how short they are."""

from tasks.worker.pace import BATCH_S, MOST, Pace


def test_nothing_known_is_one():
    assert Pace().batch("q") == 1


def test_short_children_come_in_batches_that_fit_the_time():
    pace = Pace()
    pace.note("q", BATCH_S / 4)
    assert pace.batch("q") == 4
    assert pace.batch("another") == 1


def test_no_batch_is_larger_than_the_most():
    pace = Pace()
    pace.note("q", 0.0)
    assert pace.batch("q") == MOST


def test_one_slow_child_ends_the_batches_at_once_and_many_quick_ones_bring_them_back():
    pace = Pace()
    pace.note("q", BATCH_S / 10)
    pace.note("q", 10 * BATCH_S)
    assert pace.batch("q") == 1
    for _ in range(40):
        pace.note("q", BATCH_S / 10)
    assert pace.batch("q") > 1
