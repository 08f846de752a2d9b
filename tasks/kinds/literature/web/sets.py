"""The list of sets, a new one, a set's own page, and the verbs that a person may apply to it."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from tasks import fanout, sentences
from tasks.errors import Refused
from tasks.kinds.literature import outcomes
from tasks.kinds.literature.forms import editing
from tasks.kinds.literature.intake import undoing
from tasks.kinds.literature.kind import Literature
from tasks.kinds.literature.lifecycle import resuming
from tasks.kinds.literature.models import Intake, TemplateVersion
from tasks.kinds.literature.pairing import listing as pairs
from tasks.kinds.literature.report import estimate, numbers
from tasks.kinds.literature.table import grid, listing
from tasks.kinds.literature.web.access import may_review, operating, sets_of, signed_in, with_set
from tasks.models import Member, Task
from tasks.observe import waiting
from tasks.states import TaskState
from tasks.web.access import may_operate, refusal, wants_json, whole

PAGE = 30
_SAID_BY_THE_STATE = {"waiting_pause", "waiting_cancel", "waiting_expand"}


def urls_of(task: Task) -> dict[str, str]:
    """The addresses a program needs to go on with a set."""
    return {
        "url": reverse("literature:set", args=[task.pk]),
        "upload_url": reverse("literature:upload", args=[task.pk]),
        "files_url": reverse("literature:files", args=[task.pk]),
        "start_url": reverse("literature:start", args=[task.pk]),
    }


def set_json(task: Task) -> dict:
    """A set as programs see it."""
    return {
        "id": task.pk,
        "title": task.title,
        "state": task.state,
        "paused": task.paused,
        "generation": task.generation,
        "percent": task.percent,
        "total": task.total,
        "succeeded": task.succeeded,
        "failed": task.failed,
        "cancelled": task.cancelled,
        "expected": task.expected,
        "version": task.version,
        **urls_of(task),
    }


@never_cache
@require_GET
@signed_in
def set_list(request: HttpRequest) -> HttpResponse:
    """The person's sets, the newest first; staff may look at everybody's."""
    sets = sets_of(request.user).select_related("owner").order_by("-id")
    everybody = request.user.is_staff and request.user.has_perm("tasks.view_task")
    whose = request.GET.get("whose", "")
    if whose == "shared":
        sets = sets.filter(members__user=request.user)
    elif whose == "own" or (everybody and whose != "all"):
        sets = sets.filter(owner=request.user)
    if words := request.GET.get("q", "").replace("\x00", "").strip():
        sets = sets.filter(title__icontains=words)
    page = Paginator(sets, PAGE).get_page(request.GET.get("page"))
    if wants_json(request):
        return JsonResponse({"sets": [set_json(task) for task in page], "pages": page.paginator.num_pages})
    context = {"page": page, "words": words, "everybody": everybody, "whose": whose}
    context["shared"] = Member.objects.filter(user=request.user).count()
    if everybody and not page.object_list and not words:
        context["others"] = sets_of(request.user).exclude(owner=request.user).count()
    return render(request, "literature/sets.html", context)


@signed_in
def new_set(request: HttpRequest) -> HttpResponse:
    """Make a draft and go on to its upload page."""
    if request.method == "GET":
        return render(request, "literature/new.html", {"templates": editing.usable(request.user)})
    if request.method != "POST":
        return HttpResponseNotAllowed(["GET", "POST"])
    title = " ".join(request.POST.get("title", "").replace("\x00", "").split())[:300]
    if not title:
        if wants_json(request):
            return refusal("no_title", status=400)
        context = {"error": sentences.sentence("no_title"), "templates": editing.usable(request.user)}
        return render(request, "literature/new.html", context, status=400)
    try:
        params = _template(request)
    except Refused as refused:
        if wants_json(request):
            return refusal(refused.code, status=400)
        context = {"error": sentences.sentence(refused.code), "templates": editing.usable(request.user)}
        return render(request, "literature/new.html", {**context, "title": title}, status=400)
    try:
        task = fanout.create(Literature.name, request.user, title, params)
    except Refused as refused:  # this process was started without the Kind
        if wants_json(request):
            return refusal(refused.code, refused.data, status=503)
        said = {"title": _("Not offered here"), "words": sentences.sentence(refused.code, refused.data)}
        return render(request, "literature/trouble.html", said, status=503)
    if wants_json(request):
        return JsonResponse({"id": task.pk, **urls_of(task)}, status=201)
    return redirect("literature:upload", task.pk)


def _template(request: HttpRequest) -> dict:
    """The parameter for the template that was chosen, in its latest version. Raises Refused("template_gone")."""
    chosen = request.POST.get("template", "")
    if not chosen:
        return {}
    found = editing.usable(request.user).filter(pk=whole(chosen)).first()
    if found is None:
        raise Refused("template_gone")
    return {"template": found.latest.pk}


@never_cache
@require_GET
@with_set
def set_page(request: HttpRequest, task: Task) -> HttpResponse:
    """Everything about one set; a draft's owner is sent to its upload page."""
    operator = may_operate(request.user, task)
    if wants_json(request):
        return JsonResponse({**set_json(task), "counts": outcomes.counts(task), "failures": outcomes.failures(task)})
    if task.state == TaskState.DRAFT and operator:
        return redirect("literature:upload", task.pk)
    context = {
        **status_context(task),
        "operator": operator,
        "reviewer": may_review(request.user, task),
        "is_member": task.members.filter(user=request.user).exists(),
        "pairs": pairs.of_set(task),
        "template": TemplateVersion.of(task),
        "trial_of": sets_of(request.user).filter(pk=task.params.get("trial_of") or 0).first(),
        "listing": listing.papers(task, request.GET),
        "results": grid.results(task, request.GET, request.user),
    }
    return render(request, "literature/set.html", context)


