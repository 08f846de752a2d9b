"""Many come back at once: what they missed is read once for each Task, and who they are is asked together."""

import asyncio
import json
import random
import threading
from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import get_user, get_user_model
from django.contrib.auth.models import Group, Permission
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.test.utils import override_settings
from django.utils import timezone

from streaming import access
from streaming.hub import TAIL_LINES, Hub
from streaming.messages import Close
from streaming.pages import PAGE_LINES
from streaming.subscription import Subscription
from tasks.models import Member, Task
from tests.bench.idle_sockets import sessions
from tests.integration.streaming.watching import many_lines, person, running_task, session_of

pytestmark = pytest.mark.django_db(transaction=True)

LINES, TASKS, WATCHERS = 4000, 5, 300


@pytest.fixture(autouse=True)
def _no_connection_of_the_asking_thread_stays(transactional_db):
    yield
    access._thread.submit(lambda: connection.close()).result(10)


@pytest.fixture
async def hub(monkeypatch):
    """A hub that has just begun; ``hub.asked`` are its statements that read lines."""
    hub = Hub.here()
    hub.asked = []
    rows = hub.reader.rows

    async def counted(statement, values):
        if "tasks_logline" in statement:
            hub.asked.append(statement)
        return await rows(statement, values)

    monkeypatch.setattr(hub.reader, "rows", counted)
    # a busy machine may take longer than a socket would wait before it asks again
    monkeypatch.setattr(hub.reader._pool, "timeout", 60)
    monkeypatch.setattr("streaming.reader.READ_LIMIT_S", 60)
    yield hub
    await hub.close()


def some_tasks() -> list[int]:
    tasks = [running_task(None).pk for _ in range(TASKS)]
    for task in tasks:
        many_lines(task, LINES)
    return tasks


async def catch_up(hub, task: int, after: int) -> list[int]:
    """The numbers of the lines that somebody who has ``after`` gets, until there is nothing more."""
    subscription = Subscription(hub, task, after, lambda: None)
    seqs = []
    while (text := await subscription.next()) is not None:
        message = json.loads(text)
        if message["type"] == "lines":
            seqs += [line["seq"] for line in message["lines"]]
    subscription.leave()
    return seqs


