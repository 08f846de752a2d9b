"""Kinds that exist in the tests only: the proof that a new batch feature touches no file of the engine."""

import asyncio
import os
import signal

from tasks.errors import Permanent, ServiceDown, Transient
from tasks.kinds.base import Kind, NewChild, QueueDefault, Stage


async def nothing(attempt):
    return None


class Noop(Kind):
    """``n`` children that do nothing."""

    name = "noop"
    queues = (QueueDefault("noop", limit=32),)
    stages = (Stage("noop", "noop", nothing),)

    def expand(self, task):
        for i in range(task.params["n"]):
            yield NewChild(f"{i}")


async def act(attempt):
    """Do what the child's input says: {"do": ..., "s": seconds, "log": text, "until_attempt": n}."""
    do = attempt.input
    if text := do.get("log"):
        attempt.log(text)
    if seconds := do.get("s"):
        await asyncio.sleep(seconds)
    if attempt.number >= do.get("until_attempt", 1_000_000):
        return {"attempt": attempt.number}
    match do.get("do"):
        case "fail":
            raise Permanent("crashed", "it was told to fail")
        case "flake":
            raise Transient("unexpected", "it was told to try again", after_s=do.get("after_s"), detail="flake")
        case "down":
            raise ServiceDown("service_down", "it was told that the service is down", retry_after_s=do.get("after_s"))
        case "raise":
            raise RuntimeError("it was told to raise")
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "nan":
            return {"value": float("nan")}
        case "nul":
            return {"value": "a\x00b\ud800", "quoted": "\\u0000"}
    return {"attempt": attempt.number}


class Act(Kind):
    """Children that do what ``params["children"]`` says; ``params["repeat"]`` of each."""

    name = "act"
    queues = (QueueDefault("act", limit=8, deadline_s=5),)
    stages = (Stage("act", "act", act),)

    def expand(self, task):
        if task.params.get("expand") == "raise":
            raise RuntimeError("no list today")
        for i, do in enumerate(task.params["children"]):
            for j in range(task.params.get("repeat", 1)):
                yield NewChild(f"{i}.{j}", do)

    def complete(self, task):
        if task.params.get("complete") == "raise":
            raise RuntimeError("no report today")


async def upper(attempt):
    return {"word": attempt.input["word"].upper()}


async def exclaim(attempt):
    return {"word": attempt.results["upper"]["word"] + "!"}


class Shout(Kind):
    """Two stages on two queues."""

    name = "shout"
    queues = (QueueDefault("upper", limit=2), QueueDefault("exclaim", limit=1))
    stages = (Stage("upper", "upper", upper), Stage("exclaim", "exclaim", exclaim))

    def expand(self, task):
        for word in task.params["words"]:
            yield NewChild(word, {"word": word})
