"""The project's own sample papers give the facts that were written into them: a gold list read by eye."""

from __future__ import annotations

import pytest

from tasks.kinds.literature import samples
from tasks.kinds.literature.reading import extract_file

# beginning of the name -> what the text of samples/papers says; None where it says nothing
GOLD = {
    "Silva Brandão": {
        "design": "cross-sectional study",
        "sample_size": 3482,
        "registration": "RBR-9x04kz",
        "period": None,
    },
    "Delgado-Núñez": {
        "design": "crossover trial",
        "sample_size": 68,
        "registration": "NCT09917260",
        "period": "October 2019 to March 2021",
        "primary_outcome": "the number of lapses in a ten-minute psychomotor vigilance test at 4:00",
    },
    "Van Campenhout": {"design": "animal experiment", "sample_size": 24, "registration": None},
    "沈": {
        "design": "randomised controlled trial",
        "sample_size": 286,
        "registration": "ChiCTR2100904417",
        "period": "2021年3月 to 2022年9月",
    },
    "Rakotomalala": {
        "design": "prediction model study",
        "sample_size": 1262,
        "registration": None,
        "period": "May 2021 to April 2022",
    },
    "Amoah": {
        "design": "diagnostic accuracy study",
        "sample_size": 358,
        "registration": "NCT09904174",
        "period": "February 2021 to December 2022",
    },
    "Okonkwo": {
        "design": "randomised controlled trial",
        "sample_size": 1184,
        "registration": "ISRCTN90417726",
        "period": "March 2019 to August 2022",
        "primary_outcome": "systolic blood pressure at 12 months, measured by assessors who were unaware of allocation",
    },
    "Järvinen": {
        "design": "case-control study",
        "sample_size": 381,
        "registration": None,
        "period": "3 September to 21 October 2018",
    },
    "Bergström": {
        "design": "systematic review and meta-analysis",
        "sample_size": 11384,
        "registration": "CRD42019990417",
        "period": None,
    },
    "McAllister": {
        "design": "interrupted time series",
        "sample_size": 214609,
        "registration": "OSF-QJDP-4417",
        "period": "January 2009 to December 2019",
    },
    "Thorvald": {"design": "cohort study", "sample_size": 2316, "registration": None, "period": None},
}
ALWAYS = ("ethics", "funding", "conflicts")  # stated by every one of them


@pytest.fixture(scope="module")
def fields(tmp_path_factory):
    """name of a sample -> its fields by name."""
    found = {}
    for sample in samples.build(tmp_path_factory.mktemp("samples")):
        if sample.outcome != "succeeded":
            continue
        record = extract_file(str(sample.path))
        by_name: dict[str, list] = {}
        for field in record["fields"]:
            by_name.setdefault(field["name"], []).append(field)
        found[sample.name] = by_name
    return found


def test_every_sample_has_its_gold(fields):
    assert sorted(sum(name.startswith(start) for start in GOLD) for name in fields) == [1] * len(GOLD)


@pytest.mark.parametrize("start", GOLD)
def test_a_sample_gives_the_facts_written_into_it(fields, start):
    mine = next(by_name for name, by_name in fields.items() if name.startswith(start))
    for name, value in GOLD[start].items():
        assert [f["value"] for f in mine.get(name, [])] == ([] if value is None else [value]), name
        assert all(f["verified"] and f["status"] == "found" for f in mine.get(name, []))
    for name in ALWAYS:
        assert mine[name][0]["verified"], name
    # The countries are invented, so none may be told; the authors' addresses are no evidence.
    assert "country" not in mine


def test_intervals_of_the_samples_hold_their_values(fields):
    effects = [f["value"] for by_name in fields.values() for f in by_name.get("effect_sizes", [])]
    assert len(effects) >= 12
    assert all(e["low"] <= e["value"] <= e["high"] and e["level"] == 95 for e in effects)
