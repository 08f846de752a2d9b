"""Confidence says whether it is calibrated, and rises with the votes."""

from __future__ import annotations

from tasks.kinds.literature.reading import calibration
from tests.bench.calibrate import ece, fit
from tests.unit.reading.press import article


def test_fields_with_gold_are_calibrated_and_facts_say_that_they_are_not(press, read):
    record = read(
        article(press, methods="In total 84 adults were enrolled and 84 adults were randomised into two groups.")
    )
    said = {f["name"]: f["calibrated"] for f in record["fields"]}
    assert said["title"] and said["doi"] and said["year"]
    assert not said["groups"]


def test_more_votes_never_give_less_confidence():
    for starts, shares in calibration.TABLE.values():
        assert list(starts) == sorted(starts)
        assert list(shares) == sorted(shares)


def test_the_fit_pools_steps_that_fall_and_never_claims_certainty():
    samples = [("a", "title", 0.9, True)] * 20 + [("b", "title", 0.5, True)] * 10 + [("c", "title", 0.7, False)] * 10
    starts, shares = fit(samples)["title"]
    assert list(shares) == sorted(shares)
    assert shares[-1] == 0.95
    assert starts[0] == 0.5


def test_the_calibration_error_is_the_distance_from_what_was_right():
    assert ece([(0.95, True)] * 19 + [(0.95, False)]) < 1e-9
    assert abs(ece([(0.95, False)] * 10) - 0.95) < 1e-9
