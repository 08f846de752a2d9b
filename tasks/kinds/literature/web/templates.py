"""Templates: the list of them, one with its fields and versions, and a set's own choice and try."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from tasks import sentences
from tasks.errors import Refused
from tasks.kinds.literature.forms import editing
from tasks.kinds.literature.forms.questions import SOURCES, TYPES
from tasks.kinds.literature.models import Template
from tasks.kinds.literature.web.access import operating, signed_in
from tasks.models import Task
from tasks.web.access import refusal, wants_json, whole

_PARTS = ("name", "words", "description", "type", "choices", "unit", "source")
_BLANK_ROWS = 3


def template_json(template: Template) -> dict:
    """A template as programs see it."""
    version = template.latest
    return {
        "id": template.pk,
        "name": template.name,
        "owner": template.owner.get_username(),
        "shared": template.shared,
        "retired": template.retired,
        "version": version.number,
        "fields": version.fields,
        "url": reverse("literature:template", args=[template.pk]),
    }


@never_cache
@require_GET
@signed_in
def template_list(request: HttpRequest) -> HttpResponse:
    """One's own templates, and those that colleagues share."""
    found = editing.visible(request.user).prefetch_related("versions")
    if wants_json(request):
        return JsonResponse({"templates": [template_json(one) for one in found]})
    rows = [{"template": one, "latest": one.versions.all()[0], "own": one.owner_id == request.user.pk} for one in found]
    return render(request, "literature/templates.html", {"rows": rows})


@never_cache
@require_http_methods(["GET", "POST"])
@signed_in
def new_template(request: HttpRequest) -> HttpResponse:
    """An empty form; with ``from`` a template whose fields it begins with."""
    if request.method == "GET":
        begin = _of(request, whole(request.GET["from"])) if request.GET.get("from") else None
        return _form(request, None, begin.latest.fields if begin else [], begin.name if begin else "", False)
    given = _given(request)
    try:
        template = editing.make(request.user, request.POST.get("title", ""), given, bool(request.POST.get("shared")))
    except Refused as refused:
        return _refused(request, refused, None, given)
    if wants_json(request):
        return JsonResponse(template_json(template), status=201)
    return redirect("literature:template", template.pk)


@never_cache
@require_http_methods(["GET", "POST"])
@signed_in
def template_page(request: HttpRequest, template_id: int) -> HttpResponse:
    """One template: its owner changes it here, others look at it and may copy it."""
    template = _of(request, template_id)
    if request.method == "GET":
        if wants_json(request):
            return JsonResponse(template_json(template))
        return _form(request, template, template.latest.fields, template.name, template.shared)
    _own(request, template)
    given = _given(request)
    try:
        editing.change(
            template,
            request.user,
            request.POST.get("title", ""),
            given,
            bool(request.POST.get("shared")),
            seen=whole(request.POST.get("seen", "")) or 0,
        )
    except Refused as refused:
        return _refused(request, refused, template, given)
    template.refresh_from_db()
    if wants_json(request):
        return JsonResponse(template_json(template))
    return redirect("literature:template", template.pk)


@require_POST
@signed_in
def retire(request: HttpRequest, template_id: int) -> HttpResponse:
    """``retired=1``: offered no more; ``0``: offered again."""
    template = _of(request, template_id)
    _own(request, template)
    editing.retire(template, request.POST.get("retired") == "1")
    return JsonResponse({"done": True}) if wants_json(request) else redirect("literature:templates")


@require_POST
@operating
def use(request: HttpRequest, task: Task) -> HttpResponse:
    """Give a draft a ``template`` in its latest version, or none."""
    chosen = request.POST.get("template", "")
    template = _of(request, whole(chosen)) if chosen else None
    try:
        editing.use(task, template.latest if template else None)
    except Refused as refused:
        if wants_json(request):
            return refusal(refused.code)
        messages.error(request, sentences.sentence(refused.code))
    return JsonResponse({"done": True}) if wants_json(request) else redirect("literature:upload", task.pk)


@require_POST
@operating
def try_on(request: HttpRequest, task: Task) -> HttpResponse:
    """Read the first papers of a draft in a set of their own, and go there."""
    try:
        trial = editing.try_on(task, request.user)
    except Refused as refused:
        if wants_json(request):
            return refusal(refused.code)
        messages.error(request, sentences.sentence(refused.code))
        return redirect("literature:upload", task.pk)
    if wants_json(request):
        return JsonResponse({"id": trial.pk, "url": reverse("literature:set", args=[trial.pk])}, status=201)
    return redirect("literature:set", trial.pk)


def _of(request: HttpRequest, template_id: int | None) -> Template:
    """A template that this person may see: one that she may not does not exist for her."""
    found = editing.visible(request.user).filter(pk=template_id).first()
    if found is None:
        raise Http404
    return found


def _own(request: HttpRequest, template: Template) -> None:
    """Only its owner changes a template; to others that door is not there."""
    if template.owner_id != request.user.pk:
        raise Http404


def _given(request: HttpRequest) -> list[dict]:
    """The rows of the form, in their order."""
    lists = {part: request.POST.getlist(part) for part in _PARTS}
    rows = range(len(lists["words"]))
    return [{part: values[n] if n < len(values) else "" for part, values in lists.items()} for n in rows]


def _form(request: HttpRequest, template, fields: list[dict], name: str, shared: bool, **more) -> HttpResponse:
    context = {
        "template": template,
        "own": template is None or template.owner_id == request.user.pk,
        "latest": template.latest if template else None,
        "versions": template.versions.select_related("by") if template else [],
        "rows": [_row(one) for one in fields],
        "blank": [_row({}) for _n in range(_BLANK_ROWS if not fields else 1)],
        "title": name,
        "shared": shared,
        "types": TYPES.items(),
        "sources": [(name, gettext(label)) for name, label in SOURCES.items()],
    }
    return render(request, "literature/template.html", context | more, status=400 if "error" in more else 200)


def _row(field: dict) -> dict:
    choices = field.get("choices") or ""
    return {
        **{part: field.get(part, "") for part in _PARTS},
        "choices": choices if isinstance(choices, str) else "; ".join(choices),
    }


def _refused(request: HttpRequest, refused: Refused, template, given: list[dict]) -> HttpResponse:
    """What was typed stays in the form."""
    if wants_json(request):
        return refusal(refused.code, refused.data, status=400)
    said = sentences.sentence(refused.code, refused.data)
    kept = [row for row in given if any(row.values())]
    return _form(request, template, kept, request.POST.get("title", ""), bool(request.POST.get("shared")), error=said)
