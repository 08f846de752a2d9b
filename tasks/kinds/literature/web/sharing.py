"""With whom a set is shared: the owner's page, and the way out for a member."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tasks import sentences
from tasks.errors import Refused
from tasks.kinds.literature.lifecycle import sharing
from tasks.kinds.literature.web.access import with_set
from tasks.members import Role
from tasks.models import Task
from tasks.web.access import refusal, wants_json, whole


@never_cache
@with_set
def share_page(request: HttpRequest, task: Task) -> HttpResponse:
    """GET: who is in. POST ``name`` and ``role`` let somebody in; ``remove`` (a row's number) takes somebody out.

    For the owner alone: who may decide who sees a set is not for staff to take over unnoticed.
    """
    if task.owner_id != request.user.pk:
        raise PermissionDenied
    if request.method == "GET":
        return _page(request, task)
    if request.method != "POST":
        return HttpResponseNotAllowed(["GET", "POST"])
    name = request.POST.get("name", "")
    try:
        if "remove" in request.POST:
            done = sharing.unshare(task, whole(request.POST["remove"]) or 0)
        else:
            sharing.share(task, name, request.POST.get("role", ""), request.user)
            done = True
    except Refused as refused:
        if wants_json(request):
            return refusal(refused.code, refused.data, status=400)
        return _page(request, task, error=sentences.sentence(refused.code, refused.data), name=name, status=400)
    if wants_json(request):
        return JsonResponse({"done": done, "members": _members(task)})
    return redirect("literature:share", task.pk)


@require_POST
@with_set
def leave(request: HttpRequest, task: Task) -> HttpResponse:
    """A member takes itself out."""
    done = sharing.leave(task, request.user.pk)
    if wants_json(request):
        return JsonResponse({"done": done})
    if done:
        messages.success(request, _("“%(title)s” is not shared with you any more.") % {"title": task.title})
    return redirect("literature:list")


def _members(task: Task) -> list[dict]:
    """The names that the owner gave, whether or not somebody has them."""
    return [
        {"id": row.pk, "name": row.name, "role": row.role, "words": str(row.get_role_display())}
        for row in task.invited.order_by("name")
    ]


def _page(request: HttpRequest, task: Task, *, error: str = "", name: str = "", status: int = 200) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"members": _members(task)})
    context = {"task": task, "members": _members(task), "roles": Role.choices, "error": error, "name": name}
    return render(request, "literature/share.html", context, status=status)