@pytest.mark.parametrize(("behind", "most"), [(TAIL_LINES, TASKS), (LINES, TASKS * (1 + LINES // PAGE_LINES))])
async def test_a_crowd_with_cursors_of_its_own_costs_one_read_a_task_and_page(hub, behind, most):
    tasks = await sync_to_async(some_tasks)()
    chosen = random.Random(3)
    cursors = [(tasks[n % TASKS], LINES - chosen.randrange(behind)) for n in range(WATCHERS)]
    got = await asyncio.gather(*(catch_up(hub, task, after) for task, after in cursors))
    assert all(seqs == list(range(after + 1, LINES + 1)) for (_, after), seqs in zip(cursors, got, strict=True))
    assert 1 <= len(hub.asked) <= most


def cookie_key(header: str) -> str:
    return header.partition("=")[2]


async def test_two_hundred_people_at_once_are_asked_for_together(monkeypatch):
    keys = [cookie_key(header) for header in await sync_to_async(sessions)(200)]
    task = await sync_to_async(running_task)(None)
    statements = []

    def count(do, statement, *rest):
        statements.append(statement)
        return do(statement, *rest)

    def within_count(questions):
        with connection.execute_wrapper(count):
            return ask(questions)

    ask = access._ask
    monkeypatch.setattr(access, "_ask", within_count)
    answers = await asyncio.gather(*(access.refusal(key, task.pk) for key in keys))
    assert answers == [None] * 200
    assert 1 <= len(statements) <= 8  # the first asks alone, the others in one round


@pytest.fixture
def people():
    """{name: session key} of everybody who may stand before the door."""
    seen = Permission.objects.get(content_type__app_label="tasks", codename="view_task")
    group = Group.objects.create(name="readers")
    group.permissions.add(seen)
    made = {
        name: person(name, **options)
        for name, options in {
            "owner": {},
            "stranger": {},
            "boss": {"is_superuser": True, "is_staff": True},
            "root without staff": {"is_superuser": True},
            "reader": {"is_staff": True},
            "in group": {"is_staff": True},
            "mere staff": {"is_staff": True},
            "no staff": {},
            "inactive": {"is_staff": True},
            "new password": {},
            "expired": {},
            "logged out": {},
            "gone": {},
        }.items()
    }
    for name in ("reader", "no staff", "inactive"):
        made[name].user_permissions.add(seen)
    group.user_set.add(made["in group"])
    with override_settings(SECRET_KEY="the one before", SECRET_KEY_FALLBACKS=[]):
        old = cookie_key(session_of(made["owner"]))
    keys = {name: cookie_key(session_of(user)) for name, user in made.items()}
    get_user_model().objects.filter(username="inactive").update(is_active=False)
    made["new password"].set_password("another")
    made["new password"].save()
    Session.objects.filter(pk=keys["expired"]).update(expire_date=timezone.now() - timedelta(seconds=1))
    Session.objects.filter(pk=keys["logged out"]).delete()
    made["gone"].delete()
    nobody = cookie_key(session_of(made["stranger"]))
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    Session.objects.filter(pk=nobody).update(session_data=store.encode({"_auth_user_id": "x", "words": 1}))
    return {
        **keys,
        "no number": nobody,
        "older secret": old,
        "nonsense": "x" * 32,
        "a NUL": "a\x00b",
        "umlaut": "ä" * 32,
    }


def one_by_one(key: str, task: int | None) -> Close | None:
    """What Django itself says. It writes too (ends a session, gives it a new key), which is taken back."""
    with transaction.atomic():
        try:
            return _one(key, task)
        finally:
            transaction.set_rollback(True)


def _one(key: str, task: int | None) -> Close | None:
    store = import_module(settings.SESSION_ENGINE).SessionStore(key.replace("\x00", ""))
    try:
        user = get_user(SimpleNamespace(session=store))
    except ValidationError:  # Django lets a session without a number fail; nobody wrote it through Django
        return Close.NO_SESSION
    if not user.is_authenticated or not user.is_active:
        return Close.NO_SESSION
    if task is None:
        return None if access.may_see_board(user) else Close.NOT_ALLOWED
    return None if Task.objects.visible_to(user).filter(pk=task).exists() else Close.NOT_ALLOWED


def test_asked_together_everybody_gets_the_answer_that_django_gives_alone(people):
    assert settings.SESSION_ENGINE == "django.contrib.sessions.backends.db"
    own = running_task(get_user_model().objects.get(username="owner")).pk
    nobodys = running_task(None).pk
    for name in ("no staff", "inactive"):
        Member.objects.create(task_id=own, user=get_user_model().objects.get(username=name), role="reader")
    questions = [(key, task) for key in people.values() for task in (own, nobodys, own + 1000, 10**30, None)]
    for fallbacks in ([], ["the one before"]):
        with override_settings(SECRET_KEY_FALLBACKS=fallbacks):
            together = access._look(questions)
            alone = {question: one_by_one(*question) for question in questions}
            assert together == alone
    names = {key: name for name, key in people.items()}
    allowed = {names[key] for (key, task), code in together.items() if task == own and code is None}
    assert allowed == {"owner", "boss", "reader", "in group", "older secret", "no staff"}


async def test_a_database_that_is_away_is_said_to_everybody_who_asked(monkeypatch):
    entered = threading.Event()

    def away(questions):
        entered.set()
        raise access.OperationalError("away")

    monkeypatch.setattr(access, "_ask", away)
    answers = await asyncio.gather(*(access.refusal(f"key{n}", n) for n in range(5)), return_exceptions=True)
    assert entered.is_set() and all(isinstance(answer, access.OperationalError) for answer in answers)
    monkeypatch.undo()
    assert await access.refusal("key1", 1) == Close.NO_SESSION
