"""What changes on a set's page while papers are being read: its head, its papers, its table."""

from __future__ import annotations

from django.contrib.auth import get_user_model
from django.http import QueryDict

from tasks.kinds.literature.models import TemplateVersion, ViewChoice
from tasks.kinds.literature.table import grid, listing
from tasks.kinds.literature.web.access import sets_of
from tasks.kinds.literature.web.sets import status_context
from tasks.models import Task
from tasks.web.access import may_operate
from tasks.web.fragments import rendered


def viewer(task: Task, user) -> str | None:
    """Whether the person may operate the set; and who, if they have chosen columns: their table is theirs alone."""
    if not sets_of(user).filter(pk=task.pk).exists():
        return None
    own = user.pk if ViewChoice.objects.filter(user=user).exists() else ""
    return f"{'operator' if may_operate(user, task) else ''}:{own}"


def parts(task: Task, query: QueryDict, viewer: str) -> dict[str, str]:
    """{id of an element: its HTML} for all people of whom ``viewer`` says the same."""
    role, _, own = viewer.partition(":")
    user = get_user_model().objects.filter(pk=own).first() if own else None
    papers = {"task": task, "listing": listing.papers(task, query)}
    table = {"task": task, "results": grid.results(task, query, user), "template": TemplateVersion.of(task)}
    return {
        "status": rendered("literature/_status.html", {**status_context(task), "operator": role == "operator"}, query),
        "papers": rendered("literature/_papers.html", papers, query),
        "table": rendered("literature/_table.html", table, query),
    }
