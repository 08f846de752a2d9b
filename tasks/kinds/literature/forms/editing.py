"""What may be done to forms: make, change (a new version), share, retire, use, and try on a few papers."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.db.models import Q

from tasks import fanout
from tasks.errors import Refused
from tasks.kinds.literature.forms.questions import checked
from tasks.kinds.literature.intake.registering import locked_draft
from tasks.kinds.literature.models import Intake, Paper, Template, TemplateVersion
from tasks.models import Task

TRIED = 5


def usable(user):
    """The templates that a person may choose for a set."""
    return visible(user).filter(retired=False)


def visible(user):
    """The templates that a person may see: their own and the shared ones, retired ones too."""
    return Template.objects.filter(Q(owner=user) | Q(shared=True)).select_related("owner")


@transaction.atomic
def make(user, name: str, fields: list[dict], shared: bool = False) -> Template:
    """A template with its first version. Raises Refused: template_name, and those of questions.checked."""
    good = checked(fields)
    template = Template.objects.create(owner=user, name=_name(name), shared=shared)
    TemplateVersion.objects.create(template=template, number=1, fields=good, by=user)
    return template


def change(template: Template, user, name: str, fields: list[dict], shared: bool, *, seen: int) -> TemplateVersion:
    """Change name, sharing and questions; changed questions make a new version. ``seen``: the number on the page.

    Raises Refused: template_overtaken (there is a newer version), template_name, those of questions.checked.
    """
    good = checked(fields)
    try:
        with transaction.atomic():
            Template.objects.filter(pk=template.pk).update(name=_name(name), shared=shared)
            latest = template.latest
            if latest.number != seen:
                raise Refused("template_overtaken", number=latest.number)
            if latest.fields == good:
                return latest
            return TemplateVersion.objects.create(template=template, number=seen + 1, fields=good, by=user)
    except IntegrityError:  # somebody else made that number at the same moment
        raise Refused("template_overtaken", number=seen + 1) from None


def retire(template: Template, retired: bool) -> None:
    """Stop offering a template, or offer it again; sets that use it keep it."""
    Template.objects.filter(pk=template.pk).update(retired=retired)


@transaction.atomic
def try_on(task: Task, user) -> Task:
    """Start a new set with the draft's template and its first TRIED papers. Raises Refused("set_empty")."""
    papers = list(task.papers.filter(state=Intake.ACCEPTED).order_by("position")[:TRIED])
    if not papers:
        raise Refused("set_empty")
    params = {**{k: v for k, v in task.params.items() if k == "template"}, "trial_of": task.pk}
    trial = fanout.create(task.kind, task.owner, task.title, params, expected=len(papers))
    Paper.objects.bulk_create(
        Paper(
            task=trial,
            position=number,
            filename=paper.filename,
            folder=paper.folder,
            key=paper.key,
            sha256=paper.sha256,
            size=paper.size,
            format=paper.format,
            state=Intake.ACCEPTED,
        )
        for number, paper in enumerate(papers, 1)
    )
    fanout.start(trial, user)
    return trial


def use(task: Task, version: TemplateVersion | None) -> None:
    """Give a draft another template, or another version of it. Raises Refused("not_draft")."""
    with transaction.atomic():
        locked_draft(task.pk)
        params = {key: value for key, value in task.params.items() if key != "template"}
        Task.objects.filter(pk=task.pk).update(params=params | ({"template": version.pk} if version else {}))


def _name(name: str) -> str:
    name = " ".join(name.replace("\x00", "").split())[:120]
    if not name:
        raise Refused("template_name")
    return name
