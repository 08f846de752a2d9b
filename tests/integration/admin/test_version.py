"""Which Sheaf is this? Staff read it on their first page."""

from __future__ import annotations

import tomllib

import pytest
from django.conf import settings

from tests.markup import flat

pytestmark = pytest.mark.django_db


def test_the_first_page_shows_the_version_of_pyproject(viewer):
    version = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]["version"]
    assert f'id="sheaf-version">Sheaf {version}<' in flat(viewer.get("/admin/"))
