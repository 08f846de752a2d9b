"""``manage.py worker``: one worker process."""

import asyncio
import sys

from django.core.management.base import BaseCommand, CommandError

from config import schema
from tasks.worker import process


class Command(BaseCommand):
    help = "Run one worker process: it takes children from the queues until it is told to stop."
    #: Pages, templates and addresses are the web's to check: importing them all doubles the time of a start.
    requires_system_checks = ["tasks"]

    def add_arguments(self, parser):
        parser.add_argument("--queues", help="Only these queues, separated by commas; all by default.")
        parser.add_argument("--concurrency", type=int, help="Lanes at once; by default the sum of the queues' limits.")

    def handle(self, *, queues, concurrency, **options):
        if due := schema.lacking():
            raise CommandError(
                f"The database is behind this version ({len(due)} migrations, the first is {due[0]}): "
                "run `manage.py migrate`, then start the worker again."
            )
        try:
            served = process.served_queues([name.strip() for name in queues.split(",")] if queues else None)
        except ValueError as error:
            raise CommandError(str(error)) from None
        if concurrency is not None and concurrency < 1:
            raise CommandError(f"--concurrency is {concurrency}: it must be 1 or more.")
        places = concurrency or process.default_concurrency(served)
        process.close_connection()
        status = asyncio.run(process.run(served, places))
        if status:
            sys.exit(status)
