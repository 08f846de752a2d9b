"""What the demo prints: columns that line up in any script, a bar in a terminal, few lines elsewhere."""

from __future__ import annotations

import io

import pytest

from tasks.management.demo.terminal import Progress, fit, table, width

STATES = {"succeeded": "succeeded", "failed": "failed"}


def record(**values):
    empty = {"file": "a.pdf", "status": "succeeded", "error_code": None, "error": None, "title": None}
    return empty | {"doi": None, "year": None} | values


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("中文", 4), ("e\u0301", 1), ("", 0)])
def test_the_width_of_a_text_is_what_a_terminal_shows(text, columns):
    assert width(text) == columns


@pytest.mark.parametrize("text", ["short", "a title that is far too long", "很长很长很长很长的标题", "two\nlines"])
def test_a_fitted_text_is_one_line_of_exactly_that_width(text):
    assert width(fit(text, 11)) == 11
    assert "\n" not in fit(text, 11)


def test_the_table_gives_a_reason_where_there_is_no_title(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    lines = table(
        [
            record(title="Salt", doi="10.5555/x", year=2021),
            record(file="b.pdf", status="failed", error_code="damaged", error="The file is damaged."),
        ],
        STATES,
    ).splitlines()
    assert lines[2].split() == ["a.pdf", "succeeded", "Salt", "10.5555/x", "2021"]
    assert lines[3].endswith("The file is damaged.")
    assert all(width(line) <= 120 for line in lines)


def test_elsewhere_than_in_a_terminal_progress_is_a_line_for_each_tenth():
    out = io.StringIO()
    progress = Progress(out)
    for done in range(101):
        progress.show(done, 100, f"{done} done")
    progress.end()
    assert len(out.getvalue().splitlines()) == 11
    assert out.getvalue().endswith("100%  100 done\n")
    assert "\r" not in out.getvalue()


def test_in_a_terminal_progress_redraws_one_line(monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr(out, "isatty", lambda: True)
    progress = Progress(out)
    progress.show(1, 2, "half")
    progress.show(2, 2, "all")
    progress.end()
    assert out.getvalue().count("\r") == 2
    assert out.getvalue().count("\n") == 1


def test_nothing_to_do_is_no_division_by_zero():
    out = io.StringIO()
    Progress(out).show(0, 0, "waiting")
    assert out.getvalue() == "  0%  waiting\n"
