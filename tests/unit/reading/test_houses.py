"""The same paper in the looks of many publishers comes out the same."""

from __future__ import annotations

import difflib
import re

import pytest

from tests.unit.reading import houses, houses_margins, houses_medical, houses_more


def plain(text: str | None) -> str:
    return re.sub(r"\W+", " ", (text or "").casefold()).strip()


@pytest.fixture(
    params=[*houses.HOUSES, *houses_medical.HOUSES, *houses_more.HOUSES, *houses_margins.HOUSES],
    ids=lambda house: house.__name__,
)
def printed(request, press, read):
    """(what the look prints, the record that was read)."""
    expected = request.param(press)
    return expected, read(press)


def test_a_front_page_in_any_look_gives_the_same_bibliography(printed):
    expected, record = printed
    assert plain(record["title"]) == plain(expected.title)
    assert tuple(a["family"] for a in record["authors"]) == tuple(expected.families)
    assert record["doi"] == expected.doi
    assert record["year"] == expected.year
    assert plain(record["journal"]) == plain(expected.journal)
    found, wanted = plain(record["abstract"]), plain(expected.abstract)
    assert (
        found == wanted or difflib.SequenceMatcher(None, found, wanted, autojunk=False).ratio() > 0.93
    )  # a registration may stand below
    titles = [section["title"] for section in record["sections"]]
    assert [title for title in expected.sections if title not in titles] == []
