"""What changes on the plain page of a batch while it runs."""

from __future__ import annotations

from django.http import QueryDict

from tasks.models import Task
from tasks.web import batch
from tasks.web import children as of_batch
from tasks.web.access import may_operate
from tasks.web.fragments import rendered


def viewer(task: Task, user) -> str:
    return "operator" if may_operate(user, task) else ""


def parts(task: Task, query: QueryDict, viewer: str) -> dict[str, str]:
    """{id of an element: its HTML} for all people of whom ``viewer`` says the same."""
    children = {"task": task, "listing": of_batch.listed(task, query)}
    return {
        "head": rendered("web/_batch_head.html", batch.head_of(task, viewer == "operator"), query),
        "children": rendered("web/_batch_children.html", children, query),
    }
