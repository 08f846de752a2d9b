"""Kinds that exist in the tests only: the proof that a new batch feature touches no file of the engine."""

import asyncio
import os
import signal
import time

from tasks import fanout
from tasks.errors import Permanent, ServiceDown, Transient
from tasks.kinds.base import Kind, Later, NewChild, QueueDefault, Stage


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


def sleep_blocking(seconds):
    """What an isolated child does that hears nothing."""
    time.sleep(seconds)
    return os.getpid()


async def act(attempt):
    """Do what the child's input says.

    {"do": ..., "s": seconds before it, "log": text, "lines": n, "span": log when the sleep begins and ends,
     "until_attempt": from this attempt on it succeeds}
    """
    do = attempt.input
    if text := do.get("log"):
        attempt.log(text)
    for n in range(do.get("lines", 0)):
        attempt.log(f"line {n}")
        await asyncio.sleep(0)
    if do.get("span"):
        attempt.log("begin")
    if seconds := do.get("s"):
        await asyncio.sleep(seconds)
    if do.get("span"):
        attempt.log("end")
    if attempt.number >= do.get("until_attempt", 1_000_000):
        return {"attempt": attempt.number}
    match do.get("do"):
        case "fail":
            raise Permanent(do.get("code", "crashed"), "it was told to fail")
        case "flake":
            raise Transient("unexpected", "it was told to try again", after_s=do.get("after_s"), detail="flake")
        case "down":
            raise ServiceDown("service_down", "it was told that the service is down", retry_after_s=do.get("after_s"))
        case "raise":
            raise RuntimeError("it was told to raise")
        case "odd words":
            raise Permanent("crashed", "NUL \x00 and half a pair \ud800 and 十 ⌘ 🜚", file="a\x00b\ud800")
        case "leak":
            for piece in ("login password=hunter", "2horse postgresql://u:hunter", "2horse@db/x, key sk-hunter2"):
                attempt.log(piece, where="mongodb://u:hunter2horse@db")
            raise Permanent("crashed", "postgresql://u:hunter2horse@db/x refused", file="Bearer hunter2horse2horse")
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "isolate":
            return {"pid": await attempt.isolate("tests.kinds:sleep_blocking", do["isolated_s"], timeout_s=60)}
        case "cancel itself":
            raise asyncio.CancelledError
        case "exit":
            raise SystemExit(3)
        case "nan":
            return {"value": float("nan")}
        case "nul":
            return {"value": "a\x00b\ud800", "quoted": "\\u0000"}
        case "big":
            return {"value": "ä" * do["size"]}
        case "object":
            return {"value": object()}
    return {"attempt": attempt.number}


class Act(Kind):
    """Children that do what ``params["children"]`` says; ``params["repeat"]`` of each.

    ``expand`` and ``complete``: "raise", "die" or what the error says. ``pause_s``: seconds between two children that
    the manager makes. ``complete_s``: how long the closing step takes.
    """

    name = "act"
    queues = (QueueDefault("act", limit=8, deadline_s=5),)
    stages = (Stage("act", "act", act),)

    def expand(self, task):
        if task.params.get("expand") == "raise":
            raise RuntimeError("no list today: \x00 \ud800")
        for i, do in enumerate(task.params["children"]):
            for j in range(task.params.get("repeat", 1)):
                time.sleep(task.params.get("pause_s", 0))
                yield NewChild(f"{i}.{j}", do)

    def complete(self, task):
        time.sleep(task.params.get("complete_s", 0))
        match task.params.get("complete"):
            case "raise":
                raise RuntimeError("no report today: \x00 \ud800")
            case "die":
                os.kill(os.getpid(), signal.SIGKILL)


class Slow(Act):
    """As Act, on a queue that is limited per machine."""

    name = "slow"
    queues = (QueueDefault("slow", limit=4, per_host=True, deadline_s=60),)
    stages = (Stage("slow", "slow", act),)


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


async def leg(attempt):
    attempt.log(f"ran {attempt.stage}")
    if attempt.stage == "third" and attempt.number < attempt.input["third_needs"]:
        raise Transient("unexpected", "not yet", after_s=0.05, detail="not yet")
    return {"seen": sorted(attempt.results)}


class Relay(Kind):
    """Three stages; the third fails until its ``third_needs``-th attempt."""

    name = "relay"
    queues = tuple(QueueDefault(f"leg-{n}", limit=2) for n in (1, 2, 3))
    stages = (Stage("first", "leg-1", leg), Stage("second", "leg-2", leg), Stage("third", "leg-3", leg))

    def expand(self, task):
        for i in range(task.params["n"]):
            yield NewChild(f"{i}", {"third_needs": task.params["third_needs"]})


async def look(attempt):
    return {"text": attempt.input.get("text", "")}


async def recognise(attempt):
    return {"text": "recognised"}


async def extract(attempt):
    text = attempt.results.get("recognise", attempt.results["look"])["text"]
    return {"from": text, "passed": sorted(attempt.results)}


class Fork(Kind):
    """Text is recognised only where there is none; ``params["quick"]`` leaves the last stage out.

    A child of ``{"known": text}`` needs no first stage.
    """

    name = "fork"
    queues = (QueueDefault("fork-look", limit=4), QueueDefault("fork-ocr", limit=2), QueueDefault("fork-llm", limit=2))
    stages = (
        Stage("look", "fork-look", look, when=lambda child: "known" not in child.input),
        Stage("recognise", "fork-ocr", recognise, when=lambda child: not child.results.get("look", {}).get("text")),
        Stage("extract", "fork-llm", extract, when=lambda child: "known" not in child.input),
    )

    def stages_for(self, task):
        return self.stages[:2] if task.params.get("quick") else self.stages

    def expand(self, task):
        for key, given in task.params["children"].items():
            yield NewChild(key, given)


async def submit_and_wait(attempt):
    """As a slow service wants it: submit once, ask until it is done. ``input``: {"asks": n, "s": seconds between,
    "fail_at": the ask that raises Transient, "state": what Later carries}."""
    do = attempt.input
    if attempt.state is None:
        attempt.log("submitted")
    if attempt.asked == do.get("fail_at") and attempt.number == 1:
        raise Transient("unexpected", "the service stumbles", after_s=0.05, detail="stumble")
    if attempt.asked < do["asks"]:
        return Later(do.get("s", 0.1), do.get("state", {"remote": attempt.key}))
    return {"asked": attempt.asked, "state": attempt.state, "number": attempt.number, "key": attempt.request_key}


class Patient(Kind):
    """Waits for something remote with ``Later``, then goes through one more stage."""

    name = "patient"
    queues = (QueueDefault("remote", limit=2), QueueDefault("patient-end", limit=2))
    stages = (
        Stage("remote", "remote", submit_and_wait, later_s=600),
        Stage("rest", "patient-end", look),
    )

    def expand(self, task):
        for i in range(task.params["n"]):
            yield NewChild(f"{i}", task.params["do"])


class Hasty(Patient):
    """As Patient, and gives up soon."""

    name = "hasty"
    stages = (Stage("remote", "remote", submit_and_wait, later_s=2.5),)


class Chain(Noop):
    """Its closing step makes a batch that follows; run twice, it must make one."""

    name = "chain"
    stages = (Stage("chain", "noop", nothing),)

    def complete(self, task):
        if task.follows_id is None:
            for _again in range(2):
                fanout.start(fanout.create("chain", title="after", params={"n": 2}, follows=task))
