"""Lines are found by the words that the reader sees: SQL, Python and the page say the same sentence."""

import json

import pytest
from django.db import connection
from django.utils import translation

from streaming import search, words
from tasks import sentences

pytestmark = pytest.mark.django_db


def all_spoken(codes, data, text="") -> list[str]:
    """What SQL makes of lines with these codes."""
    expression, values = search._spoken()
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {expression} FROM (SELECT code, %s::text AS text, %s::jsonb AS data"
            " FROM unnest(%s::text[]) WITH ORDINALITY AS c(code, n) ORDER BY n) l",
            [*values, text, json.dumps(data), list(codes)],
        )
        return [said for (said,) in cursor.fetchall()]


def spoken(code, data, text="") -> str:
    return all_spoken([code], data, text)[0]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_sentence_is_put_together_alike_in_sql_and_in_python(language):
    data = {"who": "Grace", "failed": "3", "key": "a.pdf", "reason_code": "worker_lost", "detail": "{odd} %s"}
    codes = sorted(sentences.codes())
    with translation.override(language):
        for code, said in zip(codes, all_spoken(codes, data), strict=True):
            assert said == sentences.sentence(code, data), code


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("fields", [["period", "sample_size", "no such name"], [], "period"])
def test_a_list_of_names_is_said_in_words_alike_in_sql_and_in_python(language, fields):
    with translation.override(language):
        said = spoken("paper_lacks", {"fields": fields})
        assert said == sentences.sentence("paper_lacks", {"fields": fields})
        assert words.catalogue()["listed"]["period"] == sentences.words()["period"]
    if language == "en" and isinstance(fields, list) and fields:
        assert said == "Not found in the paper: Period, Sample size, no such name."


def test_free_text_and_unknown_codes_stay_as_they_are():
    assert spoken("", {}, "free text") == "free text"
    assert spoken("no_such_code", {}) == "no_such_code"


def test_the_catalogue_of_the_page_speaks_its_language():
    with translation.override("zh-hans"):
        catalogue = words.catalogue()
    assert catalogue["language"] == "zh-hans"
    assert set(catalogue["codes"]) == sentences.codes()
