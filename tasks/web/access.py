"""Who may do what to a batch, and in which form the answer goes out: a page for people, JSON for programs.

A batch that a person may not see does not exist for them: 404, by every door.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse

from tasks import sentences
from tasks.models import Task

View = Callable[..., HttpResponse]


def wants_json(request: HttpRequest) -> bool:
    """Whether a program asks: it says so in Accept."""
    return "application/json" in request.headers.get("Accept", "")


def refusal(code: str, data: dict | None = None, *, status: int = 409, **more) -> JsonResponse:
    """The JSON of something that was not done: the code for programs, the sentence for people."""
    return JsonResponse({"code": code, "message": sentences.sentence(code, data), **more}, status=status)


def whole(text: str) -> int | None:
    """A number of an address or a form; None for what is none, or has more digits than any id."""
    return int(text) if text.isdecimal() and len(text) <= 15 else None


def may_operate(user, task: Task) -> bool:
    """Whether this person may start, pause, cancel, retry: the owner, and staff with the permission."""
    return task.owner_id == user.pk or (user.is_staff and user.has_perm("tasks.operate_task"))


def signed_in(view: View) -> View:
    """Let signed-in people through; send others to the login page, programs get 401."""

    @functools.wraps(view)
    def checked(request: HttpRequest, *args, **kwargs) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if wants_json(request):
            return JsonResponse({"code": "signed_out"}, status=401)
        return redirect_to_login(request.get_full_path())

    return checked
