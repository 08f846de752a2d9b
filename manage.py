#!/usr/bin/env python
"""Runs one command of the project, with the embedded PostgreSQL up if that is the database."""

from __future__ import annotations

import os
import sys

# Commands that must run where no database can: while an image is built, in a linter, or to repair the server itself.
WITHOUT_DATABASE = {
    "help",
    "version",
    "--help",
    "-h",
    "--version",
    "check",
    "collectstatic",
    "compilemessages",
    "makemessages",
    "diffsettings",
    "findstatic",
    "startapp",
    "embedded_postgres",
}


def main(arguments: list[str]) -> None:
    """Run `arguments` as Django would, after the database's server has been started or joined."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    command = arguments[1] if len(arguments) > 1 else "help"
    asks_database = command not in WITHOUT_DATABASE or any(word.startswith("--database") for word in arguments)
    if asks_database and not {"--help", "-h"} & set(arguments):
        from django.conf import settings

        from config import database
        from config.machine import embedded_postgres, lifeline

        lifeline.hold(settings.SHEAF_STOP_S + 5)
        embedded_postgres.use()
        if command != "check":  # that one reports it among the rest
            try:
                database.require_usable(settings.DATABASES["default"])
            except database.DatabaseNotUsable as refusal:
                print(refusal, file=sys.stderr)
                sys.exit(2)  # as for a wrong port: it could not even begin
    execute_from_command_line(arguments)


if __name__ == "__main__":
    main(sys.argv)
