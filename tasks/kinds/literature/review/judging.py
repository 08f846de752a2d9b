"""What a reviewer may do: confirm, correct, withdraw, mark as reviewed, note.

Two reviewers never overwrite each other silently. A verdict names the one that its author saw; if a newer one exists,
it is refused and both are shown.
"""

from __future__ import annotations

from django.db import IntegrityError, transaction

from tasks.errors import Refused
from tasks.kinds.literature import outcomes, record
from tasks.kinds.literature.models import Note, Paper, Review, Verdict
from tasks.kinds.literature.review import effect
from tasks.kinds.literature.review.models import Act
from tasks.kinds.literature.review.typing import typed


class Overtaken(Refused):
    """Somebody else judged this value meanwhile. ``verdict`` is theirs; None if they withdrew it."""

    def __init__(self, verdict: Verdict | None):
        who = verdict.by.get_username() if verdict and verdict.by else "?"
        super().__init__("review_overtaken", who=who)
        self.verdict = verdict


@transaction.atomic
def judge(paper: Paper, name: str, nth: int, act: str, text: str, by, *, seen: int, question=None) -> Verdict:
    """Give a verdict on the ``nth`` value of ``name``. ``text`` is the corrected value as typed, "" if there is none.

    ``seen``: id of the verdict that the reviewer's page showed, 0 for none; ``question``: of the set's form, where it
    asks for this field. Raises Overtaken, and Refused: not_read (nothing to judge yet), nothing_there (no value to
    confirm, no verdict to withdraw), and those of ``typing.typed``.
    """
    Paper.objects.select_for_update(no_key=True).get(pk=paper.pk)
    current = Verdict.objects.filter(paper=paper, name=name, nth=nth, current=True).select_related("by").first()
    if (current.pk if current else 0) != seen:
        raise Overtaken(current)
    if paper.outcome not in outcomes.WITH_VALUES:
        raise Refused("not_read")
    act = Act(act)
    machine = effect.machine_value(record.machine(paper), name, nth)
    value = typed(name, text, machine, question) if act == Act.CORRECTED else machine
    if act == Act.CONFIRMED and value in (None, "", []):
        raise Refused("nothing_there")
    if act == Act.WITHDRAWN and (current is None or current.act == Act.WITHDRAWN):
        raise Refused("nothing_there")
    if current:
        Verdict.objects.filter(pk=current.pk).update(current=False)
    return Verdict.objects.create(paper=paper, name=name, nth=nth, act=act, value=value, machine_value=machine, by=by)


def mark(paper: Paper, reviewed: bool, by) -> bool:
    """Mark a paper as reviewed, or remove the mark; False if nothing changed."""
    if not reviewed:
        return bool(Review.objects.filter(paper=paper).delete()[0])
    try:
        with transaction.atomic():
            Review.objects.create(paper=paper, by=by)
    except IntegrityError:
        return False  # another reviewer was faster; the mark keeps their name
    return True


def note(paper: Paper, text: str, by) -> Note:
    """Add a remark. Raises Refused("note_empty")."""
    text = text.replace("\x00", "").strip()[:4000]
    if not text:
        raise Refused("note_empty")
    return Note.objects.create(paper=paper, text=text, by=by)


def unnote(paper: Paper, note_id: int, by) -> bool:
    """Delete one of one's own remarks; False if there is none of that id."""
    return bool(Note.objects.filter(paper=paper, pk=note_id, by=by).delete()[0])
