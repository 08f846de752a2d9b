"""Design, size, groups and setting are a study's own: papers on methods, theory and software have none to give."""

from __future__ import annotations

import pytest

from tasks.kinds.literature.reading.own_study import is_own, reports_a_study
from tasks.kinds.literature.reading.passages import Passage
from tests.unit.reading.test_facts import Anywhere, find_facts

#: Enough for a paper to be one that reports a study.
STUDY = Passage(2, "methods", "Patients were recruited in spring. Written informed consent was given by all of them.")


def told(*passages: tuple[str, str], study: bool = False) -> dict:
    texts = [Passage(1, part, text) for part, text in passages] + [STUDY] * study
    names = ("design", "sample_size", "groups", "setting")
    return {f["name"]: f["value"] for f in find_facts(texts, Anywhere) if f["name"] in names}


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("", "Theories of emotion can be grouped into two main categories."),
        ("", "Protection techniques were divided into three main groups of approaches by the first authors."),
        ("methods", "In the longitudinal study of uncertainty, Berg et al. (2002) administered interviews."),
        ("methods", "We decided to first conduct a literature review to analyse the state of the art."),
        ("abstract", "We review their architecture, which scatters data with a cascade of filters."),
        ("", "Thematic analysis originally was invented for the analysis of texts."),
        ("", "For example, such sections have the name Literature Review in most papers."),
        ("results", "In the final category the performance of the rule is also better in all three cases."),
        ("results", "The spectrum of compound 3 with authentic samples was the same."),
        ("methods", "These four hypotheses for why students choose to leave were studied."),
        ("methods", "We opted for a mixed experiment, a hybrid between a crossover design and a factorial one."),
        ("methods", "Strains were collected as pure cultures from the Institute of Nutrition and Food Science."),
        ("discussion", "A randomised controlled trial with 400 patients should be done."),
        ("", "Previous cohort studies divided patients into two groups."),
        ("title", "Systematic Review in Software Engineering"),
        ("title", "A method for meta-analysis of networks"),
    ],
)
def test_what_is_no_study_of_its_own_gives_no_facts(part, text):
    assert told(("title", "On ferns"), (part, text)) == {}
    if part != "title":
        assert told(("title", "On ferns"), (part, text), study=True) == {}


@pytest.mark.parametrize(
    ("part", "text", "name", "value"),
    [
        ("abstract", "This retrospective cohort study used records of ten years.", "design", "cohort study"),
        ("methods", "We carried out a cross-sectional survey among nurses.", "design", "cross-sectional study"),
        ("methods", "A randomised crossover trial was conducted (Berg, 2002).", "design", "crossover trial"),
        ("results", "A total of 46 patients were included.", "sample_size", 46),
        ("methods", "The rats were randomly divided into four groups.", "groups", 4),
        (
            "methods",
            "The study was conducted at the Fern Hospital of Mossford.",
            "setting",
            "Fern Hospital of Mossford",
        ),
        (
            "methods",
            "Blood samples were collected at the Fern Hospital of Mossford.",
            "setting",
            "Fern Hospital of Mossford",
        ),
        ("methods", "HeLa cells were cultured in medium for two days.", "design", "in vitro study"),
        ("methods", "The agar well diffusion method was used.", "design", "in vitro study"),
        ("abstract", "The purpose of this review is to summarise what is known.", "design", "review"),
        ("methods", "本研究为随机对照试验。", "design", "randomised controlled trial"),
    ],
)
def test_a_study_gives_them(part, text, name, value):
    assert told(("title", "On ferns"), (part, text), study=True)[name] == value


@pytest.mark.parametrize(
    ("title", "design"),
    [
        ("Ferns for sleep: a systematic review", "systematic review"),
        ("Ferns for sleep: systematic review and meta-analysis of trials", "systematic review and meta-analysis"),
        ("A systematic review of ferns for sleep", "systematic review"),
    ],
)
def test_a_review_of_studies_searched_for_them(title, design):
    assert told(("title", title), ("abstract", "PubMed was searched, and 12 trials were included."))["design"] == design
    assert "design" not in told(("title", "On ferns"), ("abstract", "We speak of how a systematic review is written."))


@pytest.mark.parametrize(
    "title",
    [
        "Corrigendum to “Ferns for sleep: a systematic review”",
        "Erratum: Ferns for sleep",
        "Retraction: Ferns for sleep",
        "RETRACTED: Ferns for sleep: a cohort study",
        "Author Correction: Ferns",
        "Expression of concern: Ferns",
    ],
)
def test_a_notice_tells_of_another_papers_study(title):
    assert told(("title", title), ("abstract", "In this cohort study 46 patients were enrolled."), study=True) == {}


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["Patients were recruited in two clinics."], True),
        (["Samples were collected in May.", "Differences were tested by ANOVA (p = 0.03)."], True),
        (["Samples were collected in May."], False),
        (["We proved that the bound is tight, and the theorem follows."], False),
        (["ANOVA and t-tests can be computed fast (p < 0.05)."], False),
        (["Our system was evaluated on ten data sets at 300 rpm with linear regression."], False),
        (["In the study by Berg, patients were recruited; Berg and Lund (2003) tell how."], False),
    ],
)
def test_evidence_of_a_study(texts, expected):
    assert reports_a_study([Passage(1, "methods", text) for text in texts]) is expected


@pytest.mark.parametrize(
    ("sentence", "part", "expected"),
    [
        ("Patients were followed for a year.", "abstract", True),
        ("Patients were followed for a year [12].", "methods", False),
        ("We followed patients for a year [12].", "methods", True),
        ("Patients were followed.", "discussion", False),
        ("In this study patients were followed.", "discussion", True),
        ("Lund and Moll (2011) followed patients.", "abstract", False),
        ("Future studies should follow patients.", "abstract", False),
    ],
)
def test_whose_sentence_it_is(sentence, part, expected):
    assert is_own(sentence, part) is expected


@pytest.mark.parametrize(
    "text", ["patients " * 20_000, "a study " * 20_000, "(" * 50_000, "was " * 40_000, "We included " * 9000]
)
def test_hostile_text_is_read_to_its_end(text):
    assert reports_a_study([Passage(1, "methods", text)]) in (True, False)
    assert is_own(text, "methods") in (True, False)
