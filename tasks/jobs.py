"""The entry points that procrastinate knows. Thin: each finds its crew and calls what does the work."""

import asyncio
import logging

from procrastinate import JobContext
from procrastinate.contrib.django import app

from tasks import background
from tasks.queueing import control, wake
from tasks.threads import UNAVAILABLE
from tasks.worker import attempts

logger = logging.getLogger(__name__)

EXPAND_ATTEMPTS = 3


@app.task(name=wake.LANE_JOB, pass_context=True)
async def lane(context: JobContext, queue: str, host: str, slot: int) -> None:
    """One place in a queue's limit."""
    await context.additional_context["crew"].run_lane(queue, host, slot, context.job.id)


@app.task(name=control.EXPAND, pass_context=True)
async def expand(context: JobContext, task_id: int) -> None:
    """The Manager: insert the children of a Task, chunk by chunk."""
    crew = context.additional_context["crew"]
    for attempt in range(1, EXPAND_ATTEMPTS + 1):
        try:
            return await _step_through(crew, background.expand(task_id))
        except UNAVAILABLE:  # the sweep defers it again when the database is back
            raise
        except Exception as error:  # the Kind's own code: told to its people, tried again, then given up
            logger.exception("Task %s could not be expanded (attempt %s)", task_id, attempt)
            if attempt == EXPAND_ATTEMPTS:
                await crew.db.call(background.give_up_expanding, task_id, error)
                return None
            await asyncio.sleep(attempts.backoff_s(attempt))


@app.task(name=control.FINALIZE, pass_context=True)
async def finalize(context: JobContext, task_id: int, generation: int) -> None:
    """The closing step of one generation of a Task."""
    attempt = 1
    while not await context.additional_context["crew"].db.call(background.finalize, task_id, generation):
        await asyncio.sleep(attempts.backoff_s(attempt))
        attempt += 1


@app.task(name=control.SWEEP_UP, pass_context=True)
async def sweep_up(context: JobContext, task_id: int) -> None:
    """Move the children that a cancel or a retry left behind."""
    await _step_through(context.additional_context["crew"], background.sweep_up(task_id))


async def _step_through(crew, steps) -> None:
    """Run a generator a step at a time on the database thread, so that others get their turn in between."""
    while not crew.stopping and await crew.db.call(next, steps, None) is not None:
        pass
