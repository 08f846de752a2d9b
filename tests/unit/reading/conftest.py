"""The press as a fixture."""

from __future__ import annotations

import pytest

from tasks.kinds.literature.reading import extract_file
from tests.unit.reading.press import Press


@pytest.fixture
def press(tmp_path):
    """An empty press; `.save()` gives the path."""
    return Press(tmp_path / "paper.pdf")


@pytest.fixture
def read():
    """The record of what a press printed."""
    return lambda press: extract_file(press.save())
