"""The demo's accounts: the same at every run, and nobody else's account is touched."""

from __future__ import annotations

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User

from tasks.management.demo import accounts

pytestmark = pytest.mark.django_db


def test_the_first_run_makes_both_accounts_and_only_the_owner_may_read_their_passwords(tmp_path):
    kept = tmp_path / "accounts.txt"
    passwords = accounts.ensure(kept)
    assert kept.stat().st_mode & 0o777 == 0o600
    assert authenticate(username="admin", password=passwords["admin"]).is_superuser
    assert not authenticate(username="researcher", password=passwords["researcher"]).is_staff


def test_a_second_run_gives_the_same_passwords(tmp_path):
    kept = tmp_path / "accounts.txt"
    assert accounts.ensure(kept) == accounts.ensure(kept)
    assert User.objects.count() == 2


def test_a_new_database_gets_the_accounts_of_the_file(tmp_path):
    kept = tmp_path / "accounts.txt"
    passwords = accounts.ensure(kept)
    User.objects.all().delete()
    assert accounts.ensure(kept) == passwords
    assert authenticate(username="researcher", password=passwords["researcher"])


def test_somebody_s_own_admin_is_left_alone(tmp_path):
    User.objects.create_user("admin", password="their own")
    with pytest.raises(accounts.AccountsTaken, match="admin"):
        accounts.ensure(tmp_path / "accounts.txt")
    assert authenticate(username="admin", password="their own")
    assert not User.objects.filter(username="researcher").exists()
