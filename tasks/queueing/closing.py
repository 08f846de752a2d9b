"""The last child turns off the light: who makes a Task whole closes it, in the same transaction, exactly once."""

from django.db.models import Exists, F, OuterRef, Q

from tasks.log import joblog
from tasks.models import SubTask, Task
from tasks.queueing import control
from tasks.states import ChildState, TaskState

#: Every child has ended and none will come: the condition of closing.
WHOLE = Q(sealed=True, total=F("succeeded") + F("failed") + F("cancelled"))


def whole(task_ids) -> list[int]:
    """Those of these Tasks that are ready to close, in id order."""
    ready = Task.objects.filter(WHOLE, pk__in=task_ids, state__in=(TaskState.RUNNING, TaskState.CANCELLING))
    return list(ready.order_by("pk").values_list("pk", flat=True))


#: Counters that lie must not end a batch whose children still run. Asked of the rows once a Task, as it closes: two
#: looks into an index. Who makes a Task whole sees all its rows settled, since the others' counters came with them.
_ALL_SETTLED = ~Exists(
    SubTask.objects.filter(task=OuterRef("pk"), state__in=(ChildState.PENDING, ChildState.RUNNING)).order_by()
)


def close_if_whole(task_id: int) -> bool:
    """Of all that try, one gets True, and its transaction holds the finalize job: both or neither."""
    open_ones = Task.objects.filter(pk=task_id, state__in=(TaskState.RUNNING, TaskState.CANCELLING))
    closed = open_ones.filter(WHOLE, _ALL_SETTLED).update(state=TaskState.FINALIZING, finalize_attempts=0)
    if closed:
        row = Task.objects.values("generation", "succeeded", "failed", "cancelled").get(pk=task_id)
        generation = row.pop("generation")
        joblog.say(task_id, "finalizing", **row)
        control.defer_finalize(task_id, generation)
    return bool(closed)
