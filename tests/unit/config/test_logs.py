"""What a process prints: the words of its log with the secrets taken out, in messages, tracebacks and stacks."""

import io
import json
import logging
import logging.config
import subprocess
import sys

import pytest
from django.conf import settings

from config import logs
from tasks.log.masking import MASK

TOKEN = "sk-proj-0123456789abcdefghij"
ADDRESS = "postgresql://sheaf:hunter2hunter2@db/sheaf"


@pytest.fixture
def printed():
    """A logger that prints as the processes do, and what it has printed."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    configured = logs.to_stderr("INFO")["formatters"]["line"]
    handler.setFormatter(logs.MaskingFormatter(configured["fmt"]))
    logger = logging.Logger("config.secret")
    logger.addHandler(handler)
    return logger, stream.getvalue


def test_secrets_in_messages_and_their_arguments_are_masked(printed):
    logger, said = printed
    logger.warning("asking with %s at %s", f"Authorization: Bearer {TOKEN}", ADDRESS)
    assert "Authorization" in said() and "postgresql://sheaf:" in said()
    assert TOKEN not in said() and "hunter2" not in said() and said().count(MASK) == 2


def test_the_name_of_a_logger_hides_no_word_of_its_message(printed):
    logger, said = printed
    logger.info("written anew")
    assert said().endswith(" INFO config.secret: written anew\n")


def test_secrets_in_exceptions_their_causes_and_stacks_are_masked(printed):
    logger, said = printed
    try:
        try:
            raise ValueError(f"api_key={TOKEN}")
        except ValueError as error:
            raise ConnectionError(f"cannot reach {ADDRESS}") from error
    except ConnectionError:
        logger.exception("failed", stack_info=True)
    assert "ConnectionError: cannot reach postgresql://sheaf:" in said() and "Stack (most recent" in said()
    assert TOKEN not in said() and "hunter2" not in said()


def test_a_traceback_that_another_handler_has_written_into_the_record_is_masked_too(printed):
    logger, said = printed
    try:
        raise ValueError(f"token: {TOKEN}")
    except ValueError as error:
        record = logger.makeRecord("x", logging.ERROR, "f", 1, "failed", (), (type(error), error, None))
    logging.Formatter().format(record)
    assert TOKEN in record.exc_text
    logger.handle(record)
    assert TOKEN not in said()


def test_a_process_of_the_project_masks_what_it_prints():
    code = f"import django; django.setup(); import logging; logging.getLogger('x').error('password=%s', '{TOKEN}')"
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=60
    )
    assert f"ERROR x: password={MASK}" in said.stderr and TOKEN not in said.stderr


@pytest.fixture
def structured():
    """A logger that prints objects, and the last of them."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.JsonFormatter("sheaf worker 1", "anna"))
    logger = logging.Logger("tasks.upkeep.sweep")
    logger.addHandler(handler)
    return logger, lambda: json.loads(stream.getvalue().splitlines()[-1])


def test_a_line_as_json_says_who_and_when_and_stays_one_line(structured):
    logger, last = structured
    logger.info("two\nlines “%s”", "论文", extra={"task": 7, "done": True})
    said = last()
    assert said["message"] == "two\nlines “论文”" and (said["task"], said["done"]) == (7, True)
    assert (said["level"], said["logger"], said["process"], said["host"]) == (
        "INFO",
        "tasks.upkeep.sweep",
        "sheaf worker 1",
        "anna",
    )
    assert said["at"].endswith("+00:00") and len(said["at"]) == 29 and isinstance(said["pid"], int)


def test_secrets_are_masked_in_every_field_of_a_json_line(structured):
    logger, last = structured
    try:
        raise ConnectionError(f"cannot reach {ADDRESS}")
    except ConnectionError:
        logger.exception("key %s", TOKEN, stack_info=True, extra={"address": ADDRESS})
    said = last()
    assert "ConnectionError" in said["exception"] and "Stack (most recent" in said["stack"]
    assert TOKEN not in str(said) and "hunter2" not in str(said)


def test_the_form_is_a_setting(settings_of_a_process):
    assert settings_of_a_process(SHEAF_LOG_FORMAT="json") == "{"
    assert settings_of_a_process() == "2"


@pytest.fixture
def settings_of_a_process(tmp_path):
    """The first character that a process with this environment logs."""

    def first(**environment):
        program = (
            "import logging, logging.config; from config import settings as s;"
            "logging.config.dictConfig(s.LOGGING); logging.getLogger('x').error('y')"
        )
        ended = subprocess.run(
            [sys.executable, "-c", program],
            cwd=settings.BASE_DIR,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
            env={"DJANGO_SETTINGS_MODULE": "config.settings", "SHEAF_VAR": str(tmp_path), **environment},
        )
        return ended.stderr[0]

    return first


@pytest.mark.parametrize(("status", "traced"), [(403, False), (404, False), (500, True)])
def test_a_refused_page_is_a_line_and_a_fault_is_a_traceback(printed, status, traced):
    logger, said = printed
    logger.handlers[0].addFilter(logs.RefusalFilter())
    try:
        raise PermissionError("not yours")
    except PermissionError:
        logger.warning("Forbidden: %s", "/sets/7/", exc_info=True, extra={"status_code": status})
    assert "Forbidden: /sets/7/" in said()
    assert ("Traceback" in said()) is traced


def test_processes_use_the_filter():
    assert logs.to_stderr("INFO")["handlers"]["stderr"]["filters"] == ["refusals"]
