"""The wire contract of the live view: JSON messages of codes and numbers, never prose.

Server to client (each a JSON object with ``type``; times are milliseconds since 1970, UTC)::

    task   id kind title state paused sealed expected total succeeded failed cancelled percent generation
           version log_seq error_code created_at updated_at started_at finished_at now
           First message of a connection (the snapshot), then after each change. ``now`` is the database's clock.
    lines  after last lines=[{seq at level code text data subtask key attempt}]
           All lines with after < seq <= last. A number that is missing in between was deleted by retention.
           A client that holds everything up to N drops what is <= N; after > N means that it missed something.
    gap    from to      Lines that are not sent (the client was too slow or too far behind); fetch them when needed.
    board  version now running whole tasks=[{as task, owner}] gone=[id]
           The staff's board instead of ``task`` and ``lines``. ``whole``: every batch that is shown, else what changed;
           an ended one comes once more, with its last state. ``running``: how many there are, shown or not.
    parts  version base query parts={id: {html} or {edits=[[from, to, [line]]]}}
           What a page shows, after ``show``. ``edits`` change the lines of the part as it was sent with version
           ``base``, in the order given; a part that is missing has not changed.
    eof    last         The Task has ended and everything up to ``last`` was sent. A retry may reopen it.
    ping   now stale    Sign of life. ``stale``: the server itself can't read the database now.
    bye    code         Last message before the socket is closed with that code.

The address says where to go on: ``?after=`` the last line that the client has (negative: begin with so many of the last
ones), and ``&at=`` that line's time, by which a log that was set back and went on differently is known: 4412.

Client to server::

    hello  after        Go on after this line. Answered by ``task``, so it is a probe too.
    ack    frames       Number of messages received on this connection so far. Send one after every 16 messages or
                        64 K characters, and within two seconds of any message.
    show   query version language
           Send the parts of the batch's page for this query, in this language, when they differ from this version's.
           Another ``show`` takes its place; one without ``query`` ends it.

Close codes are in ``Close``. A refused origin gets HTTP 403 and no websocket.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import IntEnum
from typing import NamedTuple

from django.conf import settings

#: As ``reader.LINE`` puts it.
_TIME = re.compile(r'\{"seq":\d+,"at":(-?\d+),')
#: A frame of lines is cut at whichever comes first.
FRAME_LINES = 500
FRAME_CHARS = 64 * 1024
#: A client's message is never longer than this.
MAX_INBOUND_CHARS = 2048


class Close(IntEnum):
    """Why the server closes a websocket."""

    TRY_LATER = 1013  # the database can't be asked now
    MALFORMED = 4400  # not a message of this contract
    NO_SESSION = 4401  # not logged in, or no longer
    NOT_ALLOWED = 4403  # no such Task, or not this person's to see
    TOO_SLOW = 4409  # confirms nothing
    GONE = 4410  # the Task was deleted
    RESTARTED = 4412  # the log is not what it was (a database set back to an earlier state): begin anew
    TOO_LARGE = 4413  # a message longer than MAX_INBOUND_CHARS
    TOO_OFTEN = 4429  # more messages than anybody needs


class Frame:
    """Lines ``after < seq <= last``, encoded once for everybody. ``seqs[i]`` is the number of ``encoded[i]``."""

    __slots__ = ("after", "encoded", "last", "seqs", "text")

    def __init__(self, after: int, last: int, seqs: Sequence[int], encoded: Sequence[str]):
        self.after, self.last, self.seqs, self.encoded = after, last, seqs, encoded
        self.text = f'{{"type":"lines","after":{after},"last":{last},"lines":[{",".join(encoded)}]}}'

    def time_of(self, seq: int) -> int | None:
        """When this line was said (ms); None: it is not here. Lines are told apart by it: a database that is set back
        gives the same number to another line."""
        place = bisect_left(self.seqs, seq)
        if place == len(self.seqs) or self.seqs[place] != seq:
            return None
        return int(_TIME.match(self.encoded[place])[1])

    def text_after(self, seq: int) -> str:
        """The message for somebody who has everything up to ``seq``."""
        if seq <= self.after:
            return self.text
        kept = [line for number, line in zip(self.seqs, self.encoded, strict=True) if number > seq]
        return f'{{"type":"lines","after":{seq},"last":{self.last},"lines":[{",".join(kept)}]}}'


def frames(after: int, last: int, lines: Sequence[tuple[int, str]]) -> list[Frame]:
    """Cut encoded lines ``(seq, json)`` into frames that together cover ``after < seq <= last``."""
    made, seqs, encoded, size, begin = [], [], [], 0, after
    for seq, text in lines:
        if seqs and (len(seqs) >= FRAME_LINES or size + len(text) > FRAME_CHARS):
            made.append(Frame(begin, seq - 1, seqs, encoded))
            begin, seqs, encoded, size = seq - 1, [], [], 0
        seqs.append(seq)
        encoded.append(text)
        size += len(text)
    if last > begin:
        made.append(Frame(begin, last, seqs, encoded))
    return made


def millis(moment: datetime | None) -> int | None:
    return None if moment is None else round(moment.timestamp() * 1000)


def task_fields(row, now: datetime) -> dict:
    """The ``task`` message of a ``tasks.models.Task``."""
    return {
        "type": "task",
        "id": row.pk,
        "kind": row.kind,
        "title": row.title,
        "state": row.state,
        "paused": row.paused,
        "sealed": row.sealed,
        "expected": row.expected,
        "total": row.total,
        "succeeded": row.succeeded,
        "failed": row.failed,
        "cancelled": row.cancelled,
        "percent": row.percent,
        "generation": row.generation,
        "version": row.version,
        "log_seq": row.log_seq,
        "error_code": row.error_code,
        "created_at": millis(row.created_at),
        "updated_at": millis(row.updated_at),
        "started_at": millis(row.started_at),
        "finished_at": millis(row.finished_at),
        "now": millis(now),
    }


def encode(message: dict) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def gap(first: int, last: int) -> str:
    return f'{{"type":"gap","from":{first},"to":{last}}}'


def board(version: int, now_ms: int, running: int, tasks: Iterable[str], gone: Sequence[int], *, whole: bool) -> str:
    """``tasks``: encoded already."""
    return (
        f'{{"type":"board","version":{version},"now":{now_ms},"running":{running},'
        f'"whole":{"true" if whole else "false"},"tasks":[{",".join(tasks)}],"gone":{json.dumps(gone)}}}'
    )


def eof(last: int) -> str:
    return f'{{"type":"eof","last":{last}}}'


def ping(now_ms: int, stale: bool) -> str:
    return f'{{"type":"ping","now":{now_ms},"stale":{"true" if stale else "false"}}}'


def bye(code: Close) -> str:
    return f'{{"type":"bye","code":{int(code)}}}'


def parts(version: int, base: int | None, query: str, changed: dict[str, dict]) -> str:
    return encode({"type": "parts", "version": version, "base": base, "query": query, "parts": changed})


class Wish(NamedTuple):
    """What a page shows: a query string, a language, and the version of the batch that it has."""

    query: str
    language: str
    version: int


def _wish(message: dict) -> Wish | None:
    query, language, version = (message.get(name) for name in ("query", "language", "version"))
    if query is None:
        return None
    known = isinstance(language, str) and language in dict(settings.LANGUAGES)
    if not (known and isinstance(query, str) and type(version) is int):
        raise ValueError("not a wish")
    return Wish(query, language, version)


def parse(text: str) -> tuple[str, int | Wish | None]:
    """A client's message as ("ack", frames), ("hello", after or None) or ("show", wish or None).

    ValueError for anything else.
    """
    message = json.loads(text)
    if not isinstance(message, dict):
        raise ValueError("not an object")
    kind = message.get("type")
    if kind == "show":
        return kind, _wish(message)
    if kind not in ("ack", "hello"):
        raise ValueError("not a message of this contract")
    number = message.get("frames" if kind == "ack" else "after")
    if type(number) is not int and not (kind == "hello" and number is None):
        raise ValueError("not a number")
    if number is not None and abs(number) >= 2**53:
        raise ValueError("no such line")
    return kind, number
