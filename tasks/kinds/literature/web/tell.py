"""Asking to be told when a set has ended: by e-mail, by a webhook."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables

from tasks import sentences
from tasks.errors import Refused
from tasks.kinds.literature.web.access import operating
from tasks.kinds.notify import wishes
from tasks.kinds.notify.models import Channel
from tasks.models import Task
from tasks.web.access import refusal, wants_json


@never_cache
@operating
@sensitive_variables("secret")
def tell_page(request: HttpRequest, task: Task) -> HttpResponse:
    """GET: what was asked for. POST ``channel`` and ``address`` ask; ``do=take_back`` and ``do=renew_secret`` change.

    A webhook's new secret is in the answer to that POST and nowhere else.
    """
    if request.method == "GET":
        return _page(request, task)
    if request.method != "POST":
        return HttpResponseNotAllowed(["GET", "POST"])
    channel, address = request.POST.get("channel", ""), request.POST.get("address", "").replace("\x00", "")
    if channel not in wishes.offered():
        return refusal("unknown_kind", {"kind": channel[:40]}, status=400)
    secret = ""
    try:
        match request.POST.get("do", "ask"):
            case "take_back":
                wishes.take_back(task, channel)
            case "renew_secret":
                secret = wishes.renew_secret(task)
            case _:
                origin = request.build_absolute_uri("/")
                _wish, secret = wishes.ask(task, channel, address, by=request.user, origin=origin)
    except Refused as refused:
        if wants_json(request):
            return refusal(refused.code, refused.data, status=400)
        error = sentences.sentence(refused.code, refused.data)
        return _page(request, task, failed=channel, error=error, address=address, status=400)
    if wants_json(request):
        return JsonResponse({"done": True, "channels": list(_asked(task)), **({"secret": secret} if secret else {})})
    if secret:
        return _page(request, task, secret=secret)
    messages.success(request, _("Saved."))
    return redirect("literature:tell", task.pk)


def _asked(task: Task) -> dict:
    return {wish.channel: wish for wish in task.wishes.all()}


def _page(request: HttpRequest, task: Task, *, failed="", error="", address="", secret="", status=200) -> HttpResponse:
    asked = _asked(task)
    channels = [
        {
            "name": name,
            "words": Channel(name).label,
            "wish": asked.get(name),
            "address": address if name == failed else getattr(asked.get(name), "address", ""),
            "error": error if name == failed else "",
        }
        for name in wishes.offered()
    ]
    for channel in channels:
        if channel["name"] == Channel.MAIL and not channel["address"]:
            channel["address"] = request.user.email
    context = {"task": task, "channels": channels, "secret": secret, "mail_configured": settings.SHEAF_MAIL_CONFIGURED}
    return render(request, "literature/tell.html", context, status=status)
