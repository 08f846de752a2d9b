"""The ring of a watched Task: bounded by size, and any cursor in it finds its frame."""

import json

from streaming import messages
from streaming.hub import Watched


def grow(watched, upto, size=10):
    seqs = range(watched.head + 1, upto + 1)
    lines = [(seq, json.dumps({"seq": seq, "text": "x" * size})) for seq in seqs]
    watched.append(messages.frames(watched.head, upto, lines))


def test_every_cursor_in_the_ring_finds_the_frame_with_its_next_line():
    watched = Watched(1)
    for upto in (3, 4, 10):
        grow(watched, upto)
    for cursor in range(10):
        frame = watched.frame_after(cursor)
        assert frame.after <= cursor < frame.last


def test_the_ring_forgets_the_oldest_lines_and_says_so(settings):
    settings.SHEAF_LIVE_RING_KIB = 64
    watched = Watched(1)
    for upto in range(10, 210, 10):
        grow(watched, upto, size=1000)
    assert watched.size <= 64 * 1024 and watched.head == 200 and watched.start > 0
    assert watched.frame_after(watched.start - 1) is None
    assert watched.frame_after(watched.start).after == watched.start


def test_a_line_larger_than_the_ring_is_still_delivered(settings):
    settings.SHEAF_LIVE_RING_KIB = 64
    watched = Watched(1)
    grow(watched, 1, size=500_000)
    assert watched.frame_after(0).last == 1
