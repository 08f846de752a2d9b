"""The sample size is the total enrolled, never what was planned, screened, excluded, or one group of them."""

from __future__ import annotations

import pytest

from tasks.kinds.literature.reading.passages import Passage
from tasks.kinds.literature.reading.sample_size import totals
from tests.unit.reading.press import article


def best(**parts: str):
    found = totals([Passage(1, part, text) for part, text in parts.items()])
    return found[0][1] if found and found[0][0] >= 4 else None


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("Of 402 people invited, 358 took part. The rest declined.", 358),
        ("Of 1,262 participants, 1,209 had usable recordings.", 1262),
        ("We enrolled 1,184 participants (home visits 597, usual care 587).", 1184),
        ("A total of 96 children were randomised; 48 children received the drug.", 96),
        ("We included 127 cases and 254 controls.", 381),
        ("Twenty-four rabbits received a coated or a plain catheter.", 24),
        ("In this crossover trial 68 nurses of two hospitals worked four night shifts.", 68),
        ("Of 2,906 records, 19 trials with 11,384 children were included.", 11384),
        ("Five randomised trials (RCTs) involving 259 patients were included.", 259),
        ("A total of 27 studies with 1942 patients were included in the analysis.", 1942),
        ("There were 4 studies with 917 cases, and 1291 controls for this variant.", 2208),
        ("A total of 420 patients (210 per group) will be registered.", 420),
        ("In total, 50 patients were eligible for analyses.", 50),
        ("A total of 270 patients were identified. A total of 262 patients were included for analysis.", 262),
        ("We included 130 patients. Sixty-six patients in Group A received the new suture.", 130),
        ("Hospitalised COVID-19 patients were randomly assigned by a computer.", None),
        ("In 1998 patients were allocated to the clinic that was nearest to their home.", None),
        ("The men were divided into two groups, each group is assigned 45 patients.", None),
        ("Thirty-five people were randomly assigned to each group.", None),
        ("The final sample consisted of 22 trials published since 1994.", None),
        ("Infection was present in 131 participants (36.6%).", None),
        ("A sample of 150 patients was needed to detect a difference with a power of 80%.", None),
        ("At least 200 participants would be required, assuming a drop-out rate of 10%.", None),
        ("We screened 300 patients and excluded 120 patients.", None),
        ("Twelve animals per group were treated.", None),
        ("The search gave 512 articles and 40 studies.", None),
    ],
)
def test_the_words_around_a_number_tell_what_it_counts(text, total):
    assert best(abstract=text) == total


def test_a_count_that_nothing_speaks_for_is_no_candidate():
    assert totals([Passage(1, "methods", "We had 12 samples identified by their sequence in the town.")]) == []


def test_the_planned_size_loses_to_the_enrolled_one():
    methods = "With 90% power to detect 5 mm Hg, 3,400 pupils were required. "
    assert best(abstract="Of 3,910 pupils invited, 3,482 gave blood.", methods=methods) == 3482


def test_two_totals_of_equal_support_are_ambiguous(press, read):
    record = read(
        article(
            press,
            abstract="A total of 90 patients were enrolled in June and a total of 120 patients were "
            "enrolled in July at the clinic of the town, and all of them were followed up for "
            "one year after the treatment with the extract or with the placebo.",
        )
    )
    field = next(f for f in record["fields"] if f["name"] == "sample_size")
    assert field["status"] == "ambiguous" and field["value"] is None
    assert {c["value"] for c in field["candidates"]} == {90, 120}


@pytest.mark.parametrize(
    ("sentence", "country"),
    [
        ("Patients were recruited in three hospitals in Kenya between May 2015 and June 2016.", "Kenya"),
        ("The survey was conducted in the northern districts of Ghana.", "Ghana"),
        ("Reagents were purchased from a company in Germany.", None),
        ("The study was funded by the National Science Foundation of China.", None),
        ("Strength was measured with a dynamometer (Test House (TH), Chennai, India) in the study population.", None),
        ("The survey was done in villages of the district on working days.", None),
    ],
)
def test_the_country_is_where_the_study_was_done_not_where_its_authors_work(press, read, sentence, country):
    pieces = [("Maria A. Lopez", "1"), (" and Wei Chen", "1,*")]
    press.line("", y=40)
    press = article(press, authors=pieces, methods=sentence + " The treatment was given daily.")
    fields = [f for f in read(press)["fields"] if f["name"] == "country"]
    assert [f["value"] for f in fields] == ([country] if country else [])


def test_a_study_in_several_countries_is_in_all_of_them(press, read):
    methods = "The trial was done in 24 hospitals in Italy, the UK, the Netherlands, and Switzerland."
    field = next(f for f in read(article(press, methods=methods))["fields"] if f["name"] == "country")
    assert field["status"] == "ambiguous" and field["value"] is None
    assert [c["value"] for c in field["candidates"]] == ["Italy", "United Kingdom", "Netherlands", "Switzerland"]


@pytest.mark.parametrize(
    "number",
    (
        "NCT09904174 ISRCTN90417726 ChiCTR2100904417 PACTR202104417123456 CTRI/2021/04/417123 UMIN000041712 "
        "JPRN-jRCTs031210417 ACTRN12621000417123 DRKS00041712 IRCT20210417051234N1 CRD42021904417 RBR-9x04kz "
        "SLCTR/2021/041 TCTR20210417001 KCT0004171 osf.io/a4b17"
    ).split(),
)
def test_registrations_of_all_registries_are_known(press, read, number):
    record = read(article(press, methods=f"The trial was registered before the start ({number}). It had two groups."))
    assert [f["value"] for f in record["fields"] if f["name"] == "registration"] == [number]


@pytest.mark.parametrize(
    ("title", "design"),
    [
        ("Diagnostic accuracy of photographs read at a distance", "diagnostic accuracy study"),
        ("A levy on sugar and teeth: interrupted time series", "interrupted time series"),
        ("External validation of a cough classifier in three clinics", "prediction model study"),
        ("Heat and stroke: a case-crossover study", "case-crossover study"),
        ("Anaemia in schools: a survey of 3,482 adolescents", "cross-sectional study"),
        ("Milk and fever: a matched case-control study", "case-control study"),
    ],
)
def test_designs_are_told_by_the_title(press, read, title, design):
    record = read(article(press, title=title))
    assert [f["value"] for f in record["fields"] if f["name"] == "design"] == [design]


def test_a_number_in_brackets_does_not_end_the_sentence_on_ethics(press, read):
    text = "The committee on research ethics of Norrby gave approval (no. NR 20/417). All adults consented."
    record = read(article(press, ends=[("Ethics approval", text)]))
    field = next(f for f in record["fields"] if f["name"] == "ethics")
    assert "(no. NR 20/417)" in field["value"]
