"""Kinds as a later version has them, for workers of that version."""

from tasks.kinds.base import Stage
from tests.kinds import Fork


async def check(attempt):
    return {"checked": attempt.results["look"]["text"]}


class NewerFork(Fork):
    stages = (*Fork.stages, Stage("check", "fork-llm", check))
