"""The settings as a whole: zero config is safe, https is one switch, and every knob is registered."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from config import database, env, secret

PROJECT = Path(__file__).resolve().parents[3]


def settings_with(tmp_path, **environment):
    """The settings that a process with this environment gets."""
    program = (
        "import json, pathlib; from config import settings as s;"
        "plain = lambda v: str(v) if isinstance(v, pathlib.Path) else None;"
        "print(json.dumps({n: getattr(s, n) for n in dir(s) if n.isupper()}, default=plain))"
    )
    bare = {"PATH": os.environ["PATH"], "SHEAF_VAR": str(tmp_path), **environment}
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=PROJECT, env=bare, capture_output=True, text=True, timeout=60, check=True
    )
    return json.loads(ended.stdout)


def test_no_configuration_at_all_is_production_on_an_embedded_server(tmp_path):
    settings = settings_with(tmp_path)
    assert settings["DEBUG"] is False
    assert settings["SHEAF_EMBEDDED_POSTGRES"] is True
    assert settings["DATABASES"]["default"]["HOST"] == str(tmp_path / "postgres")
    assert settings["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]


def test_importing_the_settings_starts_no_server(tmp_path):
    settings_with(tmp_path)
    assert not (tmp_path / "postgres").exists()


def test_the_secret_key_is_made_once_and_only_its_owner_may_read_it(tmp_path):
    first, second = settings_with(tmp_path), settings_with(tmp_path)
    assert first["SECRET_KEY"] == second["SECRET_KEY"]
    assert len(first["SECRET_KEY"]) >= 50
    assert (tmp_path / "secret-key").stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [tmp_path / "secret-key"]


def test_the_second_process_to_make_a_secret_takes_the_first_one_s(tmp_path, monkeypatch):
    path = tmp_path / "key"
    real_link = os.link

    def another_was_faster(source, target):
        path.write_text("theirs")
        real_link(source, target)

    monkeypatch.setattr(os, "link", another_was_faster)
    assert secret.kept_in(path) == "theirs"
    assert list(tmp_path.iterdir()) == [path]


def test_https_is_one_switch(tmp_path):
    plain, https = settings_with(tmp_path), settings_with(tmp_path, SHEAF_HTTPS="1")
    for name in ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS"):
        assert not plain[name]
        assert https[name]


def test_a_database_address_keeps_all_it_says(tmp_path):
    url = "postgresql://ann:p%40ss@db.example:5433/papers?sslmode=require&keepalives_idle=60"
    default = settings_with(tmp_path, DATABASE_URL=url)["DATABASES"]["default"]
    assert (default["USER"], default["PASSWORD"], default["HOST"], default["PORT"]) == (
        "ann",
        "p@ss",
        "db.example",
        "5433",
    )
    assert default["NAME"] == "papers"
    assert default["OPTIONS"]["sslmode"] == "require"
    assert default["OPTIONS"]["keepalives_idle"] == "60"
    assert default["OPTIONS"]["tcp_user_timeout"] == 15000


@pytest.mark.parametrize("url", ["postgresql://host", "postgresql://h:port/d", "postgresql://h/d?nonsense=1"])
def test_an_unusable_database_address_is_one_sentence_without_the_address(url):
    with pytest.raises(env.WrongSetting) as error:
        database.entry(url, application_name="x", conn_max_age_s=0, tcp_user_timeout_s=1)
    assert str(error.value).count("\n") == 0
    assert url not in str(error.value)


@pytest.mark.parametrize(
    "entry",
    [
        {"NAME": "a b/c", "USER": "u@v", "PASSWORD": "p:w/d", "HOST": "/run/pg folder", "PORT": ""},
        {"NAME": "d", "USER": "u", "PASSWORD": "", "HOST": "::1", "PORT": "5433"},
    ],
)
def test_a_database_address_survives_the_way_to_another_process(entry):
    again = database.entry(database.url_of(entry), application_name="x", conn_max_age_s=0, tcp_user_timeout_s=1)
    assert {name: again.get(name, "") for name in entry} == entry


def test_every_setting_of_ours_comes_from_a_registered_variable(settings):
    derived = {"SHEAF_EMBEDDED_POSTGRES", "SHEAF_POSTGRES_DIR"}
    ours = {name for name in dir(settings) if name.startswith("SHEAF_")} - derived
    assert ours <= set(env.REGISTRY)
    assert all(variable.purpose for variable in env.REGISTRY.values())


def test_nobody_reads_the_environment_past_the_registry():
    """Settings come through config.env; the exceptions hand something to a child or find the settings module."""
    allowed = {"config/env.py", "config/machine/lifeline.py", "config/machine/supervisor.py", "config/machine/dump.py"}
    found = set()
    for folder in ("config", "tasks", "streaming"):
        for path in (PROJECT / folder).rglob("*.py"):
            code = path.read_text(encoding="utf-8").replace('os.environ.setdefault("DJANGO_SETTINGS_MODULE"', "")
            if re.search(r"os\.environ|os\.getenv", code):
                found.add(path.relative_to(PROJECT).as_posix())
    assert found <= allowed | {"tasks/sandbox/handle.py", "tasks/sandbox/isolate.py", "tasks/sandbox/child.py"}
