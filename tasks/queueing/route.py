"""A child's way: which stage comes next, by its batch's route and by what its stages returned.

A route is what ``Task.route`` keeps: [[stage name, queue], ...], written down as the batch starts. It is followed by
name, so a stage that a deploy inserts, moves or removes changes new batches only. A stage that this version does not
know is never skipped: the child goes there, and a worker that knows it takes it.
"""

from __future__ import annotations

from collections.abc import Sequence

from tasks.kinds.base import ChildSoFar, Kind

Route = Sequence[Sequence[str]]


def of(kind: Kind, task) -> list[list[str]]:
    """The route of a batch that starts now. ValueError if it has no stage, or one that its Kind does not have."""
    stages = list(kind.stages_for(task))
    strangers = [stage.name for stage in stages if kind.stage(stage.name) is not stage]
    if strangers or not stages:
        raise ValueError(f"stages_for of {kind.name!r} gave no stage, or some that are not in its stages: {strangers}")
    return [[stage.name, stage.queue] for stage in stages]


def first(kind: Kind, route: Route, child: ChildSoFar) -> tuple[str, str]:
    """(stage, queue) where a new child begins. ValueError if no stage wants it."""
    begin = _next(kind, _or_all(kind, route), child)
    if begin is None:
        raise ValueError(f"no stage of {kind.name!r} wants the child {child.key!r}")
    return begin


def after(kind: Kind, route: Route, stage: str, child: ChildSoFar) -> tuple[str, str] | None:
    """(stage, queue) that comes after ``stage``; None: it was the last one of this child."""
    way = _or_all(kind, route)
    ran = kind.stage(stage)
    names = {stage} if ran is None else {stage, ran.name, *ran.formerly}
    here = next((n for n, (name, _) in enumerate(way) if name in names), None)
    return None if here is None else _next(kind, way[here + 1 :], child)


def _or_all(kind: Kind, route: Route) -> Route:
    """Batches from before there were routes follow their Kind's stages."""
    return route or [[stage.name, stage.queue] for stage in kind.stages]


def _next(kind: Kind, way: Route, child: ChildSoFar) -> tuple[str, str] | None:
    for name, queue in way:
        stage = kind.stage(name)
        if stage is None:
            return name, queue
        if stage.when is None or stage.when(child):
            return stage.name, stage.queue
    return None
