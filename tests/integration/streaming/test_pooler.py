"""PgBouncer in transaction mode between a web process and PostgreSQL: found out, said, and the view polls."""

import json
import os
import pwd
import shutil
import tempfile
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async
from django.db import connection

from tests.integration.streaming.watching import Watcher, person, running_task, session_of, until, write
from tests.processes import Process, Web, free_port, wait_until

#: Debian puts it where only root looks.
PGBOUNCER = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not PGBOUNCER, reason="PgBouncer is not installed"),
]


@pytest.fixture
def pooler(transactional_db):
    """The address of the test's database behind a PgBouncer that runs as the owner of the server's socket.

    (Anybody but root may run one in front of a server that is reached over TCP.)
    """
    settings = connection.settings_dict
    port = free_port()
    by_socket = settings["HOST"].startswith("/")
    owner = pwd.getpwuid(os.stat(settings["HOST"]).st_uid).pw_name if by_socket else "nobody"
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        os.chmod(folder, 0o755)
        ini = Path(folder) / "pgbouncer.ini"
        ini.write_text(
            f"[databases]\n{settings['NAME']} = host={settings['HOST']} port={settings['PORT'] or 5432}"
            f" user={settings['USER']}\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
            "pool_mode = transaction\nmax_client_conn = 200\ndefault_pool_size = 5\n"
        )
        as_user = ("-u", owner) if os.getuid() == 0 else ()
        with Process(PGBOUNCER, *as_user, str(ini), name="pgbouncer") as process:
            wait_until(lambda: "listening on" in process.output, 10, processes=[process])
            yield f"postgresql://{settings['USER']}@127.0.0.1:{port}/{settings['NAME']}"


async def test_behind_a_transaction_pooler_the_view_polls_and_health_says_so(pooler):
    owner = await sync_to_async(person)()
    task = await sync_to_async(running_task)(owner)
    cookie = await sync_to_async(session_of)(owner)
    web = Web(env={"DATABASE_URL": pooler, "SHEAF_LIVE_POLL_S": 0.6})
    await sync_to_async(web.__enter__)()
    try:
        async with Watcher(web.port, task.id, cookie) as watcher:
            await watcher.until(lambda w: w.of("task"))

            async def polls():
                status, body = await sync_to_async(web.get)("/readyz")
                return status == 200 and json.loads(body)["degraded"] == {"live_view": "polling"}

            await until(polls)
            for n in range(1, 6):
                await sync_to_async(write)(task.id, f"line {n}")
                await watcher.until(lambda w, n=n: w.seqs == list(range(1, n + 1)))
        assert "polling instead" in web.output
    finally:
        await sync_to_async(web.__exit__)()
