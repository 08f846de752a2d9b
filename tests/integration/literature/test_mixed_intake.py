"""Archives, reference lists, other papers and pasted numbers through the one door: all on the receipt, and undoable."""

from __future__ import annotations

import csv
import io
import warnings
import zipfile

import pytest

from config.files import backend
from tasks import fanout
from tasks.files import store
from tasks.files.models import Kept, StoredFile
from tasks.kinds.literature import outcomes
from tasks.kinds.literature.intake import entry
from tasks.kinds.literature.models import Paper, Source
from tests.integration.literature.papers import JSON, pdf_bytes, sha256

HAY, STRAW = pdf_bytes("hay"), pdf_bytes("straw")
RIS = b"""TY  - JOUR
TI  - On hay and its many uses in the barn
AU  - Rios, Ana
PY  - 2020
DO  - 10.5555/hay.1
ER  -

TY  - JOUR
N1  - nobody knows what this was
ER  -

TY  - JOUR
TI  - Straw in the northern counties
PY  - 2019/05/01
ER  -
"""
HTML = b"""<!doctype html><html><head><title>x</title><meta name="citation_title" content="Chaff">
<meta name="citation_doi" content="10.5555/chaff"></head><body><h1>Chaff</h1>
<p>All about chaff and more.</p></body></html>"""


def zipped(*members: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, data in members:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # two of one name are meant
                file.writestr(name, data)
    return out.getvalue()


def body(response) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return b"".join(response)


@pytest.fixture
def receipt(ana, draft):
    return lambda: ana.get(f"/sets/{draft.pk}/upload/", **JSON).json()


def adds_up(counts: dict) -> bool:
    return counts["given"] == counts["accepted"] + counts["duplicate"] + counts["refused"]


def test_an_archive_gives_each_of_its_members_through_the_same_door(give, draft):
    source = give(
        zipped(
            ("a/hay.pdf", HAY),
            ("b/hay.pdf", STRAW),
            ("b/again.pdf", HAY),
            ("list.ris", RIS),
            ("page.html", HTML),
            ("notes.txt", b"Nothing but prose here."),
            ("__MACOSX/._hay.pdf", b"x"),
            ("../out.pdf", HAY),
            ("nil.pdf", b""),
        ),
        "pile.zip",
        "barn",
    ).json()["source"]
    assert source["counts"] == {"given": 10, "accepted": 5, "duplicate": 1, "refused": 4} and source["ignored"] == 1
    papers = {paper.path: paper for paper in draft.papers.all()}
    assert papers["barn/pile.zip/a/hay.pdf"].state == papers["barn/pile.zip/b/hay.pdf"].state == "accepted"
    assert papers["barn/pile.zip/b/again.pdf"].state == "duplicate"
    assert papers["barn/pile.zip/page.html"].format == "html"
    reasons = {paper.filename: paper.reason for paper in papers.values() if paper.state == "refused" and not paper.line}
    assert reasons == {"notes.txt": "not_a_format", "out.pdf": "member_outside", "nil.pdf": "empty_file"}
    assert all(paper.message and "{" not in paper.message for paper in papers.values() if paper.reason)
    draft.refresh_from_db()
    assert draft.expected == 3


def test_the_bytes_of_members_are_kept_and_those_of_the_archive_are_not(give):
    data = zipped(("a.pdf", HAY))
    give(data, "pile.zip")
    assert b"".join(store.blocks(sha256(HAY))) == HAY
    assert not store.is_kept(sha256(data))


def test_two_members_of_one_name_are_both_given(give, draft):
    counts = give(zipped(("a.pdf", HAY), ("a.pdf", STRAW), ("a.pdf", HAY)), "pile.zip").json()["source"]["counts"]
    assert counts == {"given": 3, "accepted": 2, "duplicate": 1, "refused": 0}
    assert list(draft.papers.values_list("filename", flat=True)) == ["a.pdf", "a (2).pdf", "a (3).pdf"]


def test_a_list_gives_an_item_a_record_and_names_the_line_of_what_it_could_not_read(give, draft):
    source = give(RIS, "hay.ris").json()["source"]
    assert source["format"] == "ris"
    assert source["counts"] == {"given": 3, "accepted": 2, "duplicate": 0, "refused": 1}
    (lost,) = source["trouble"]
    assert (lost["line"], lost["state"]) == (8, "refused") and lost["message"]
    assert [problem["code"] for problem in source["problems"]] == ["year_from_date"]
    first = draft.papers.get(position=1)
    assert (first.state, first.listed["doi"], first.path) == ("listed", "10.5555/hay.1", "hay.ris:1")
    assert b"".join(store.blocks(source["sha256"])) == RIS


@pytest.mark.parametrize("name", ["hay.ris", "pile.zip"])
def test_the_same_again_is_the_same_rows(give, draft, name):
    data = RIS if name.endswith("ris") else zipped(("a.pdf", HAY), ("l.ris", RIS))
    first, second = (give(data, name).json()["source"] for _twice in range(2))
    assert first == second
    assert outcomes.counts(draft)["given"] == first["counts"]["given"]


def test_an_unpacking_that_broke_off_is_taken_up_again(give, draft):
    data = zipped(("a.pdf", HAY), ("b.pdf", STRAW))
    source = give(data, "pile.zip").json()["source"]
    Source.objects.update(done=False)
    Paper.objects.filter(filename="b.pdf").delete()
    assert give(data, "pile.zip").json()["source"]["counts"] == source["counts"]


def test_a_record_that_many_lists_have_is_no_duplicate_at_the_door(give, draft):
    give(RIS, "one.ris")
    give(RIS, "two.ris")
    assert outcomes.counts(draft)["listed"] == 4


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (zipped(), "nothing.zip", "archive_empty"),
        (zipped(("a.pdf", HAY))[:-30], "cut.zip", "archive_damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old.xls", "old_office"),
        (HTML, "paper.pdf", "not_a_pdf"),
    ],
    ids=["empty", "cut", "old", "other"],  # an archive has the time in it, by which two collections would differ
)
def test_what_can_not_be_opened_is_one_refused_line(give, draft, data, name, reason):
    paper = give(data, name).json()["paper"]
    assert (paper["state"], paper["reason"]) == ("refused", reason)
    assert paper["message"] != reason
    assert outcomes.counts(draft) | {"refused": 1, "given": 1} == outcomes.counts(draft)
    assert not Source.objects.exists()


