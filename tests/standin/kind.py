"""Kinds whose children call the stand-in: through the engine's own door, as a service's client does."""

from __future__ import annotations

from tasks.kinds.base import Kind, NewChild, QueueDefault, Stage
from tasks.outbound import calls


async def ask(attempt):
    """One call; the child's input is the query."""
    query = {name: str(value) for name, value in attempt.input.items()}
    headers = {"x-key": attempt.key}
    reply = await calls.call(attempt, "GET", f"{attempt.params['url']}/call", params=query, headers=headers)
    return {"ok": reply.json()["ok"], "attempt": attempt.number}


class Calls(Kind):
    """``params``: url of the stand-in, n, and query (for all) or queries (one for each child)."""

    name = "calls"
    queues = (QueueDefault("standin", limit=3, deadline_s=5),)
    stages = (Stage("ask", "standin", ask),)

    def expand(self, task):
        queries = task.params.get("queries") or [task.params.get("query", {})] * task.params["n"]
        for i, query in enumerate(queries):
            yield NewChild(f"{task.pk}.{i}", query)
