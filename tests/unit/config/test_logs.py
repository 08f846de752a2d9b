"""What a process prints: the words of its log with the secrets taken out, in messages, tracebacks and stacks."""

import io
import logging
import logging.config
import subprocess
import sys

import pytest
from django.conf import settings

from config import logs
from tasks.masking import MASK

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
