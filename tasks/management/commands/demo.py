"""Shows the whole of Sheaf on this machine: starts everything, has the sample papers read, prints the table, serves."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils.translation import gettext as _

from config.machine import programs
from config.machine.supervisor import Supervisor
from tasks.kinds.literature import outcomes, samples
from tasks.kinds.literature.samples.faulty import PASSWORD
from tasks.management.demo import accounts, terminal, tour
from tasks.management.demo.visitor import Refused, Visitor

HOST = "127.0.0.1"


class Command(BaseCommand):
    help = "Read the sample papers with everything running on this machine, then serve until Ctrl-C."

    def add_arguments(self, parser):
        parser.add_argument("--once", action="store_true", help="end after the table")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--workers", type=int, default=2, help="number of worker processes")

    def handle(self, *, once, port, workers, **options):
        try:
            programs.require_port(HOST, port)
            programs.migrate()
            self._accounts = accounts.ensure(settings.SHEAF_VAR / "demo-accounts.txt")
        except (programs.CannotStart, accounts.AccountsTaken) as error:
            raise CommandError(str(error), returncode=2) from None
        self._once, self._log = once, settings.SHEAF_VAR / "demo.log"
        with open(self._log, "w", encoding="utf-8") as log:

            def echo(name: str, line: str) -> None:
                log.write(f"{name:<9}| {line}\n")
                log.flush()

            house = programs.supervisor(
                [programs.web(HOST, port), *(programs.worker(n) for n in range(1, workers + 1))], echo
            )
            sys.exit(asyncio.run(self._run(house, port)))

    async def _run(self, house: Supervisor, port: int) -> int:
        """The tour beside the running house; 0 if every sample ended as it should."""
        running = asyncio.create_task(house.run())
        try:
            status = await asyncio.to_thread(self._tour, port, lambda: not running.done() and not house.is_stopping)
        except (tour.TourEnded, Refused, OSError) as error:
            why = _("stopped") if house.is_stopping and not house.hopeless else error
            self.stderr.write(_("The demo ended early: %(why)s. See %(log)s.") % {"why": why, "log": self._log})
            status = 1
            self._once = True
        if self._once:
            house.stop()
        ended = await running
        self._say(_("Everything is stopped. What was read stays; “make up” shows it again."))
        return ended or status

    def _tour(self, port: int, goes_on) -> int:
        visitor = Visitor(HOST, port)
        self._say(_("Starting the web process and the workers …"))
        tour.wait_ready(visitor, goes_on)
        visitor.log_in(reverse("login"), "researcher", self._accounts["researcher"])
        with tempfile.TemporaryDirectory(prefix="sheaf-demo-") as folder:
            self._say(_("Typesetting the sample papers …"))
            built = samples.build(Path(folder))
            made = tour.submit(visitor, [sample.path for sample in built], terminal.Progress(sys.stdout))
            tour.watch(visitor, made["url"], terminal.Progress(sys.stdout), goes_on)
            records = visitor.get(reverse("literature:json", args=[made["id"]]))
        self._say("\n" + terminal.table(records, outcomes.OUTCOMES) + "\n")
        surprises = tour.surprises(built, records)
        for surprise in surprises:
            self.stderr.write(_("Not as it should be: %s") % surprise)
        if not self._once:  # afterwards nobody answers at these addresses
            house = f"http://{HOST}:{port}"
            self._say(_("The set:   %(address)s") % {"address": house + made["url"]})
            self._say(_("For staff: %(address)s") % {"address": house + reverse("admin:index")})
        for name, password in self._accounts.items():
            self._say(_("Account:   %(name)s, password %(password)s") % {"name": name, "password": password})
        for sample in built:
            if sample.error_code == "password":
                words = {"file": sample.name, "password": PASSWORD}
                self._say(_("Locked:    %(file)s opens with %(password)s on its page") % words)
        if not self._once:
            self._say(_("Ctrl-C stops everything."))
        return 1 if surprises else 0

    def _say(self, words: str) -> None:
        self.stdout.write(words)
        self.stdout.flush()
