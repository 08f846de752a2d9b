"""What the page of a paper shows of a record: evidence, the opened page, its boxes."""

from types import SimpleNamespace

import pytest

from tasks.kinds.literature.web import detail


def paper(**record):
    child = SimpleNamespace(state="succeeded", error_code="", error="", error_data={}, result={"parse": record})
    return SimpleNamespace(
        state="accepted",
        outcome="succeeded",
        path="hay.pdf",
        format="pdf",
        subtask=child,
        listed=None,
        standing=[],
        remarks=[],
        joined=[],
        review=None,
    )


FIELDS = [
    {"name": "doi", "value": "10.5555/x", "page": 1, "quote": "10.5555/x", "box": [10, 20, 30, 40], "verified": True},
    {
        "name": "sample_size",
        "value": None,
        "page": 2,
        "quote": "n",
        "verified": False,
        "status": "ambiguous",
        "candidates": [{"value": 12}, {"value": 14}],
    },
]


def test_a_field_opens_its_page_with_its_box_marked():
    opened = detail.of(paper(fields=FIELDS, pages=3, page_sizes=[[600, 800]] * 3), {"field": "0"})["opened"]
    assert (opened["number"], opened["width"], opened["before"], opened["after"]) == (1, 600, None, 2)
    assert opened["boxes"] == [{"x": 8, "y": 18, "width": 24, "height": 24}]


@pytest.mark.parametrize(("asked", "shown"), [("2", 2), ("99", 3), ("0", 1), ("-1", 1), ("x", 1), ("", 1)])
def test_a_page_that_is_not_there_becomes_one_that_is(asked, shown):
    assert detail.of(paper(fields=[], pages=3), {"page": asked})["opened"]["number"] == shown


def test_verified_and_ambiguous_are_told_apart():
    shown = detail.of(paper(fields=FIELDS, pages=3), {})
    assert shown["verified"] == 1
    assert [field["ambiguous"] for field in shown["fields"]] == [False, True]
    assert shown["fields"][1]["candidates"] == ["12", "14"]


def test_a_paper_that_failed_has_no_record_but_a_reason():
    child = SimpleNamespace(state="failed", error_code="timeout", error="", error_data={"limit_s": 70}, result={})
    shown = detail.of(SimpleNamespace(state="accepted", subtask=child, listed=None), {})
    assert shown["record"] is None
    assert "70 s" in shown["error"]


def test_what_several_sources_said_is_shown_with_the_one_that_stands():
    one = paper(fields=[{"name": "year", "value": 2023, "verified": False, "status": "found"}])
    one.subtask.result["grobid"] = {"fields": [{"name": "year", "value": 2024, "verified": True, "status": "found"}]}
    (year,) = [field for field in detail.of(one, {})["fields"] if field["name"] == "year"]
    assert [(said["value"], said["stands"]) for said in year["sources"]] == [("2023", False), ("2024", True)]
    (plain, *_rest) = detail.of(paper(fields=FIELDS), {})["fields"]
    assert plain["sources"] == []
