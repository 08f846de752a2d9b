"""Writes the JSON Schema of the exported records, after a change of ``fields``."""

from __future__ import annotations

import json

from django.core.management.base import BaseCommand

from tasks.kinds.literature.exports import schema


class Command(BaseCommand):
    help = "Write the JSON Schema of the exported records, made from the registry of fields."
    requires_system_checks = ()

    def handle(self, *args, **options):
        schema.PATH.write_text(json.dumps(schema.document(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        self.stdout.write(f"Wrote {schema.PATH.name}.")