def status_context(task: Task) -> dict:
    """What the head of the set page shows: state, counts as navigation, failures grouped by reason."""
    counts = outcomes.counts(task)
    became = [(name, word, counts[name]) for name, word in outcomes.OUTCOMES.items() if counts[name]]
    reasons = [
        {
            "code": code,
            "number": number,
            "words": sentences.sentence(code, outcomes.example(task, code)),
            "again": code not in outcomes.STAYS_SO,
        }
        for code, number in outcomes.failures(task).items()
    ]
    return {
        "task": task,
        "counts": counts,
        "outcomes": became,
        "reasons": reasons,
        "again": [reason["code"] for reason in reasons if reason["again"]],
        "ended": task.is_terminal,
        "took": estimate.took_words(numbers.ran_s(task)) if task.is_terminal else "",
        "waits": [] if task.is_terminal or counts["running"] else _waits(task),
        "error": sentences.sentence(task.error_code, {"detail": task.error}) if task.error_code else "",
    }


def _waits(task: Task) -> list[str]:
    """Why nothing is being read just now, without naming other people's batches."""
    found = [one for one in waiting.reasons(task) if one.code not in _SAID_BY_THE_STATE]
    return [sentences.sentence("set_turn") if one.code == "waiting_limit" else one.sentence for one in found]


@never_cache
@require_GET
@with_set
def status(request: HttpRequest, task: Task) -> HttpResponse:
    """The head of the set page alone: fetched again when the set has changed."""
    return render(
        request, "literature/_status.html", {**status_context(task), "operator": may_operate(request.user, task)}
    )


def _verb(done, otherwise: str):
    """A view of one verb of the engine: ``done(task, by, request)``; then back to the set's page."""

    @require_POST
    @operating
    def view(request: HttpRequest, task: Task) -> HttpResponse:
        try:
            changed = done(task, request.user, request)
        except Refused as refused:
            if wants_json(request):
                return refusal(refused.code, refused.data)
            messages.error(request, sentences.sentence(refused.code, refused.data))
            return redirect("literature:set", task.pk)
        if wants_json(request):
            return JsonResponse({"done": bool(changed), **set_json(sets_of(request.user).get(pk=task.pk))})
        if not changed and otherwise:
            messages.info(request, sentences.sentence(otherwise))
        return redirect("literature:set", task.pk)

    return view


def _start(task: Task, by, request: HttpRequest) -> bool:
    if not task.papers.filter(state__in=[Intake.ACCEPTED, Intake.LISTED]).exists():
        raise Refused("set_empty")
    return fanout.start(task, by)


def _retry(task: Task, by, request: HttpRequest) -> bool:
    return fanout.retry_failed(task, by, request.POST.getlist("code") or None)


start = _verb(_start, "not_draft")
pause = _verb(lambda task, by, request: fanout.pause(task, by), "has_ended")
resume = _verb(lambda task, by, request: fanout.resume(task, by), "has_ended")
cancel = _verb(lambda task, by, request: fanout.cancel(task, by), "has_ended")
retry = _verb(_retry, "not_ended")
read_the_rest = _verb(lambda task, by, request: resuming.read_the_rest(task, by), "not_ended")
finalize_again = _verb(lambda task, by, request: fanout.finalize_again(task, by), "not_failed")


@require_POST
@operating
def discard(request: HttpRequest, task: Task) -> HttpResponse:
    """Delete a draft with everything given to it: for the owner alone, as the deletion of a set that has started."""
    if task.owner_id != request.user.pk:
        raise PermissionDenied
    gone = undoing.discard(task.pk)
    if wants_json(request):
        return JsonResponse({"done": True}) if gone else refusal("not_draft")
    if gone:
        messages.info(request, _("The draft “%(title)s” is discarded.") % {"title": task.title})
    else:
        messages.error(request, sentences.sentence("not_draft"))
    return redirect("literature:list")