def test_a_bomb_is_refused_by_the_bytes_that_come_out(give, settings, draft):
    settings.SHEAF_MAX_UNPACKED_MIB = 1
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("zeros.pdf", b"%PDF-1.4" + bytes(3 * 2**20))
    source = give(out.getvalue(), "bomb.zip").json()["source"]
    assert source["counts"]["refused"] == 1 and draft.papers.get().reason == "archive_too_large"


def test_an_archive_may_be_larger_than_a_file(give, settings):
    settings.SHEAF_MAX_FILE_MIB = 1
    big = zipped(("a.pdf", HAY), ("b.pdf", STRAW + b"%" * 2**20))
    assert len(big) > 2**20
    source = give(big, "pile.zip").json()["source"]
    assert source["counts"] == {"given": 2, "accepted": 1, "duplicate": 0, "refused": 1}
    settings.SHEAF_MAX_ARCHIVE_MIB = 1
    assert give(big, "other.zip").status_code == 413


def test_a_large_member_is_taken_up_to_the_limit_of_a_file(give, settings, tmp_path):
    settings.STORAGES = {**settings.STORAGES, "papers": backend("folder", folder=tmp_path, bucket="", endpoint="")}
    settings.SHEAF_MAX_FILE_MIB = 66
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as pile:
        for name, mib in (("large.pdf", 65), ("larger.pdf", 67), ("small.pdf", 0)):
            # A block at a time: this process must not grow, its children are judged by what they grow to
            with pile.open(name, "w") as member:
                member.write(HAY if mib else STRAW)
                for _ in range(mib):
                    member.write(b"%0123456789abcdef" * 61_681)
    source = give(out.getvalue(), "pile.zip").json()["source"]
    assert source["counts"] == {"given": 3, "accepted": 2, "duplicate": 0, "refused": 1}
    assert [one["file"] for one in source["trouble"]] == ["pile.zip/larger.pdf"]


