"""What runs while things break: short local work, and the same followed by a call to the stand-in."""

import asyncio

from tasks.kinds.base import Kind, NewChild, QueueDefault, Stage
from tests.standin.kind import ask


async def work(attempt):
    attempt.log(f"{attempt.key} begins")
    await asyncio.sleep(attempt.input["s"])
    return {"worked_s": attempt.input["s"]}


LOCAL = QueueDefault("chaos_local", limit=6, per_host=True, deadline_s=5)
SERVICE = QueueDefault("standin", limit=3, deadline_s=5)


class Local(Kind):
    """``params``: n children of ``s`` seconds."""

    name = "chaos_local"
    queues = (LOCAL,)
    stages = (Stage("work", "chaos_local", work),)

    def expand(self, task):
        for i in range(task.params["n"]):
            yield NewChild(f"{i}", {"s": task.params["s"], "ms": task.params.get("ms", 0)})


class Both(Local):
    """As Local, and then one call of ``ms`` milliseconds."""

    name = "chaos_both"
    queues = (LOCAL, SERVICE)
    stages = (Stage("work", "chaos_local", work), Stage("ask", "standin", ask))
