"""What passes over the desk of a worker: lanes, the children handed to them, how those ended, a round trip's work."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tasks.errors import ServiceDown
from tasks.log.joblog import Line

#: How a run of a child ended; see ``Outcome.end``.
SUCCEEDED, ADVANCED, FAILED, RETRY, LATER, HANDED_BACK, CANCELLED = (
    "succeeded",
    "advanced",
    "failed",
    "retry",
    "later",
    "handed_back",
    "cancelled",
)


@dataclass(frozen=True)
class Hold:
    """A lane in the hands of this process: row, run, and whose limit it is a place in."""

    lane_id: int
    run: int
    queue: str
    host: str
    slot: int
    job_id: int


@dataclass(frozen=True)
class Assignment:
    """A child that was handed to a lane."""

    hold: Hold
    child_id: int
    task_id: int
    lease: int
    key: str
    stage: str
    position: int
    number: int
    lost: int
    input: dict
    results: dict
    deadline_s: int
    generation: int = 1
    #: What its stage said when it asked to be called again later, how often it has, and for how many seconds by now.
    state: Any = None
    asked: int = 0
    asked_for_s: float = 0.0
    #: Of its Task.
    kind: str = ""
    params: dict = field(default_factory=dict)
    route: list = field(default_factory=list)


@dataclass
class Outcome:
    """How an assignment ended.

    ``result`` is JSON text {stage: value} (succeeded, advanced); ``delay_s`` and ``burns`` belong to a retry;
    ``stage`` and ``queue`` say where an advanced child goes; ``state`` is JSON text for its stage's next call (later).
    """

    assignment: Assignment
    end: str
    result: str = "{}"
    code: str = ""
    error: str = ""
    data: dict = field(default_factory=dict)
    delay_s: float | None = None
    burns: bool = True
    stage: str = ""
    queue: str = ""
    state: str | None = None
    #: What it says of its queue's service (``tasks.queueing.breaker``): why it failed, or that it answered.
    trouble: ServiceDown | None = None
    answered: bool = False


@dataclass
class Work:
    """What gathered since the last trip: ended children, lanes with how many they ask for, lines, queues whose shares'
    bounds are due for renewal with the highest tag served in them."""

    outcomes: list[Outcome] = field(default_factory=list)
    asks: list[tuple[Hold, int]] = field(default_factory=list)
    #: Lanes that ask while a child of theirs still runs.
    ahead: set[int] = field(default_factory=set)
    lines: list[Line] = field(default_factory=list)
    keep_up: set[str] = field(default_factory=set)
    served: dict[str, int] = field(default_factory=dict)
    #: This process runs a child already that one more lost worker would fail.
    on_last_chance: bool = False


@dataclass
class Answer:
    """What a trip brought: children by lane id, outcomes that came too late, lanes that must end, by queue the
    highest tag served and the seconds after which asking again makes sense."""

    taken: dict[int, list[Assignment]] = field(default_factory=dict)
    late: list[Outcome] = field(default_factory=list)
    refused: set[int] = field(default_factory=set)
    served: dict[str, int] = field(default_factory=dict)
    retry_s: dict[str, float] = field(default_factory=dict)
    #: Children went back to a queue: lanes of this process that wait may ask at once.
    readied: bool = False
