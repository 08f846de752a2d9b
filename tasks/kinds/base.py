"""The whole interface that a new batch feature has to learn.

A Kind says what its children are, which stages each goes through, and what happens when the last one has
ended. Put it in a package of its own, name it in ``SHEAF_KINDS``, and the engine finds it::

    class Shout(Kind):
        name = "shout"
        queues = (QueueDefault("loud", limit=3),)
        stages = (Stage("shout", queue="loud", run=shout),)

        def expand(self, task):
            for word in task.params["words"]:
                yield NewChild(key=word, input={"word": word})

    async def shout(attempt):
        attempt.log(f"shouting {attempt.input['word']}")
        return {"loud": attempt.input["word"].upper()}
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

from django.conf import settings
from django.urls import reverse
from django.utils.module_loading import import_string

from tasks import sentences


class Attempt(Protocol):
    """One run of one stage of one child, as the stage's function sees it."""

    task_id: int
    child_id: int
    key: str
    stage: str
    number: int  # 1 for the first attempt
    input: dict
    params: dict  # the Task's
    results: dict  # {earlier stage: what it returned}
    state: Any  # what ``Later`` carried when this stage last ran for this child; None the first time
    asked: int  # how often this stage has returned ``Later`` for this child
    #: The same for every attempt of this stage in one run of the batch: give it to a service that accepts a key against
    #: doing the same work twice (a worker may be lost between the service's answer and ours).
    request_key: str

    def log(self, text: str = "", *, code: str = "", level: int = 20, **data: Any) -> None:
        """Write a line into the Task's live log: free text, or a code of the catalogue with its values."""

    async def isolate(self, function: str, *args: Any, timeout_s: float, **kwargs: Any) -> Any:
        """Call ``"package.module:name"`` in a child process that may be killed (untrusted files)."""

    async def db(self, function: Callable, *args: Any, **kwargs: Any) -> Any:
        """Call a blocking function that uses the ORM, on the process's one database thread."""

    def seconds_left(self) -> float:
        """Until this attempt's deadline."""

    def is_fresh(self) -> bool:
        """Whether this attempt's lane is surely still its own: else no call to a service may begin."""

    def heard(self) -> None:
        """The service answered: said by ``tasks.outbound.calls``, for the queue's breaker."""


@dataclass(frozen=True)
class QueueDefault:
    """How a queue starts out; from then on its row in the admin counts. ``limit`` None = the machine's cores."""

    name: str
    limit: int | None = 1
    per_host: bool = False
    deadline_s: int = 80
    rate_per_minute: int | None = None


@dataclass(frozen=True)
class ChildSoFar:
    """What a rule about a child's way may look at. ``results``: {stage passed: what it returned}."""

    key: str
    input: dict
    params: dict
    results: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Later:
    """Returned by a stage that waits for something remote: call me again in ``seconds`` (0.1 at least), as
    ``attempt.state`` give me ``state`` (JSON-able).

    The place is given back meanwhile, and no attempt is counted. An error keeps the state; the next stage and the
    next run of the batch begin without one.
    """

    seconds: float
    state: Any


@dataclass(frozen=True)
class Stage:
    """``run(attempt)`` returns a JSON-able dict or ``Later``, or raises Permanent, Transient or ServiceDown."""

    name: str
    queue: str
    run: Callable[[Attempt], Awaitable[dict | Later | None]]
    #: Whether a child goes through this stage; None: every child does. Decided once, as the child leaves the stage
    #: before it (for the first stages, as it is inserted). A pure, quick function.
    when: Callable[[ChildSoFar], bool] | None = None
    #: Names that this stage had: children that wait under one of them, and results stored under it, are found.
    formerly: tuple[str, ...] = ()
    #: Seconds from the first ``Later`` of a child to the last call; then the child fails as ``later_too_long``.
    later_s: float = 86_400


@dataclass(frozen=True)
class NewChild:
    """``key`` is unique in its Task: the same key again is the same child."""

    key: str
    input: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """An entry of the navigation. It is marked on every page whose address begins with ``below`` (or ``url``)."""

    words: str
    url: str
    below: str = ""

    def leads_to(self, path: str) -> bool:
        return path.startswith(self.below or self.url)


