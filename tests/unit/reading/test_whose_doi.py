"""Whose DOI it is: a template's metadata, running heads, data sets and page numbers beside the paper's own."""

from __future__ import annotations

import pytest

from tasks.kinds.literature.reading.identifiers import join_broken, repeated_doi, vote_doi, vote_year
from tasks.kinds.literature.reading.metadata import of_another_paper

OWN, OTHER = "10.5555/ewhf.2021.0417", "10.5555/endo.2017.1366"


def test_what_file_and_print_both_say_wins_over_a_templates_metadata():
    doi, votes = vote_doi([(OTHER, 2.0, "metadata"), (OWN, 2.0, "metadata"), (f"doi:{OWN}", 2.0, "edge")])
    assert doi == OWN and set(votes) == {OWN, OTHER}


def test_two_dois_in_the_metadata_and_none_in_print_stay_ambiguous():
    assert vote_doi([(OTHER, 2.0, "metadata"), (OWN, 2.0, "metadata")])[0] is None


@pytest.mark.parametrize(
    ("titles", "other"),
    [
        (["Copeptin as a marker of an altered axis in disease of the pituitary"], True),
        (["Early walking after hip fracture: a trial", "Microsoft Word - final_2"], False),
        (["Print"], False),
        ([], False),
    ],
)
def test_metadata_of_another_paper_are_known_by_their_title(titles, other):
    assert of_another_paper(titles, "Early walking after hip fracture surgery in older adults: a trial") is other


def test_page_numbers_that_run_into_a_doi_are_taken_off():
    edges = " \n ".join(f"mSphere Volume 9 {OWN}{page}" for page in ("", "", "10", "11", "12"))
    assert vote_doi([(edges, 2.0, "edge"), (OWN, 1.0, "front")])[0] == OWN


def test_the_doi_of_most_running_lines_is_the_papers():
    assert repeated_doi([f"{OWN} page {n}" for n in range(9)] + [f"see {OTHER}"]) == OWN
    assert repeated_doi(["no doi"] * 9) is None


def test_a_data_set_named_on_the_front_page_is_not_the_paper():
    text = "All data can be found at the following link: https://doi.org/10.5555/data.44."
    assert vote_doi([(text, 1.0, "front")])[0] is None


@pytest.mark.parametrize(
    ("printed", "joined"),
    [
        ("10.5555/rna.034181.112. 2056", "10.5555/rna.034181.112 . 2056"),  # the number of the page
        ("10.5555/journal.pone. 0166684", "10.5555/journal.pone.0166684"),
        ("10.5555/j.ahj.2021. 02.001", "10.5555/j.ahj.2021.02.001"),
    ],
)
def test_a_number_after_a_full_stop_is_joined_only_where_it_must_be_part_of_it(printed, joined):
    assert join_broken(printed) == joined


def test_an_old_doi_with_angle_brackets_is_whole():
    sici = "10.1002/(sici)1097-0177(200006)218:2<235::aid-dvdy2>3.0.co;2-g"
    assert vote_doi([(f"DOI {sici.upper()}", 1.0, "front")])[0] == sici


def test_a_number_that_looks_like_a_year_to_come_is_none():
    assert vote_year("Oecologia Received 2011", "", "", "", "10.1007/s00442-011-2084-z", "")[0] != 2084
