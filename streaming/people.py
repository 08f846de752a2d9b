"""Who many sessions belong to and which Tasks these people may see, in as many queries as there are tables.

A storm of reconnects asks this for thousands of people at once; Django's own ``get_user`` and ``has_perm`` take five
queries for each of them. What is decided here is the same, and a test compares: sessions are Django's rows, people
are known by ``ModelBackend``, and a session ends with the password under which it began.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model, load_backend
from django.contrib.sessions.backends.db import SessionStore
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from tasks.models import Member, Task

BACKEND = "django.contrib.auth.backends.ModelBackend"
VIEW_TASKS = "tasks.view_task"
#: No row has a greater number; a query with one would fail for everybody who asks with us.
GREATEST_ID = 2**63 - 1


def people_of(session_keys: Iterable[str]) -> dict[str, object]:
    """{session key: its user} of the sessions that are valid now, of active people."""
    # no session is named otherwise, and a NUL would fail for everybody
    keys = {key for key in session_keys if key.isascii() and key.isalnum()}
    rows = SessionStore.get_model_class().objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    sessions = {row.session_key: SessionStore().decode(row.session_data) for row in rows}
    ids = {key: id for key, session in sessions.items() if (id := _person_in(session)) is not None}
    people = get_user_model()._default_manager.in_bulk(set(ids.values()))
    return {key: people[id] for key, id in ids.items() if id in people and _still_valid(sessions[key], people[id])}


def _person_in(session: Mapping) -> int | None:
    """The primary key of who logged in, through the one backend that is asked here."""
    if session.get(BACKEND_SESSION_KEY) != BACKEND or BACKEND not in settings.AUTHENTICATION_BACKENDS:
        return None
    try:
        return get_user_model()._meta.pk.to_python(session[SESSION_KEY])
    except (KeyError, ValidationError):
        return None


def _still_valid(session: Mapping, user) -> bool:
    if not load_backend(BACKEND).user_can_authenticate(user):
        return False
    begun_with = session.get(HASH_SESSION_KEY) or ""
    hashes = [user.get_session_auth_hash()]
    if not constant_time_compare(begun_with, hashes[0]):
        hashes = list(user.get_session_auth_fallback_hash())  # of the secret keys before
    return any(constant_time_compare(begun_with, one) for one in hashes)


def who_view_all(people: Iterable) -> set[int]:
    """The primary keys of those staff who may view every Task."""
    staff = [person.pk for person in people if person.is_staff and person.is_active]
    if not staff:
        return set()
    seeing = load_backend(BACKEND).with_perm(VIEW_TASKS).filter(pk__in=staff)
    return set(seeing.values_list("pk", flat=True))


def shared_with(people: Iterable, task_ids: Iterable[int]) -> set[tuple[int, int]]:
    """(person, Task) of those Tasks that their owners share with these people."""
    shared = Member.objects.filter(
        user__in=[person.pk for person in people], task__in={id for id in task_ids if id <= GREATEST_ID}
    )
    return set(shared.values_list("user_id", "task_id"))


def owners_of(task_ids: Iterable[int]) -> dict[int, int | None]:
    """{Task: its owner} of those that exist."""
    return dict(Task.objects.filter(pk__in={id for id in task_ids if id <= GREATEST_ID}).values_list("pk", "owner_id"))
