"""Makefile, Dockerfile, compose.yaml and .ci/run: they parse, and name only what exists."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands

from config import env

PROJECT = Path(__file__).resolve().parents[3]


def text(name: str) -> str:
    return (PROJECT / name).read_text(encoding="utf-8")


@pytest.fixture
def compose():
    return yaml.safe_load(text("compose.yaml"))


@pytest.mark.parametrize("name", ["Makefile", "Dockerfile", "compose.yaml", ".ci/run"])
def test_every_management_command_that_is_named_exists(name):
    named = set(re.findall(r"manage\.py[\"', ]+([a-z_]+)", text(name)))
    assert named <= set(get_commands()), named - set(get_commands())


def test_compose_sets_only_variables_that_the_settings_read(compose):
    for service in ("web", "worker", "migrate"):
        assert set(compose["services"][service]["environment"]) <= set(env.REGISTRY)


def test_compose_runs_two_workers_and_one_web_after_the_migrations(compose):
    services = compose["services"]
    assert services["worker"]["deploy"]["replicas"] == 2
    for name in ("web", "worker"):
        assert services[name]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"


def test_compose_has_no_password_of_its_own_and_grants_more_time_than_a_worker_takes(compose):
    assert compose["services"]["postgres"]["environment"]["POSTGRES_PASSWORD"].startswith("${POSTGRES_PASSWORD:?")
    worker = compose["services"]["worker"]
    assert int(worker["stop_grace_period"].rstrip("s")) > int(worker["environment"]["SHEAF_STOP_S"])


def test_the_image_runs_as_nobody_special_and_brings_no_secret():
    dockerfile = text("Dockerfile")
    assert re.search(r"^USER (?!root)", dockerfile, re.MULTILINE)
    assert "ENV SECRET_KEY" not in dockerfile
    assert {"var", ".git", ".venv"} <= set(text(".dockerignore").split())


def test_every_requirement_is_pinned():
    for name in ("requirements.txt", "requirements-s3.txt", "requirements-test.txt", "requirements-lint.txt"):
        for line in text(name).splitlines():
            if line and not line.startswith(("#", "-r")):
                assert re.fullmatch(r"[\w.-]+(\[[\w,]+\])?==[\w.]+", line), f"{name}: {line}"


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed here")
def test_the_words_of_make_are_listed_and_valid():
    listed = subprocess.run(["make", "help"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    words = re.findall(r"^  make (\w+)", listed, re.MULTILINE)
    assert {"install", "demo", "up", "test", "bench", "lint", "clean"} <= set(words)
    for word in words:
        subprocess.run(["make", "-n", word], cwd=PROJECT, capture_output=True, check=True)


def test_the_script_of_ci_stops_at_the_first_failure():
    assert "set -euo pipefail" in text(".ci/run")
    assert (PROJECT / ".ci/run").stat().st_mode & 0o111
    subprocess.run(["bash", "-n", ".ci/run"], cwd=PROJECT, check=True)
