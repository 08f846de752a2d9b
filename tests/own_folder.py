"""Gives the tests a folder of their own, and with it a server. Loaded with `-p` (pyproject.toml), since a conftest
comes after pytest-django has read the settings.

Sessions side by side (`pytest --numprocesses 2`) have one each: what a test of the one breaks on purpose breaks nothing
of the other's.
"""

import os

_ALL = os.environ.setdefault("SHEAF_VAR", f"/var/tmp/sheaf-tests-{os.getuid()}")
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ["SHEAF_VAR"] = f"{_ALL}-{os.environ['PYTEST_XDIST_WORKER']}"
