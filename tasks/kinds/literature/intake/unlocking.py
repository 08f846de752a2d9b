"""Opens a paper that has a password, once: a copy without the password takes its place in the set.

The password goes to a child process with the call and nowhere else: it is not stored, not logged, not in any message.
"""

from __future__ import annotations

import os
import tempfile

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from tasks.errors import Refused
from tasks.files import store
from tasks.files.unused import forget_unused
from tasks.kinds.literature.models import Paper
from tasks.models import SubTask
from tasks.sandbox.isolate import IsolateError

#: The code of a child whose paper was opened: the next run reads it, and "retry these" can name it.
UNLOCKED = "unlocked"


@sensitive_variables("password")
def unlock(paper: Paper, password: str) -> None:
    """Replace the paper's bytes by a copy without password. Raises Refused: wrong_password, not_locked, file_gone."""
    if paper.outcome != "failed" or paper.subtask.error_code != "password":
        raise Refused("not_locked")
    try:
        path = store.write_out(paper.sha256)
    except FileNotFoundError:
        raise Refused("file_gone") from None
    descriptor, copy = tempfile.mkstemp(prefix="sheaf-open-", suffix=".pdf")
    os.close(descriptor)
    try:
        if not async_to_sync(_in_child)(path, copy, password):
            raise Refused("wrong_password")
        with open(copy, "rb") as file:
            _replace(paper, file, os.path.getsize(copy))
    except IsolateError as error:
        raise Refused("cant_unlock") from error
    finally:
        os.unlink(path)
        os.unlink(copy)


@sensitive_variables("password")
async def _in_child(path: str, copy: str, password: str) -> bool:
    from tasks.sandbox.isolate import Isolate

    async with Isolate(
        size=1, memory_mib=settings.SHEAF_ISOLATE_MIB, modules=("tasks.kinds.literature.intake.open_copy",)
    ) as child:
        return await child.call(
            "tasks.kinds.literature.intake.open_copy:write_open_copy",
            path,
            copy,
            password,
            timeout_s=settings.SHEAF_PAPER_TIMEOUT_S,
        )


def _replace(paper: Paper, file, size: int) -> None:
    old, sha256 = paper.sha256, store.digest(file)
    with transaction.atomic():
        store.lock(sha256)
        same = Paper.objects.filter(task_id=paper.task_id, sha256=sha256, state="accepted").exclude(pk=paper.pk)
        if same.exists():
            raise Refused("unlocked_twice", file=same.first().path)
        child = SubTask.objects.select_for_update(no_key=True).get(task_id=paper.task_id, key=paper.key)
        if child.state != "failed" or child.error_code != "password":
            raise Refused("not_locked")
        store.keep(file, sha256)
        child.input = {**child.input, "sha256": sha256, "size": size}
        child.error_code = UNLOCKED
        child.save(update_fields=["input", "error_code"])
        Paper.objects.filter(pk=paper.pk).update(sha256=sha256, size=size)
    forget_unused([old])