class Kind:
    name: str = ""
    title: str = ""
    #: One sentence of what it is for, at the foot of every page.
    about: str = ""
    #: The module that renders what changes on a batch's page (``streaming.shown`` says how); empty: nothing does.
    page_parts: str = "tasks.web.parts"
    #: The module with its addresses (``"shouting.urls"``), which are included at the root.
    urls: str = ""
    stages: tuple[Stage, ...] = ()
    queues: tuple[QueueDefault, ...] = ()
    max_attempts: int = 3
    #: Modules that ``isolate`` imports once in each child process; their exceptions come back by type.
    isolated: tuple[str, ...] = ()
    #: {error or log code: lazy sentence}
    sentences: dict = {}

    def words(self) -> dict:
        """{name: lazy words} of the names that its lines list, as in ``attempt.log(code="lacks", fields=["year"])``:
        everybody reads them in their own language."""
        return {}

    def expand(self, task) -> Iterable[NewChild]:
        """Yield the children, in order. Streamed; may run again from the start after a crash (keys make it safe)."""
        raise NotImplementedError

    def complete(self, task) -> None:
        """Called when all have ended: report, mail. Short: it runs in one transaction on the worker's database thread.
        Long work is a batch of its own (``fanout.create(..., follows=task)``). May run twice; must be idempotent for
        (task, generation)."""

    def forget(self, until: float) -> int:
        """Delete what batches that are gone left elsewhere (files). Called once a minute, by one process, until the
        monotonic time ``until``; how much went."""
        return 0

    def url(self, task) -> str | None:
        """The page where its owner watches it: the plain one that every batch has, unless a Kind makes its own."""
        return reverse("batch:page", args=[task.pk])

    def navigation(self, user) -> list[Entry]:
        """Its entries at the head of every page, for this person. The first one of all Kinds is the front door."""
        return []

    def stages_for(self, task) -> Sequence[Stage]:
        """The stages of one batch, in order; some of ``stages``. Called once, as the batch starts: it keeps them."""
        return self.stages

    def stage(self, name: str) -> Stage | None:
        """The stage of that name, today's or a former one; None where this version does not know it."""
        return next((stage for stage in self.stages if stage.name == name or name in stage.formerly), None)

    def by_present_names(self, results: dict) -> dict:
        """Results of stages by the names that those have today."""
        return {stage.name if (stage := self.stage(name)) else name: value for name, value in results.items()}

    def known_stages(self, queues: Collection[str]) -> list[str]:
        """Names, former ones included, of the stages that a worker of these queues runs."""
        return [name for stage in self.stages if stage.queue in queues for name in (stage.name, *stage.formerly)]


class WrongKinds(SystemExit):
    """SHEAF_KINDS names what can't be a batch feature; the text says which, and why. Ends the start by itself."""


def _load(path: str) -> Kind:
    try:
        kind = import_string(path)
    except ImportError as error:
        raise WrongKinds(f"SHEAF_KINDS names {path!r}, which can't be imported: {error}.") from error
    if not (isinstance(kind, type) and issubclass(kind, Kind) and kind.name):
        raise WrongKinds(
            f"SHEAF_KINDS names {path!r}, which is not a Kind: a class of tasks.kinds.base.Kind with a name."
        )
    return kind()


@cache
def _kinds() -> dict[str, Kind]:
    kinds = {}
    for path in settings.SHEAF_KINDS:
        kind = _load(path)
        if kind.name in kinds:
            raise WrongKinds(f"SHEAF_KINDS names two Kinds that are both called {kind.name!r}: the second is {path!r}.")
        sentences.register(kind.sentences)
        sentences.register_words(kind.words())
        kinds[kind.name] = kind
    return kinds


def registered() -> list[Kind]:
    return list(_kinds().values())


def kind_named(name: str) -> Kind | None:
    """The Kind of that name, or None where this process does not know it (a rolling deploy)."""
    return _kinds().get(name)


def navigation(user) -> list[Entry]:
    """The entries of all Kinds for this person, in the order of SHEAF_KINDS."""
    return [entry for kind in registered() for entry in kind.navigation(user)]


def modules_of_urls() -> list[str]:
    """The modules with the Kinds' addresses, each once."""
    return list(dict.fromkeys(kind.urls for kind in registered() if kind.urls))
