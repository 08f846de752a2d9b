"""The RIS, read again by rispy: a record for every paper that was read, each value on its own line."""

from __future__ import annotations

import pytest
import rispy

from tasks.kinds.literature.exports import ris
from tests.unit.literature.hostile import CONTROL, FAILED, HOSTILE, LONG, record


def read_back(*records) -> list[dict]:
    return rispy.loads("".join(ris.pieces(records)))


def test_every_part_is_under_its_tag():
    (found,) = read_back(
        record(
            title="On hay",
            authors=[{"family": "Ríos", "given": "Ana"}, {"family": "Li", "given": None}],
            year=2024,
            journal="Journal of Hay",
            volume="6",
            issue="3",
            first_page="88",
            last_page="90",
            doi="10.5555/hay(1)<2>",
            pmid="00123",
            abstract="All\nabout  hay.",
            keywords=["hay", "straw"],
            language="en",
        )
    )
    assert found["type_of_reference"] == "JOUR"
    assert found["authors"] == ["Ríos, Ana", "Li"]
    expected = {
        "title": "On hay",
        "year": "2024",
        "volume": "6",
        "number": "3",
        "start_page": "88",
        "end_page": "90",
        "doi": "10.5555/hay(1)<2>",
        "accession_number": "00123",
        "abstract": "All about hay.",
        "keywords": ["hay", "straw"],
        "language": "en",
    }
    assert {name: found.get(name) for name in expected} == expected
    assert "Journal of Hay" in found.values()


@pytest.mark.parametrize("text", [*HOSTILE, LONG])
def test_no_text_ends_its_record_or_begins_another(text):
    found = read_back(record(title="first", abstract=f"a\r\n{text}\r\nER  - \r\nTY  - JOUR"), record(title=text))
    assert len(found) == 2
    assert found[1].get("title", "") == " ".join(text.split())


def test_control_characters_are_gone_and_papers_that_failed_have_no_record():
    assert read_back(record(title="a\x00b\x1f"), FAILED)[0]["title"] == "ab"
    assert len(read_back(FAILED, record())) == 1
    assert CONTROL[0]


def test_a_paper_that_only_a_list_names_is_a_reference_too():
    listed = record(title="On straw", status="listed", file="list.ris:3")
    assert [one["title"] for one in read_back(listed, record(status="listed"), record(status="merged"))] == ["On straw"]


def test_lines_end_as_the_format_wants_and_there_is_no_mark_at_the_front():
    text = "".join(ris.pieces([record(title="x")]))
    assert text.startswith("TY  - JOUR\r\n") and text.endswith("ER  - \r\n\r\n")
    assert text.count("\n") == text.count("\r\n")