def test_an_archive_has_one_time_limit_for_all_its_members(give, settings, monkeypatch):
    from tasks.sandbox.isolate import Isolate

    settings.SHEAF_OPEN_TIMEOUT_S = 60
    given_s, call = [], Isolate.call

    async def slow(self, function, *args, timeout_s):
        given_s.append(timeout_s)
        if len(given_s) > 2:  # behind the archive itself and its unpacking
            clock.now += 25
        return await call(self, function, *args, timeout_s=30)

    clock = _Clock()
    monkeypatch.setattr(Isolate, "call", slow)
    monkeypatch.setattr("tasks.kinds.literature.intake.opening.time", clock)
    pages = [(f"{n}.html", HTML.replace(b"Chaff", b"Chaff %d" % n)) for n in range(5)]
    source = give(zipped(*pages), "pages.zip").json()["source"]
    assert source["counts"] == {"given": 5, "accepted": 3, "duplicate": 0, "refused": 2}
    assert given_s == sorted(given_s, reverse=True) and given_s[-1] == 10
    assert "60 s" in source["trouble"][0]["message"]


class _Clock:
    """Stands still but when it is told."""

    now = 0.0

    def monotonic(self):
        return self.now


def test_pasted_numbers_become_items_and_pasting_nothing_is_said(ana, draft):
    url = f"/sets/{draft.pk}/paste/"
    answer = ana.post(url, {"text": "10.5555/hay.1\nhttps://doi.org/10.5555/straw\nPMID: 12345678\n"}, **JSON)
    assert answer.status_code == 201 and answer.json()["source"]["counts"]["accepted"] == 3
    assert (
        ana.post(url, {"text": "10.5555/hay.1\nhttps://doi.org/10.5555/straw\nPMID: 12345678"}, **JSON).status_code
        == 201
    )
    assert outcomes.counts(draft)["listed"] == 3
    assert ana.post(url, {"text": " \n"}, **JSON).json()["code"] == "nothing_pasted"


def test_undoing_a_list_or_an_archive_takes_everything_of_it_and_leaves_places_to_duplicates(ana, give, draft, receipt):
    source = give(zipped(("a.pdf", HAY), ("l.ris", RIS)), "pile.zip").json()["source"]
    give(HAY, "later.pdf")
    assert receipt()["papers"][0]["state"] == "duplicate"
    left = ana.post(source["remove_url"], **JSON).json()
    assert [(paper["filename"], paper["state"]) for paper in left["papers"]] == [("later.pdf", "accepted")]
    assert left["sources"] == [] and left["counts"]["given"] == 1
    draft.refresh_from_db()
    assert draft.expected == 1 and store.is_kept(sha256(HAY)) and not store.is_kept(sha256(RIS))


def test_nothing_can_be_undone_after_the_start(ana, give, draft):
    source = give(RIS, "hay.ris").json()["source"]
    fanout.start(draft)
    assert ana.post(source["remove_url"], **JSON).json()["code"] == "not_draft"
    assert ana.post(f"/sets/{draft.pk}/paste/", {"text": "10.5555/x"}, **JSON).json()["code"] == "not_draft"
    assert Source.objects.count() == 1


def test_a_discarded_draft_leaves_no_bytes(ana, give, draft):
    give(RIS, "hay.ris")
    give(zipped(("a.pdf", HAY)), "pile.zip")
    ana.post(f"/sets/{draft.pk}/discard/", **JSON)
    assert not StoredFile.objects.exists() and not Kept.objects.exists()


def test_the_receipt_adds_up_and_goes_out_as_a_table_with_every_line(ana, give, draft, receipt):
    give(HAY, "a.pdf")
    give(HAY, "b.pdf")
    give(RIS, "=cmd.ris")
    give(zipped(("x.pdf", STRAW), ("y.txt", b"prose")), "pile.zip")
    now = receipt()
    assert now["counts"] == {"given": 7, "accepted": 4, "duplicate": 1, "refused": 2} and adds_up(now["counts"])
    text = body(ana.get(f"/sets/{draft.pk}/receipt.csv")).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert [row[0] for row in rows[1:8]] == [str(number) for number in range(1, 8)]
    lost = next(row for row in rows if row[7] == "nothing_identifies")
    assert (lost[1], lost[3], lost[6]) == ("'=cmd.ris", "8", "refused")
    assert any(row[6] == "mended" and row[7] == "year_from_date" for row in rows)


