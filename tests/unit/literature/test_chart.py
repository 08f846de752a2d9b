"""The charts: drawn by attributes the CSP allows, with every number in words, and of nothing nothing."""

import re
import xml.etree.ElementTree as ET

import pytest

from tasks.kinds.literature.report import chart


def test_a_chart_is_well_formed_has_a_bar_for_each_number_and_says_it():
    drawn = chart.columns([("2019", 3), ("2020", 0), ("2021", 6)], "Years <&>")
    tree = ET.fromstring(drawn)
    assert tree.attrib["aria-label"] == "Years <&>"
    heights = [float(rect.attrib["height"]) for rect in tree.iter("rect")]
    assert heights[1] == 0 and heights[0] * 2 == pytest.approx(heights[2], abs=0.2)
    assert [title.text for title in tree.iter("title")] == ["2019: 3", "2020: 0", "2021: 6"]


def test_what_a_paper_says_can_not_leave_its_place():
    drawn = chart.columns([('"><script>alert(1)</script>', 1)], "x")
    assert "<script" not in drawn and ET.fromstring(drawn) is not None


@pytest.mark.parametrize("count", [1, 7, 8, 15, 40])
def test_labels_thin_out_where_they_would_touch_and_bars_stay_inside(count):
    drawn = chart.columns([(str(1980 + n), n + 1) for n in range(count)], "x")
    labels = [text for text in ET.fromstring(drawn).iter("text") if text.text and len(text.text) == 4]
    assert 1 <= len(labels) <= chart.FEW_LABELS
    for rect in ET.fromstring(drawn).iter("rect"):
        x, width = (float(rect.attrib[name].rstrip("%")) for name in ("x", "width"))
        assert 0 <= x and x + width <= 100.01


@pytest.mark.parametrize("share", [-1, 0, 0.5, 1, 7])
def test_a_level_bar_is_between_nothing_and_all(share):
    assert all(0 <= float(width) <= 100 for width in re.findall(r'width="([\d.]+)%"', chart.bar(share, share)))


def test_nothing_in_a_chart_needs_a_style():
    assert "style" not in chart.columns([("a", 1)], "x") + chart.bar(0.5, 0.2)
