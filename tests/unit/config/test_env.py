"""Settings from the environment: a wrong value is one sentence, never a traceback."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from config import env

PROJECT = Path(__file__).resolve().parents[3]


@pytest.fixture
def given(monkeypatch):
    """Set what the environment says; declarations of these tests stay out of the real registry."""
    monkeypatch.setattr(env, "REGISTRY", {})

    def give(**values):
        monkeypatch.setattr(env, "environ", values)

    return give


def test_an_unset_variable_has_its_default_and_is_registered(given):
    given()
    assert env.integer("N", 7, "how many", low=1, high=9) == 7
    assert env.REGISTRY["N"].default == "7"
    assert env.REGISTRY["N"].purpose == "how many"


def test_an_empty_variable_means_the_default(given):
    given(N="", B="  ")
    assert env.integer("N", 7, "", low=1, high=9) == 7
    assert env.boolean("B", True, "") is True


@pytest.mark.parametrize("value", ["0", "10", "many", "1.5", ""])
def test_a_whole_number_outside_its_bounds_is_refused_in_one_sentence(given, value):
    given(N=value or "x")
    with pytest.raises(env.WrongSetting) as error:
        env.integer("N", 7, "", low=1, high=9)
    assert str(error.value) == f"N is {value or 'x'!r}: it must be a whole number from 1 to 9."


@pytest.mark.parametrize("value", ["nan", "inf", "-1", "soon"])
def test_seconds_refuse_what_is_no_length_of_time(given, value):
    given(T=value)
    with pytest.raises(env.WrongSetting, match="T is .*: it must be seconds from 0 to 60"):
        env.seconds("T", 1, "", high=60)


def test_seconds_may_be_fractions(given):
    given(T="0.25")
    assert math.isclose(env.seconds("T", 1, ""), 0.25)


@pytest.mark.parametrize(("value", "means"), [("1", True), ("Yes", True), ("off", False), ("FALSE", False)])
def test_yes_and_no_have_their_usual_names(given, value, means):
    given(B=value)
    assert env.boolean("B", not means, "") is means


def test_a_word_outside_the_choices_is_refused_and_the_choices_are_named(given):
    given(L="LOUD")
    with pytest.raises(env.WrongSetting, match="one of DEBUG, INFO"):
        env.text("L", "INFO", "", choices=("DEBUG", "INFO"))


def test_a_list_drops_blanks_and_is_never_the_shared_default(given):
    given(H="a, b,,")
    assert env.words("H", ["x"], "") == ["a", "b"]
    given()
    default = ["x"]
    assert env.words("H", default, "") is not default


@pytest.mark.parametrize("value", ["mysql://host/name", "host", "https://"])
def test_an_address_of_another_kind_is_refused_and_a_secret_is_not_shown(given, value):
    given(U=value)
    with pytest.raises(env.WrongSetting) as error:
        env.url("U", "", "", schemes=("postgresql",), secret=True)
    assert value not in str(error.value)
    assert "postgresql://" in str(error.value)


def test_the_same_variable_can_t_mean_two_things(given):
    given()
    env.boolean("B", True, "one")
    with pytest.raises(AssertionError, match="declared twice"):
        env.boolean("B", False, "two")


def start(tmp_path, *command, **environment):
    """Run a command of the project with a bare environment."""
    bare = {"PATH": os.environ["PATH"], "SHEAF_VAR": str(tmp_path), **environment}
    return subprocess.run([sys.executable, *command], cwd=PROJECT, env=bare, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    "command", [("manage.py", "migrate"), ("-m", "daphne", "-p", "1", "config.asgi:application")], ids=["manage", "web"]
)
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("SHEAF_STOP_S", "a while", "SHEAF_STOP_S is 'a while': it must be seconds from 0.1 to 600."),
        ("SHEAF_VAR", "/proc/no", "SHEAF_VAR is '/proc/no': it must be a folder that this user may write"),
        ("DATABASE_URL", "mysql://u:pw-not-shown@h/d", "DATABASE_URL is set, but not to a usable value"),
    ],
)
def test_a_wrong_value_stops_the_start_with_one_sentence(tmp_path, command, name, value, said):
    ended = start(tmp_path, *command, **{name: value})
    assert ended.returncode == 1
    assert ended.stderr.startswith(said)
    assert ended.stderr.strip().count("\n") == 0
    assert "pw-not-shown" not in ended.stderr + ended.stdout
