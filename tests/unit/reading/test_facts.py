"""Study facts come with value, unit, page and quote; two different values are ambiguous; the unsaid is no field."""

from __future__ import annotations

import pytest

from tasks.kinds.literature.reading.countries import countries_in
from tasks.kinds.literature.reading.facts import find_facts, number
from tasks.kinds.literature.reading.passages import Passage
from tests.unit.reading.press import LOREM, article


class Anywhere:
    """A provenance that finds every quote, for rules read off bare sentences."""

    @staticmethod
    def field(name, value, page, quote, confidence, unit=None):
        return {
            "name": name,
            "value": value,
            "unit": unit,
            "page": page,
            "quote": quote,
            "confidence": confidence,
            "status": "found",
        }


def facts(*sentences, part="methods", name=None):
    found = find_facts([Passage(1, part, s) for s in sentences], Anywhere)
    return [f for f in found if f["name"] == name] if name else found


def value(sentence, name, part="methods"):
    found = facts(sentence, part=part, name=name)
    return found[0]["value"] if found else None


METHODS = (
    "This randomized, double-blind, placebo-controlled trial was registered at ClinicalTrials.gov (NCT01234567). "
    "A total of 124 patients were enrolled "
    "between January 2015 and March 2016 and randomly divided into two groups. The study was conducted at the "
    "Department of Periodontology of the Hospital "
    "of Sevilla. The primary outcome was the gingival bleeding index at four weeks. The protocol was approved by "
    "the ethics committee of the hospital. "
)
ENDS = [
    ("Funding", "This work was supported by the Spanish Ministry of Science under grant 123."),
    ("Conflicts of interest", "The authors declare no conflict of interest."),
    ("Data availability", "The data are available from the corresponding author on request."),
]


def test_a_trial_gives_its_facts_with_page_quote_and_box(press, read):
    record = read(article(press, methods=METHODS + LOREM, ends=ENDS))
    got = {f["name"]: f for f in record["fields"]}
    assert got["design"]["value"] == "randomised controlled trial"
    assert (got["sample_size"]["value"], got["sample_size"]["unit"]) == (124, "patients")
    assert (got["groups"]["value"], got["groups"]["unit"]) == (2, "groups")
    assert got["period"]["value"] == "January 2015 to March 2016"
    assert got["registration"]["value"] == "NCT01234567"
    assert "Hospital of Sevilla" in got["setting"]["value"]
    assert got["primary_outcome"]["value"] == "the gingival bleeding index at four weeks"
    assert got["ethics"]["quote"].startswith("The protocol was approved")
    assert got["funding"]["value"].startswith("This work was supported by the Spanish Ministry")
    assert got["conflicts"]["value"] == "The authors declare no conflict of interest."
    assert got["data_availability"]["value"].startswith("The data are available")
    for name in ("design", "sample_size", "registration", "funding"):
        field = got[name]
        assert field["verified"], name
        x0, y0, x1, y1 = field["box"]
        width, height = record["page_sizes"][field["page"] - 1]
        assert 0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height


def test_a_paper_that_says_nothing_gives_no_facts(press, read):
    names = {f["name"] for f in read(article(press))["fields"]}
    assert not names & {
        "sample_size",
        "groups",
        "registration",
        "ethics",
        "funding",
        "conflicts",
        "period",
        "primary_outcome",
        "p_values",
        "effect_sizes",
        "design",
    }


def test_two_sample_sizes_of_equal_standing_are_ambiguous():
    field = facts("A total of 40 patients were enrolled. A total of 60 patients were enrolled.", name="sample_size")[0]
    assert (field["status"], field["value"]) == ("ambiguous", None)
    assert [c["value"] for c in field["candidates"]] == [40, 60]


def test_facts_of_others_told_in_the_introduction_are_not_the_papers():
    assert (
        facts(
            "In a randomized controlled trial NCT07654321 a total of 900 patients were enrolled (p < 0.01).",
            part="introduction",
        )
        == []
    )


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Thirty adult male rats were randomly divided into five groups.", 30),
        ("A total of 1,024 participants were included.", 1024),
        ("We recruited twenty-four volunteers.", 24),
        ("Each treatment had four replicates with 10 birds each.", None),
        ("Of these, 12 patients were excluded.", None),
        ("The survey of 2015 was repeated.", None),
    ],
)
def test_sample_sizes(sentence, expected):
    assert value(sentence, "sample_size", part="abstract") == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("We conducted a systematic review and meta-analysis of trials.", "systematic review and meta-analysis"),
        ("This retrospective cohort study used records.", "cohort study"),
        ("A cross-sectional survey was done.", "cross-sectional study"),
        ("A matched case-control study was done.", "case-control study"),
        ("Male Wistar rats were divided at random.", "animal experiment"),
        ("We report the case of a man with bleeding.", "case report"),
        ("The leaves were green.", None),
    ],
)
def test_designs(sentence, expected):
    assert value(sentence, "design", part="abstract") == expected


@pytest.mark.parametrize(
    "identifier",
    [
        "NCT01234567",
        "ISRCTN12345678",
        "ChiCTR-TRC-12345678",
        "ACTRN12612345678901",
        "CTRI/2015/01/005432",
        "IRCT2015010112345N1",
        "UMIN000012345",
        "DRKS00012345",
        "CRD42018012345",
    ],
)
def test_registrations(identifier):
    assert value(f"The trial was registered ({identifier}).", "registration") == identifier


@pytest.mark.parametrize(
    ("text", "expected"),
    [("p < 0.05", "< 0.05"), ("P=0.003", "= 0.003"), ("p ≤ .01", "≤ .01"), ("p = 1.2 × 10-5", "= 1.2×10-5")],
)
def test_p_values(text, expected):
    assert value(f"Bleeding was less with basil ({text}).", "p_values", part="results") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("odds ratio 1.52 (95% CI 1.10-2.10)", ("odds ratio", 1.52, 1.10, 2.10)),
        ("HR = 0.71; 95% CI, 0.55 to 0.92", ("HR", 0.71, 0.55, 0.92)),
        ("mean difference −2.1 (95% CI: −3.4, −0.8)", ("mean difference", -2.1, -3.4, -0.8)),
    ],
)
def test_effect_sizes_with_their_interval(text, expected):
    effect = value(f"Basil was better ({text}).", "effect_sizes", part="results")
    assert (effect["measure"], effect["value"], effect["low"], effect["high"]) == expected


def test_an_interval_that_does_not_hold_its_value_was_misread_and_is_dropped():
    assert facts("The odds ratio was 5.0 (95% CI 1.1-2.1).", part="results", name="effect_sizes") == []


def test_numbers_in_words_and_figures():
    assert [number(t) for t in ("1,024", "24", "twenty-four", "Nine", "many")] == [1024, 24, 24, 9, None]


@pytest.mark.parametrize(
    ("address", "country"),
    [
        ("University of Punjab, Lahore 54590, Pakistan", "Pakistan"),
        ("Rutgers University, New Brunswick, NJ 08901, USA", "United States"),
        ("Georgia Institute of Technology, Atlanta, U.S.A.", "United States"),
        ("University of Edinburgh, Scotland", "United Kingdom"),
    ],
)
def test_countries_of_addresses(address, country):
    assert countries_in(address)[-1][0] == country


def test_no_country_is_read_into_an_address_without_one():
    assert countries_in("Department of Botany, Some University") == []
