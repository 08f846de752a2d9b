"""What happens when the last paper of a set has ended: one pass over what was read serves the pairs and the report.

Called once for each generation by the closing step, and again if that broke off; the second time changes nothing.
"""

from __future__ import annotations

from tasks.kinds.literature import outcomes, record
from tasks.kinds.literature.fields import IDENTIFYING
from tasks.kinds.literature.models import Report
from tasks.kinds.literature.pairing import finding
from tasks.kinds.literature.report import numbers


def finish(task) -> None:
    """Find the pairs, count what the papers hold, and write the set's numbers down."""
    tally = numbers.Tally()
    read = []
    for paper, found in record.each_read(task):
        tally.add(found)
        read.append((paper, {name: found.get(name) for name in IDENTIFYING}))
    finding.look(task, read)
    # Pairs first: a reference that was joined to its paper counts as joined.
    Report.objects.update_or_create(task=task, defaults={"generation": task.generation, **outcomes.numbers(task)})
    numbers.write_down(task, tally)
