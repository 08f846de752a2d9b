"""5,000 quiet websockets on one daphne process, beside as many on an empty AsyncWebsocketConsumer; then two storms.

``kib_each`` and ``empty_kib_each``: resident memory of the process per socket, ``ratio`` of the two (1.25 at most).

``storm``: 2,000 sockets of as many people, each with a session of their own, over ``watched_tasks`` Tasks. They are
cut at once and come back at once with their cursors, some lines later. ``recovered_s`` until each is up to date again
(10 at most), ``replay_queries`` for lines in that time, which is no more than one for each Task that is watched,
``authorization_queries``, a few for each 250 people. ``restart_…``: the same when the process itself has died, so that
the new one knows nothing; cursors are up to 900 lines behind.

Arguments: sockets, storm.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from dataclasses import dataclass

from tests.bench import ground
from tests.bench.crowd import Client, Tally
from tests.bench.stream_peer import bare_web

SOCKETS, STORM, TASKS = 5000, 2000, 20
LINES, BEHIND = 2000, 900
#: Clients that confirm nothing may stay, and permissions are asked again as late as is allowed: the storm is counted.
QUIET = {"SHEAF_LIVE_ACK_S": 600, "SHEAF_LIVE_RECHECK_S": 60}


@dataclass
class Storm:
    recovered_s: float
    replay_queries: int
    authorization_queries: int


def main(arguments: list[str]) -> dict:
    sockets, storm = (*map(int, arguments), *(SOCKETS, STORM)[len(arguments) :])
    ground.prepare()
    from tests.integration.streaming.watching import many_lines, running_task
    from tests.processes import Web

    tasks = [running_task(None).pk for _ in range(TASKS)]
    for task in tasks:
        many_lines(task, LINES)
    cookies = sessions(storm)
    with counted_web(Web) as web:
        each, warm = asyncio.run(_ours(web, tasks, cookies, sockets))
        port = web.port
        web.kill()
    with counted_web(Web, port) as web:
        cold = asyncio.run(_after_a_restart(web, tasks, cookies))
    with bare_web(Web, "tests.bench.empty_app:application") as web:
        empty_each = asyncio.run(_theirs(web, sockets))
    return {
        "sockets": sockets,
        "kib_each": round(each, 1),
        "empty_kib_each": round(empty_each, 1),
        "ratio": round(each / empty_each, 2),
        "storm": storm,
        "sessions": len(set(cookies)),
        "watched_tasks": TASKS,
        **{name: round(value, 2) for name, value in vars(warm).items()},
        **{f"restart_{name}": round(value, 2) for name, value in vars(cold).items()},
    }


def counted_web(Web, port: int | None = None):
    web = Web(port, env=QUIET)
    web.command = (*web.command[:-1], "tests.bench.counted_app:application")
    return web


def sessions(n: int) -> list[str]:
    """Cookie headers of ``n`` people with a session each; staff, whose permissions take the most queries to find."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
    from django.contrib.auth.models import Group, Permission
    from django.contrib.sessions.backends.db import SessionStore
    from django.contrib.sessions.models import Session

    User = get_user_model()
    User.objects.filter(username__startswith="crowd-").delete()
    people = User.objects.bulk_create(User(username=f"crowd-{i}", password="!", is_staff=True) for i in range(n))
    group, _ = Group.objects.get_or_create(name="crowd")
    group.permissions.add(Permission.objects.get(content_type__app_label="tasks", codename="view_task"))
    group.user_set.add(*people)
    made = []
    for person in people:
        store = SessionStore()
        store._session_key = store._get_new_session_key()
        data = {
            SESSION_KEY: str(person.pk),
            BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
            HASH_SESSION_KEY: person.get_session_auth_hash(),
        }
        made.append(store.create_model_instance(data))
    Session.objects.bulk_create(made)
    return [f"{settings.SESSION_COOKIE_NAME}={session.session_key}" for session in made]


def resident_kib(pid: int) -> int:
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


