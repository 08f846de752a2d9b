"""Volume, issue and pages are verified by a line that prints them as such, never by a number that stands anywhere."""

import re

import pytest

from tasks.kinds.literature.reading.bibliography import ROLES

CITED = {
    "J Dent Res 2016; 10(2):92-98": {"volume": "10", "issue": "2", "first_page": "92", "last_page": "98"},
    "3 Biotech (2015) 5:697–707": {"volume": "5", "first_page": "697", "last_page": "707"},
    "Vol. 9 No. 11, 2024, pp. 1402–1403": {"volume": "9", "issue": "11", "first_page": "1402", "last_page": "1403"},
    "江岚社区医学杂志 2023年第15卷第6期": {"volume": "15", "issue": "6"},
    "Volume 2018, Article ID 7264892, 6 pages": {"volume": "2018", "first_page": "7264892"},
}
ELSEWHERE = (
    "at the dose chosen on the ward [4]. An audit of 2017 found that",
    "was allowed until 1:00 and the rest of 2022",
    "Methods: In 2010 we examined 2,316 people",
    "cameras [4,5], or asked",
)


def plays(name: str, value: str, line: str) -> bool:
    return bool(re.search(ROLES[name].replace("{n}", re.escape(value)), line, re.I))


@pytest.mark.parametrize("line", CITED)
def test_a_citation_line_prints_each_number_in_its_role(line):
    assert [name for name, value in CITED[line].items() if not plays(name, value, line)] == []


@pytest.mark.parametrize("line", ELSEWHERE)
def test_a_number_in_a_sentence_is_no_issue(line):
    assert [n for n in range(1, 13) if plays("issue", str(n), line)] == []
