"""Says when a transaction stays open for too long, whoever's it is.

PostgreSQL keeps every dead version of a row for as long as a transaction is open that might still look at it. Tables
that change as fast as ours then grow, and taking the next child slows down from milliseconds to seconds, so an open
transaction of an hour (a forgotten console, a program that waits for the network) is worth a person's look.
"""

from __future__ import annotations

import logging

from django.conf import settings
from django.db import connection

from tasks.models import Finding

logger = logging.getLogger(__name__)

# Of other roles' sessions the server tells the times only to members of pg_read_all_stats: the others are left out.
_OPEN = """
SELECT pid, COALESCE(NULLIF(application_name, ''), usename::text, '?'), COALESCE(usename::text, '?'),
       COALESCE(state, '?'), xact_start, EXTRACT(EPOCH FROM clock_timestamp() - xact_start)::float8 AS seconds
  FROM pg_stat_activity
 WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
   AND xact_start < clock_timestamp() - make_interval(secs => %(seconds)s)
UNION ALL
SELECT 0, gid, owner::text, 'prepared', prepared, EXTRACT(EPOCH FROM clock_timestamp() - prepared)::float8
  FROM pg_prepared_xacts
 WHERE database = current_database() AND prepared < clock_timestamp() - make_interval(secs => %(seconds)s)
 ORDER BY 5 LIMIT 100
"""


def open_for(seconds: float) -> list[tuple]:
    """Transactions of this database that are older, the oldest first:
    (process number, program, user, state, since, seconds)."""
    with connection.cursor() as cursor:
        cursor.execute(_OPEN, {"seconds": seconds})
        return cursor.fetchall()


def oldest_s() -> float:
    """Age of the oldest open transaction of others, in seconds; 0 when there is none."""
    rows = open_for(0)
    return rows[0][-1] if rows else 0.0


def report_old_transactions() -> int:
    """A rule of the sweep: a Finding for each transaction that is too old, once a transaction."""
    if not settings.SHEAF_OLD_TRANSACTION_S:
        return 0
    reported = 0
    for pid, program, user, state, since, seconds in open_for(settings.SHEAF_OLD_TRANSACTION_S):
        which = {"pid": pid, "since": since.isoformat()}
        if Finding.objects.filter(code="old_transaction", data__contains=which).exists():
            continue
        said = {"program": program[:100], "user": user, "state": state, "minutes": max(1, round(seconds / 60))}
        Finding.objects.create(code="old_transaction", data=which | said)
        logger.warning("A transaction of %s (%s, process %s) is open since %s", program, user, pid, since)
        reported += 1
    return reported