async def _crowd(port: int, wanted: list[tuple[str, int, str]], tally: Tally) -> list[Client]:
    """One client for each (path, cursor, cookie), forty at a time: daphne's queue of new connections holds fifty."""
    clients = []
    for begin in range(0, len(wanted), 40):
        some = wanted[begin : begin + 40]
        clients += await asyncio.gather(
            *(Client.connect(tally, path, port, cookie, after=at) for path, at, cookie in some)
        )
    return clients


async def _settled(clients, tally, at_least: int) -> None:
    """Until every client has had its snapshot (or nothing is awaited) and two seconds have passed."""
    while at_least and sum(client.messages for client in clients) < at_least:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    await asyncio.sleep(2)


async def _ours(web, tasks: list[int], cookies: list[str], sockets: int) -> tuple[float, Storm]:
    from tests.bench.stream import write_lines

    tally = Tally()
    # those that stay are one person
    wanted = [(_path(tasks, n), LINES, cookies[n if n < len(cookies) else 0]) for n in range(sockets)]
    warm = await _crowd(web.port, wanted[:100], tally)
    await _settled(warm, tally, 100)
    before = resident_kib(web.pid)
    clients = await _crowd(web.port, wanted, tally)
    await _settled(clients, tally, sockets)
    each = (resident_kib(web.pid) - before) / sockets
    ground.say(f"ours: {each:.1f} KiB a socket")

    for client in clients[: len(cookies)]:
        client.drop()
    await asyncio.to_thread(lambda: [write_lines(task, 100, 0.1) for task in tasks])
    storm = await _storm(web, tasks, wanted[: len(cookies)], tally)
    for client in (*warm, *clients):
        client.drop()
    assert not tally.lost and not tally.duplicated
    return each, storm


async def _after_a_restart(web, tasks: list[int], cookies: list[str]) -> Storm:
    heads = await asyncio.to_thread(_heads)
    behind = random.Random(1)
    wanted = []
    for n, cookie in enumerate(cookies):
        wanted.append((_path(tasks, n), heads[tasks[n % TASKS]] - behind.randrange(BEHIND), cookie))
    return await _storm(web, tasks, wanted, Tally())


async def _storm(web, tasks: list[int], wanted, tally: Tally) -> Storm:
    """All of them come at once; until each has every line of its Task."""
    heads = await asyncio.to_thread(_heads)
    before = await asyncio.to_thread(_queries, web)
    began = time.monotonic()
    back = await _crowd(web.port, wanted, tally)
    while any(client.after < heads[tasks[n % TASKS]] for n, client in enumerate(back)):  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    recovered = time.monotonic() - began
    after = await asyncio.to_thread(_queries, web)
    spent = {name: after[name] - before[name] for name in after}
    ground.say(f"{len(back)} came back in {recovered:.2f} s with {spent}")
    for client in back:
        client.drop()
    assert not tally.lost and not tally.duplicated
    return Storm(recovered, spent["replay"], spent["authorization"])


def _path(tasks: list[int], n: int) -> str:
    return f"/ws/tasks/{tasks[n % TASKS]}/?after={{after}}"


async def _theirs(web, sockets: int) -> float:
    tally = Tally()
    warm = await _crowd(web.port, [("/", 0, "")] * 100, tally)
    await _settled(warm, tally, 0)
    before = resident_kib(web.pid)
    clients = await _crowd(web.port, [("/", 0, "")] * sockets, tally)
    await _settled(clients, tally, 0)
    each = (resident_kib(web.pid) - before) / sockets
    ground.say(f"empty: {each:.1f} KiB a socket")
    for client in (*warm, *clients):
        client.drop()
    return each


def _heads() -> dict[int, int]:
    from tasks.models import Task

    return dict(Task.objects.values_list("pk", "log_seq"))


def _queries(web) -> dict[str, int]:
    status, body = web.get("/bench/queries")
    assert status == 200
    return json.loads(body)
