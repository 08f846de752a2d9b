"""A database that is away is told from a fault of ours. The real outage: test_health."""

from __future__ import annotations

import json

import psycopg
import pytest
from django.db import DataError, InterfaceError, OperationalError
from django.test import RequestFactory

from config.middleware import database_away


def operational(cause: Exception | None = None) -> OperationalError:
    error = OperationalError("no")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    "error",
    [
        InterfaceError("the connection is closed"),
        operational(psycopg.OperationalError("connection refused")),
        operational(psycopg.errors.AdminShutdown()),
        operational(psycopg.errors.CannotConnectNow()),
        operational(psycopg.errors.TooManyConnections()),
    ],
)
def test_a_connection_that_failed_is_the_database_away(error):
    assert database_away.is_away(error)


@pytest.mark.parametrize(
    "error",
    [
        None,
        ValueError(),
        DataError(),
        operational(psycopg.errors.DiskFull()),
        operational(psycopg.errors.DeadlockDetected()),
        operational(psycopg.errors.QueryCanceled()),
    ],
)
def test_what_was_asked_over_a_good_connection_is_a_fault(error):
    assert not database_away.is_away(error)


def answer(error: Exception, accept: str):
    try:
        raise error
    except type(error):
        return database_away.answer(RequestFactory().get("/sets/", headers={"accept": accept}))


def test_people_and_scripts_are_told_in_their_words():
    page = answer(InterfaceError(), "text/html,*/*")
    assert page.status_code == 503
    assert page.headers["Retry-After"] == "5"
    assert "no-store" in page.headers["Cache-Control"]
    assert "Nothing is lost" in page.text
    assert json.loads(answer(InterfaceError(), "application/json").content)["code"] == "database_away"
    fault = answer(ValueError(), "text/html")
    assert fault.status_code == 500
    assert "Something went wrong" in fault.text
