"""The test database itself: real PostgreSQL 18, migrations' rows in every test, no jobs left over."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection


@pytest.mark.django_db
def test_the_tests_run_on_postgresql_18_that_keeps_what_it_commits():
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version_num')::int, current_setting('fsync')")
        version, fsync = cursor.fetchone()
    assert version >= 140000
    assert fsync == "on"


seen_keys: set[int] = set()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("run", [1, 2])
def test_a_transactional_test_finds_the_migrations_rows_and_nobody_elses(run):
    from procrastinate.contrib.django.models import ProcrastinateJob

    # The very rows, not new ones of the same kind, which Django makes after each flush
    seen_keys.add(Permission.objects.order_by("pk").values_list("pk", flat=True)[0])
    assert len(seen_keys) == 1
    assert not User.objects.exists()
    assert not ProcrastinateJob.objects.exists()
    User.objects.create_user("left over")
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO procrastinate_jobs (task_name, queue_name) VALUES ('t', 'q')")
