"""Waits between attempts double, up to a most, and half of each is left to chance."""

import pytest
from django.test import override_settings

from tasks.worker.attempts import MAX_BACKOFF_S, backoff_s


@pytest.mark.parametrize("attempt", [1, 2, 3, 4, 20])
def test_the_wait_doubles_with_jitter_up_to_the_most(attempt):
    with override_settings(SHEAF_BACKOFF_S=2):
        whole = min(MAX_BACKOFF_S, 2 * 2 ** (attempt - 1))
        waits = {backoff_s(attempt) for _ in range(50)}
    assert len(waits) > 1
    assert whole / 2 <= min(waits) <= max(waits) <= whole