def test_a_list_goes_out_as_it_was_given(ana, give, draft):
    source = give(RIS, "hay.ris").json()["source"]
    answer = ana.get(f"/sets/{draft.pk}/sources/{source['id']}/file/")
    assert body(answer) == RIS and answer["Content-Disposition"].startswith("attachment")


def test_have_knows_a_list_that_is_here(ana, give, draft):
    give(RIS, "hay.ris")
    known = ana.get(f"/sets/{draft.pk}/have/?sha256={sha256(RIS)}").json()
    assert known["have"] and known["source"]["filename"] == "hay.ris"


def test_a_list_over_the_limit_names_what_it_left(give, settings):
    settings.SHEAF_MAX_SET_REFERENCES = 1
    source = give(RIS, "hay.ris").json()["source"]
    assert source["counts"] == {"given": 3, "accepted": 1, "duplicate": 0, "refused": 2}
    assert "over_the_limit" in set(Paper.objects.values_list("reason", flat=True))


def test_a_reader_that_never_ends_costs_one_refused_line(give, settings, monkeypatch):
    from tasks.sandbox.isolate import IsolateError

    def hang(*_args, **_kwargs):
        raise IsolateError("timeout", "120 s")

    monkeypatch.setattr(entry.Opener, "open_up", hang)
    paper = give(RIS, "hay.ris").json()["paper"]
    assert (paper["state"], paper["reason"]) == ("refused", "timeout") and "120 s" in paper["message"]


def test_the_command_line_has_a_record_for_everything_in_an_archive_and_a_list(draft, tmp_path):
    from tasks.kinds.literature.intake import given

    (tmp_path / "pile.zip").write_bytes(zipped(("a/hay.pdf", HAY), ("notes.txt", b"prose only")))
    (tmp_path / "hay.ris").write_bytes(RIS)
    files = given.find([tmp_path / "pile.zip", tmp_path / "hay.ris"])
    papers = given.take_in(draft, files, lambda _n: None)
    found = [(record["file"], record["status"]) for record in given.each_record(draft, files, papers)]
    top = str(tmp_path)
    assert found == [
        (f"{top}/pile.zip/a/hay.pdf", "pending"),
        (f"{top}/pile.zip/notes.txt", "failed"),
        (f"{top}/hay.ris:1", "listed"),
        (f"{top}/hay.ris:8", "failed"),
        (f"{top}/hay.ris:12", "listed"),
    ]


def test_a_folder_is_read_as_the_upload_page_reads_one(draft, tmp_path):
    from tasks.kinds.literature.intake import given

    for name, data in {
        "a.ris": RIS,
        "deep/b.html": b"<!doctype html><html><title>Hay</title><p>Cut.</p></html>",
        "deep/hay.pdf": HAY,
        ".DS_Store": b"x",
        ".hidden/c.pdf": HAY,
        "__MACOSX/d.pdf": HAY,
        "Thumbs.db": b"x",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    files = given.find([tmp_path])
    top = tmp_path.name
    assert [(one.path.name, one.folder) for one in files] == [
        ("a.ris", top),
        ("b.html", f"{top}/deep"),
        ("hay.pdf", f"{top}/deep"),
    ]
    given.take_in(draft, files, lambda _n: None)
    assert {paper.format for paper in draft.papers.all()} == {"ris", "html", "pdf"}


def test_a_thousand_small_members_do_not_cost_a_thousand_processes(give, monkeypatch):
    from tasks.sandbox.isolate import Child

    started, spawn = [], Child.spawn
    monkeypatch.setattr(Child, "spawn", classmethod(lambda cls: started.append(1) or spawn()))
    members = [(f"{n}.html", HTML.replace(b"Chaff", b"Chaff %d" % n)) for n in range(8)]
    counts = give(zipped(*members, ("l.ris", RIS)), "pages.zip").json()["source"]["counts"]
    assert (counts["accepted"] >= 8, len(started)) == (True, 1)
