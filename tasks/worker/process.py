"""A worker process: a crew of lanes, the control jobs beside them, and the loops that keep both going.

Connections: 4, whatever the number of lanes: one for procrastinate's queries, one that listens, one for the desk, one
for the ORM. Stops on SIGTERM or Ctrl-C; ends with an error when procrastinate's own loop ends (its row was pruned
while we were frozen), so that whoever supervises starts a fresh one.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import time
import uuid

import psycopg
from django.conf import settings
from django.db import connection
from procrastinate import exceptions, psycopg_connector
from procrastinate.contrib.django import app as django_app
from procrastinate.contrib.django.utils import connector_params
from procrastinate.worker import Worker

from tasks import fanout
from tasks.kinds.base import registered
from tasks.models import Queue
from tasks.queueing import control, wake
from tasks.threads import UNAVAILABLE
from tasks.upkeep import sweep
from tasks.worker import heartbeat, liveness
from tasks.worker.pool import Crew

logger = logging.getLogger(__name__)

POLL_S = 1.0  # a wake-up that NOTIFY did not bring
CONTROL_PLACES = 2
POOL_S = 5  # procrastinate's connection pool says that there is no connection
NEVER_S = 10 * 365 * 86_400.0
OUTAGE_S = 600  # a database away for longer than this ends the process

HEARS = ("procrastinate_any_queue_v1", wake.CHANNEL)


class PatientConnector(psycopg_connector.PsycopgConnector):
    """Asks again while the database is away, so that a restart of it does not end the worker's loop.

    What is not answered for ``silent_s`` never will be: psycopg closes the connection, the pool makes another.
    """

    silent_s = float("inf")

    gives_up_at = float("inf")  # monotonic; a worker that stops does not wait for a database that does not come

    async def _patiently(self, call, *args, **kwargs):
        until = time.monotonic() + OUTAGE_S
        while True:
            try:
                async with asyncio.timeout(self.silent_s):
                    return await call(*args, **kwargs)
            except (exceptions.ConnectorException, TimeoutError) as error:
                lost = isinstance(error.__cause__, (psycopg.OperationalError, psycopg.InterfaceError))
                if not (lost or isinstance(error, TimeoutError)) or time.monotonic() > min(until, self.gives_up_at):
                    raise
                await asyncio.sleep(POLL_S)

    async def execute_query_async(self, query, **arguments):
        return await self._patiently(super().execute_query_async, query, **arguments)

    async def execute_query_one_async(self, query, **arguments):
        return await self._patiently(super().execute_query_one_async, query, **arguments)

    async def execute_query_all_async(self, query, **arguments):
        return await self._patiently(super().execute_query_all_async, query, **arguments)


def served_queues(asked: list[str] | None) -> list[str]:
    """The queues to serve: those asked for, or all that the Kinds name. ValueError names one that does not exist."""
    fanout.ensure_queues()
    known = sorted({stage.queue for kind in registered() for stage in kind.stages})
    unknown = sorted(set(asked or ()) - set(known))
    if unknown:
        raise ValueError(f"No such queue: {', '.join(unknown)}. There are: {', '.join(known)}.")
    return list(asked) if asked else known


def default_concurrency(queues: list[str]) -> int:
    """A place for every lane of these queues: the sum of their limits."""
    return max(1, sum(Queue.objects.filter(name__in=queues).values_list("limit", flat=True)))


async def run(queues: list[str], concurrency: int) -> int:
    """Work until told to stop; returns the exit status."""
    token = settings.SHEAF_WORKER_TOKEN or str(uuid.uuid4())
    crew = Crew(token, queues, concurrency)
    stop, status = asyncio.Event(), 0
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    connector = PatientConnector(kwargs=connector_params("default"), min_size=1, max_size=1, timeout=POOL_S)
    silent_s = connector.silent_s = settings.SHEAF_TCP_USER_TIMEOUT_S
    app = django_app.with_connector(connector)
    life = liveness.Life(token)
    life.begin()
    async with app.open_async():
        await crew.db.call(heartbeat.enrol, token, queues, concurrency)
        lanes = _worker(app, crew, heartbeat.job_queues(queues), concurrency)
        controls = _worker(app, crew, [control.QUEUE], CONTROL_PLACES)
        workers = [asyncio.create_task(lanes.run()), asyncio.create_task(controls.run())]
        sweeping = asyncio.create_task(_sweep_for_ever(crew, [lanes, controls], life))
        loops = [
            sweeping,
            *(
                asyncio.create_task(coroutine)
                for coroutine in (
                    crew.desk.run(),
                    crew.keep(),
                    _hear([lanes, controls], crew),
                    crew.desk_thread.keep_line(silent_s),
                    crew.db.keep_line(silent_s),
                )
            ),
        ]
        logger.info("Worker ready: queues %s, %s places", ", ".join(queues), concurrency)
        stopping = asyncio.create_task(stop.wait())
        done, _ = await asyncio.wait([*workers, *loops, stopping], return_when=asyncio.FIRST_COMPLETED)
        for task in done - {stopping}:
            status = 1
            logger.error("The worker must end: %r", task.exception() or "a loop ended by itself")
        connector.gives_up_at = time.monotonic() + settings.SHEAF_STOP_S
        sweeping.cancel()
        await crew.db.interrupt(sweep.sweep)  # another process goes on with it
        # On the desk's thread: the other one may be in a Kind's closing step, for which the lanes must not wait
        await _if_reachable(crew.desk_thread.call(heartbeat.say_stopping, token))
        lanes.stop()
        controls.stop()
        await crew.stop()
        await asyncio.gather(*workers, return_exceptions=True)
        await _if_reachable(asyncio.wait_for(crew.desk.flush(), settings.SHEAF_STOP_S))
        await _if_reachable(crew.desk_thread.call(heartbeat.strike_off, token))
        for loop in loops:
            loop.cancel()
        await asyncio.gather(*loops, return_exceptions=True)
    await crew.close()
    life.end()
    logger.info("Worker stopped")
    return status


async def _if_reachable(call) -> None:
    """A farewell that the database need not hear: who finds our lanes stale says the rest."""
    try:
        await call
    except (*UNAVAILABLE, TimeoutError) as error:
        logger.warning("Stopping while the database cannot be reached: %s", str(error).strip() or "lines were lost")


def _worker(app, crew: Crew, queues: list[str], concurrency: int) -> Worker:
    return Worker(
        app=app,
        queues=queues,
        concurrency=concurrency,
        listen_notify=False,  # one connection hears for both workers: see _hear
        fetch_job_polling_interval=POLL_S,
        delete_jobs="successful",
        install_signal_handlers=False,
        # longer than our own lanes take to stop
        shutdown_graceful_timeout=settings.SHEAF_STOP_S + max(3, 0.75 * settings.SHEAF_STOP_S),
        update_heartbeat_interval=min(10.0, settings.SHEAF_LANE_STALE_S / 4),
        stalled_worker_timeout=NEVER_S,  # retention does it, without touching a long history
        additional_context={"crew": crew},
    )


async def _hear(workers: list[Worker], crew: Crew) -> None:
    """Passes notices on to whoever waits. Polling covers what is missed while the connection is away."""
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(
                **connector_params("default"), autocommit=True
            ) as listening:
                for channel in HEARS:
                    await listening.execute(f'LISTEN "{channel}"')
                while True:
                    async for _notice in listening.notifies(timeout=30, stop_after=1):
                        for worker in workers:
                            worker._new_job_event.set()
                        crew.desk.hear()
                    async with asyncio.timeout(settings.SHEAF_TCP_USER_TIMEOUT_S):
                        await listening.execute("SELECT 1")
        except (psycopg.OperationalError, psycopg.InterfaceError, TimeoutError) as error:
            why = str(error).strip() or "it answers nothing"
            logger.warning("Not listening for new work (%s); polling until the database is back", why)
            await asyncio.sleep(POLL_S)


async def _sweep_for_ever(crew: Crew, workers: list[Worker], life: liveness.Life) -> None:
    suspects: dict[int, set[int]] = {}
    while True:
        try:
            life.note([worker.worker_id for worker in workers if worker.worker_id is not None])
            await crew.db.call(liveness.release_the_dead)
            await crew.db.call(sweep.sweep)
            for worker in workers:
                if worker.worker_id is not None:
                    running = [context.job.id for context in worker._running_jobs.values()]
                    known = suspects.get(worker.worker_id, set())
                    suspects[worker.worker_id] = await crew.db.call(sweep.disown, worker.worker_id, running, known)
        except UNAVAILABLE as error:
            logger.warning("No sweep: the database cannot be reached (%s)", str(error).strip())
        await asyncio.sleep(settings.SHEAF_SWEEP_S)


def close_connection() -> None:
    """The main thread's own connection is of no use once the loop runs."""
    connection.close()
