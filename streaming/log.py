"""The log over plain HTTP: pages of it, long polling, search, and the whole of it as a text file.

``log.json?after=N&limit=500``            a page of lines
``log.json?after=N&level=30&key=K&q=W``   a page of matching lines
``log.json?after=N&version=V&wait=20``    long polling: answers when there is news (any message of the contract)
``log/search?q=W&level=30&key=K&after=N`` the numbers of all matching lines
``log.txt?times=0``                       every line up to now

The first three answer ``{"messages": [...]}`` with messages as a websocket has them, so a client keeps one cursor.
"""

from __future__ import annotations

import asyncio
import json
import time

from django.http import HttpResponse, JsonResponse, StreamingHttpResponse
from django.utils import translation

from streaming import messages, search
from streaming.deadline import signalled
from streaming.doors import WrongNumber, for_watchers, number
from streaming.hub import Hub
from streaming.subscription import Subscription
from tasks.sentences import sentence
from tasks.states import Level

LONGEST_WAIT_S = 25
MOST_LINES = 1000
_HEAD = "SELECT log_seq FROM tasks_task WHERE id = %s"
_LEVELS = {Level.DEBUG: "DEBUG", Level.INFO: "INFO", Level.WARNING: "WARNING", Level.ERROR: "ERROR"}


def wanted_of(request) -> search.Filter:
    words = request.GET.get("q", "").strip()
    if len(words) > 500:
        raise WrongNumber("q")
    return search.Filter(words, number(request, "level", 0, high=100), request.GET.get("key", "")[:200])


@for_watchers
async def log_json(request, task_id: int) -> HttpResponse:
    after = number(request, "after", 0, low=-(2**53))
    wait_s = number(request, "wait", -1, low=-1, high=LONGEST_WAIT_S)
    if wait_s >= 0:
        at = number(request, "at", 0) or None
        texts = await _news(task_id, after, at, number(request, "version", -1, low=-1), wait_s)
    else:
        limit = number(request, "limit", 500, low=1, high=MOST_LINES)
        texts = [await _page(task_id, max(0, after), limit, wanted_of(request))]
    return HttpResponse(f'{{"messages":[{",".join(texts)}]}}', content_type="application/json")


async def _page(task_id: int, after: int, limit: int, wanted: search.Filter) -> str:
    archive = Hub.here().archive
    head = (await archive.rows(_HEAD, [task_id]))[0][0]
    found = await archive.rows(*search.page(task_id, after, limit, wanted))
    seqs, encoded = [row[0] for row in found], [row[1] for row in found]
    # a full page reaches to its last line, a short one to the end of what was there
    last = seqs[-1] if len(found) == limit else max([head, *seqs[-1:], after])
    return messages.Frame(after, last, seqs, encoded).text


async def _news(task_id: int, after: int, at: int | None, version: int, wait_s: float) -> list[str]:
    """One round of long polling: encoded messages newer than (line, version)."""
    news = asyncio.Event()
    subscription = Subscription(Hub.here(), task_id, after, news.set, at)
    subscription.restart(version=version)
    deadline = time.monotonic() + wait_s
    gathered: list[str] = []
    try:
        while True:
            news.clear()
            while len(gathered) < 8 and (text := await subscription.next()) is not None:
                # that a Task had ended before we came is no news; a client that waits would ask in a circle
                if gathered or not (wait_s and text.startswith('{"type":"eof"')):
                    gathered.append(text)
            if subscription.close_code:
                gathered.append(messages.bye(subscription.close_code))
            left = deadline - time.monotonic()
            if gathered or left <= 0:
                return gathered
            await signalled(news, left)
    finally:
        subscription.leave()


@for_watchers
async def log_search(request, task_id: int) -> JsonResponse:
    """{"hits": [seq, ...], "capped": bool, "upto": N}; ask again with after=N for what came since."""
    archive = Hub.here().archive
    after = number(request, "after", 0)
    upto = (await archive.rows(_HEAD, [task_id]))[0][0]
    found = [row[0] for row in await archive.rows(*search.hits(task_id, after, upto, wanted_of(request)))]
    capped = len(found) > search.MOST_HITS
    return JsonResponse({"hits": found[: search.MOST_HITS], "capped": capped, "upto": upto})


@for_watchers
async def log_txt(request, task_id: int) -> StreamingHttpResponse:
    times = number(request, "times", 1, high=1)
    upto = (await Hub.here().archive.rows(_HEAD, [task_id]))[0][0]
    response = StreamingHttpResponse(
        _text(task_id, upto, bool(times), translation.get_language()), content_type="text/plain; charset=utf-8"
    )
    response.headers["Content-Disposition"] = f'attachment; filename="log-{task_id}.txt"'
    return response


async def _text(task_id: int, upto: int, times: bool, language: str):
    """The lines 1 to ``upto`` as text, a page at a time."""
    archive, after = Hub.here().archive, 0
    while after < upto:
        lines = (await archive.lines([(task_id, after, min(after + 2000, upto))]))[task_id]
        after = min(after + 2000, upto)
        with translation.override(language):
            yield "".join(_text_line(json.loads(encoded), times) for _, encoded in lines)


def _text_line(line: dict, times: bool) -> str:
    words = sentence(line["code"], line["data"]) if line["code"] else line["text"]
    if line["code"] and line["text"]:
        words = f"{words} {line['text']}"
    name = f"{line['key']}: " if line["key"] and line["key"] not in words else ""
    body = f"{_LEVELS.get(line['level'], line['level']):<7} {name}{words}\n"
    if not times:
        return body
    second, milli = divmod(line["at"], 1000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(second))}.{milli:03d}Z {body}"
