"""The staff's board: its page, and its messages as event stream and by long polling where websockets are blocked."""

from __future__ import annotations

import asyncio

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from streaming import access, sse
from streaming.board import MOST_SHOWN, Board, BoardSubscription
from streaming.deadline import signalled
from streaming.doors import for_watchers, number
from streaming.log import LONGEST_WAIT_S
from tasks.models import Task
from tasks.states import ACTIVE


@require_safe
@login_required
def board(request) -> HttpResponse:
    """The page. What it shows at first is read once more, so that it says something without JavaScript too."""
    if not access.may_see_board(request.user):
        raise PermissionDenied
    running = Task.objects.filter(state__in=ACTIVE)
    context = {"tasks": running.select_related("owner").order_by("-pk")[:MOST_SHOWN], "running": running.count()}
    return render(request, "live/board.html", context)


@for_watchers
async def board_events(request, task_id: None) -> HttpResponse:
    return sse.answer(request, None, lambda wake: BoardSubscription(Board.here(), wake))


@for_watchers
async def board_json(request, task_id: None) -> HttpResponse:
    """``?version=V&wait=20`` answers as soon as there is another version than V."""
    wait_s = number(request, "wait", 0, high=LONGEST_WAIT_S)
    news = asyncio.Event()
    subscription = BoardSubscription(Board.here(), news.set, number(request, "version", -1, low=-1))
    try:
        async with asyncio.timeout(wait_s or 5):  # without a wait: until the first read, at the latest
            while (text := await subscription.next()) is None:
                await signalled(news, LONGEST_WAIT_S)
                news.clear()
    except TimeoutError:
        text = subscription.ping()
    finally:
        subscription.leave()
    return HttpResponse(f'{{"messages":[{text}]}}', content_type="application/json")
