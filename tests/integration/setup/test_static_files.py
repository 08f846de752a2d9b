"""Static files in both worlds and both modes: from the source folders, and collected under hashed names."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.http import HttpResponse

from config.middleware.static import StaticFiles
from tests.processes import environment

CSS = "/static/admin/css/base.css"
# Read through the finder that found it: the bytes on disk
SOURCE = "admin/css/base.css"


@pytest.fixture
def source() -> bytes:
    from django.contrib.staticfiles import finders

    return Path(finders.find(SOURCE)).read_bytes()


def test_a_file_is_served_to_a_synchronous_server(rf, source):
    response = StaticFiles(lambda request: HttpResponse(status=404))(rf.get(CSS))
    assert b"".join(response.streaming_content) == source


async def test_a_file_is_streamed_to_an_asynchronous_server_whole_and_unblocking(rf, source):
    async def view(request):
        return HttpResponse(status=404)

    response = await StaticFiles(view)(rf.get(CSS))
    assert response.is_async
    assert b"".join([block async for block in response.streaming_content]) == source


async def test_what_is_no_static_file_goes_on_to_the_view(rf):
    async def view(request):
        return HttpResponse("the view")

    assert (await StaticFiles(view)(rf.get("/static/no/such.css"))).content == b"the view"


def test_no_file_outside_the_static_folders_can_be_asked_for(rf):
    def view(request):
        return HttpResponse(status=404)

    for path in ("/static/../manage.py", "/static/%2e%2e/manage.py", "/static//etc/passwd"):
        assert StaticFiles(view)(rf.get(path)).status_code == 404


@pytest.mark.django_db
def test_collected_files_refer_to_each_other_by_hashed_names_only(tmp_path):
    """As an image is built: every reference in our CSS and modules resolves, and none skips the hash."""
    program = (
        "import sys; from django.conf import settings; settings.STATIC_ROOT = sys.argv[1];"
        "import django; django.setup();"
        "from django.core.management import call_command; call_command('collectstatic', interactive=False, verbosity=0)"
    )
    env = environment({"SHEAF_STATIC_COLLECTED": 1})
    ended = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], cwd=settings.BASE_DIR, env=env, capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stderr
    hashed = re.compile(r"\.[0-9a-f]{12}\.(js|css)$")
    modules = [path for path in tmp_path.rglob("*.js") if hashed.search(path.name) and "admin" not in path.parts]
    assert modules
    for module in modules:
        for imported in re.findall(r'^import[^"]*"(\./[^"]+)"', module.read_text(encoding="utf-8"), re.MULTILINE):
            assert hashed.search(imported), f"{module.name} imports {imported}"
            assert (module.parent / imported).exists()
