"""Keeps several batches open, and does to them what people do: pause, resume, cancel, retry."""

from __future__ import annotations

import random

from django.contrib.auth import get_user_model

from tasks import fanout
from tasks.errors import Refused
from tasks.models import Task
from tasks.states import TERMINAL, TaskState
from tests.chaos.database import insist

OPEN_AT_ONCE = 8


class Work:
    def __init__(self, url: str, rng: random.Random):
        self._url, self._rng = url, rng
        self.owner = get_user_model().objects.get_or_create(username="chaos")[0]

    def keep_up(self) -> None:
        """Submit until enough is open, then perhaps meddle with one of them."""
        while insist(lambda: Task.objects.exclude(state__in=TERMINAL).count()) < OPEN_AT_ONCE:
            insist(self._submit)
        if self._rng.random() < 0.25:
            insist(self._meddle)

    def _submit(self) -> None:
        rng = self._rng
        kind = rng.choice(["calls", "chaos_local", "chaos_local", "chaos_both"])
        n = rng.choice([0, 1, 20, 40, 80, 160])
        ms = rng.choice([20, 100, 300])
        params = {"url": self._url, "n": n, "ms": ms, "query": {"ms": ms}, "s": rng.choice([0.02, 0.5, 2.0])}
        task = fanout.create(kind, self.owner, title=f"{kind} x {n}", params=params, expected=n)
        fanout.start(task)

    def _meddle(self) -> None:
        task = self._rng.choice([*Task.objects.exclude(state=TaskState.DRAFT).order_by("-pk")[:12], None])
        if task is None:
            return
        verb = self._rng.choice(["pause", "resume", "resume", "cancel", "retry_failed", "retry_failed"])
        if verb == "cancel" and self._rng.random() < 0.5:
            return
        try:
            getattr(fanout, verb)(task)
        except Refused:
            pass  # not in a state for it, as it happens to people

    def let_it_end(self) -> int:
        """Start drafts whose starting was cut off, resume what is paused; how many have not ended."""
        for task in Task.objects.filter(state=TaskState.DRAFT):
            fanout.start(task)
        for task in Task.objects.filter(paused=True).exclude(state__in=TERMINAL):
            fanout.resume(task)
        return Task.objects.exclude(state__in=TERMINAL).count()
