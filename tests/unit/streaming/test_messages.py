"""The wire contract: frames cover every number once, whoever holds whatever cursor."""

import json

import pytest

from streaming import messages


def encoded(*seqs):
    return [(seq, json.dumps({"seq": seq})) for seq in seqs]


def seqs_of(text):
    return [line["seq"] for line in json.loads(text)["lines"]]


def test_frames_join_without_hole_or_overlap():
    made = messages.frames(10, 1500, encoded(*range(11, 1501)))
    assert [frame.after for frame in made] == [10, *(frame.last for frame in made[:-1])]
    assert made[-1].last == 1500
    assert [seq for frame in made for seq in seqs_of(frame.text)] == list(range(11, 1501))
    assert all(len(frame.seqs) <= messages.FRAME_LINES for frame in made)


def test_a_frame_is_cut_by_its_size_too():
    made = messages.frames(0, 4, [(seq, json.dumps({"seq": seq, "text": "x" * 40_000})) for seq in range(1, 5)])
    assert [(frame.after, frame.last) for frame in made] == [(0, 1), (1, 2), (2, 3), (3, 4)]


def test_deleted_lines_are_covered_by_the_numbers_around_them():
    (frame,) = messages.frames(0, 9, encoded(4, 5))
    assert (frame.after, frame.last, seqs_of(frame.text)) == (0, 9, [4, 5])
    (empty,) = messages.frames(3, 7, [])
    assert (empty.after, empty.last, seqs_of(empty.text)) == (3, 7, [])


@pytest.mark.parametrize(("cursor", "expected"), [(0, [3, 4, 5]), (2, [3, 4, 5]), (3, [4, 5]), (4, [5])])
def test_a_frame_begins_after_the_cursor_of_its_reader(cursor, expected):
    (frame,) = messages.frames(2, 5, encoded(3, 4, 5))
    text = frame.text_after(cursor)
    assert seqs_of(text) == expected
    assert json.loads(text)["after"] == max(cursor, 2)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ('{"type":"ack","frames":3}', ("ack", 3)),
        ('{"type":"hello","after":-5}', ("hello", -5)),
        ('{"type":"hello"}', ("hello", None)),
        ('{"type":"show"}', ("show", None)),
        ('{"type":"show","query":"page=2","language":"zh-hans","version":7}', ("show", ("page=2", "zh-hans", 7))),
    ],
)
def test_a_clients_message_is_understood(text, meaning):
    assert messages.parse(text) == meaning


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "1",
        "{}",
        '{"type":"ack"}',
        '{"type":"ack","frames":"3"}',
        '{"type":"ack","frames":true}',
        '{"type":"hello","after":1e3}',
        '{"type":"hello","after":99999999999999999999}',
        '{"type":["ack"]}',
        '{"type":"show","query":"","language":"tlh","version":7}',
        '{"type":"show","query":"","language":["en"],"version":7}',
        '{"type":"show","query":"","language":"en"}',
        '{"type":"show","query":5,"language":"en","version":7}',
    ],
)
def test_nonsense_of_a_client_is_refused(text):
    with pytest.raises(ValueError):
        messages.parse(text)
