"""Each stored line of a child begins in the colour in which the one before ended, and leaves none open behind it."""

import pytest

from tasks.log.colours import Colours
from tasks.log.joblog import Line


def stored(*texts: str) -> list[str]:
    lines = []
    colours = Colours(lines.append)
    for text in texts:
        colours.add(Line(1, text))
    return [line.text for line in lines]


def test_plain_lines_stay_what_they_are():
    assert stored("one", "", "two [31m") == ["one", "", "two [31m"]


def test_a_colour_begins_anew_in_each_line_until_it_is_ended():
    assert stored("a \x1b[31mred", "still", "\x1b[0mplain", "plain") == [
        "a \x1b[31mred\x1b[0m",
        "\x1b[31mstill\x1b[0m",
        "\x1b[31m\x1b[0mplain",
        "plain",
    ]


@pytest.mark.parametrize(
    ("said", "left_open"),
    [
        ("\x1b[1;31m", "1;31"),
        ("\x1b[1m\x1b[2m\x1b[22m", ""),
        ("\x1b[31m\x1b[32m", "32"),
        ("\x1b[31;44m\x1b[39m", "44"),
        ("\x1b[38;5;196m", "38;5;196"),
        ("\x1b[38;5;0;1m", "38;5;0;1"),  # a number of a colour is no code of its own
        ("\x1b[48;2;0;1;2;4m", "48;2;0;1;2;4"),
        ("\x1b[31m\x1b[m", ""),
        ("\x1b[3;4;5;7;8;9m\x1b[23;24;25;27;28;29m", ""),
        ("\x1b[99m\x1b[2K\x1b]8;;http://x\x07", ""),
        ("\x1b[38m", "38"),
        (f"\x1b[{'9' * 5000}m", ""),
    ],
)
def test_what_is_open_at_the_end_of_a_line_is_known(said, left_open):
    assert stored(said, "x")[1] == (f"\x1b[{left_open}mx\x1b[0m" if left_open else "x")


@pytest.mark.parametrize("cut", range(1, 5))
def test_an_escape_that_is_cut_in_two_is_put_together_with_the_next_line(cut):
    whole = "\x1b[32m"
    assert stored(f"a{whole[:cut]}", f"{whole[cut:]}green") == ["a", "\x1b[32mgreen\x1b[0m"]


def test_lines_by_code_are_no_words_of_the_child():
    lines = []
    colours = Colours(lines.append)
    colours.add(Line(1, "\x1b[31mred"))
    colours.add(Line(1, "detail", code="child_failed"))
    colours.add(Line(1, "still"))
    assert [line.text for line in lines] == ["\x1b[31mred\x1b[0m", "detail", "\x1b[31mstill\x1b[0m"]
