"""Reads files or folders through the real engine and writes one record for each file given, in order.

Status: 0 all succeeded; 3 some did not (their records are written all the same); 2 wrong usage; 130 cancelled by Ctrl-C
(what had been read until then is written too).
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections import Counter
from pathlib import Path

from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from config.machine import programs
from tasks import fanout, sentences
from tasks.errors import Refused
from tasks.kinds.literature import outcomes
from tasks.kinds.literature.exports import csv as csv_export
from tasks.kinds.literature.exports import json as json_export
from tasks.kinds.literature.intake import given
from tasks.kinds.literature.kind import Literature
from tasks.kinds.literature.models import Intake
from tasks.management.demo.terminal import Progress, table
from tasks.models import Task
from tasks.observe.waiting import listeners

OK, WRONG_USAGE, SOME_FAILED, INTERRUPTED = 0, 2, 3, 130
OWNER = "cli"  # the account that owns these sets; nobody can log in as it
LOOK_S = 0.25


class Command(BaseCommand):
    help = "Read papers and reference lists (files, archives, folders) and write a record of each as JSON or CSV."

    def add_arguments(self, parser):
        parser.add_argument(
            "paths", nargs="+", metavar="PATH", type=Path, help="a paper, a reference list, an archive, or a folder"
        )
        parser.add_argument("--json", metavar="FILE", type=Path, help="write the records as a JSON list")
        parser.add_argument("--csv", metavar="FILE", type=Path, help="write the records as a table")

    def handle(self, *, paths, json, csv, **options):
        try:
            files = given.find(paths)
            for path in filter(None, (json, csv)):
                _require_writable(path)
        except given.NothingToRead as error:
            raise CommandError(str(error), returncode=WRONG_USAGE) from None
        except OSError as error:
            words = _("%(file)s can't be written: %(why)s.") % {"file": error.filename, "why": error.strerror}
            raise CommandError(words, returncode=WRONG_USAGE) from None
        programs.migrate()
        self._progress = Progress(sys.stderr)
        owner = get_user_model().objects.get_or_create(username=OWNER, defaults={"password": "!"})[0]
        title = ", ".join(path.name or str(path) for path in paths)[:300]
        try:
            task = fanout.create(Literature.name, owner, title)
        except Refused as refused:
            raise CommandError(sentences.sentence(refused.code, refused.data), returncode=WRONG_USAGE) from None
        try:
            papers = given.take_in(task, files, lambda n: self._progress.show(n, len(files), _("taking in")))
        except KeyboardInterrupt:
            fanout.cancel(task, owner)
            self._progress.end()
            raise CommandError(_("Cancelled before the start: nothing was read."), returncode=INTERRUPTED) from None
        self._progress.end()
        interrupted = False
        if task.papers.filter(state=Intake.ACCEPTED).exists():
            task.refresh_from_db()
            fanout.start(task, owner)
            interrupted = asyncio.run(self._follow(task.pk, owner))
        status = self._tell(task, files, papers, json, csv)
        sys.exit(INTERRUPTED if interrupted else status)

    def _tell(self, task: Task, files, papers, json: Path | None, csv: Path | None) -> int:
        """Write what was asked for, else print the table; OK or SOME_FAILED."""
        if json:
            with open(json, "w", encoding="utf-8") as file:
                file.writelines(json_export.pieces(given.each_record(task, files, papers)))
        if csv:
            with open(csv, "w", encoding="utf-8", newline="") as file:
                file.writelines(csv_export.lines(given.each_record(task, files, papers)))
        if not json and not csv:
            self.stdout.write(table(given.each_record(task, files, papers), {}))
        self._tell_ends(list(given.each_end(task, files, papers)))
        read = (record["status"] in ("succeeded", "listed") for record in given.each_record(task, files, papers))
        return OK if all(read) else SOME_FAILED

    def _tell_ends(self, ends: list[tuple[str, str, str]]) -> None:
        """Say what became of everything: the counts, and each that can't be read with its reason."""
        for path, outcome, why in ends:
            if outcome in ("failed", "refused", "duplicate"):
                self.stderr.write(f"{outcomes.OUTCOMES[outcome]}: {path}: {why}")
        counts = Counter(outcome for _path, outcome, _why in ends)
        said = [f"{counts[name]} {word}" for name, word in outcomes.OUTCOMES.items() if counts[name]]
        self.stderr.write(_("%(n)d given: %(counts)s.") % {"n": len(ends), "counts": sentences.comma().join(said)})

    async def _follow(self, task_id: int, owner) -> bool:
        """Watch the batch to its end, with a worker of our own while no other lives; True if Ctrl-C cancelled it."""
        interrupt = asyncio.Event()
        house = running = None
        said: list[str] = []
        try:
            while True:
                task = await Task.objects.aget(pk=task_id)
                self._show(task, interrupt.is_set())
                if task.is_terminal:
                    return interrupt.is_set()
                if running is None and not await self._somebody_works():
                    house = programs.supervisor([programs.worker(1)], lambda _name, line: said.append(line))
                    running = asyncio.create_task(house.run())
                    await asyncio.sleep(0)  # it takes the signals first; then they are ours
                for number in (signal.SIGINT, signal.SIGTERM):
                    asyncio.get_running_loop().add_signal_handler(number, interrupt.set)
                if running is not None and running.done():
                    raise CommandError("\n".join([_("The worker could not be kept running:"), *said[-10:]]))
                if interrupt.is_set() and await sync_to_async(fanout.cancel)(task, owner):
                    self._progress.end()
                    self.stderr.write(_("Cancelling: nothing new begins, what was read is written."))
                await asyncio.sleep(LOOK_S)
        finally:
            self._progress.end()
            if house is not None:
                house.stop()
                await running

    async def _somebody_works(self) -> bool:
        return all([await sync_to_async(listeners)(stage.queue) for stage in Literature.stages])

    def _show(self, task: Task, cancelled: bool) -> None:
        doing = _("cancelling") if cancelled else _("reading")
        words = _("%(doing)s: %(done)d of %(all)d, %(failed)d failed") % {
            "doing": doing,
            "done": task.settled,
            "all": max(task.total, task.expected or 0),
            "failed": task.failed,
        }
        self._progress.show(task.settled, max(task.total, task.expected or 0, 1), words)


def _require_writable(path: Path) -> None:
    """Raise OSError now rather than after all the reading."""
    with open(path, "a", encoding="utf-8"):
        pass
