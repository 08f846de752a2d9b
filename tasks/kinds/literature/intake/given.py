"""Papers given by path: finding them in folders, taking them in, and the record of each in the order of giving."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

from tasks.files import unpacking
from tasks.kinds.literature import outcomes
from tasks.kinds.literature.intake import entry
from tasks.kinds.literature.intake.receipt import within
from tasks.kinds.literature.models import Intake, Paper, Source
from tasks.kinds.literature.record import effective


class NothingToRead(Exception):
    """A path that is not there, or a folder without a paper; its text is for people."""


@dataclass(frozen=True)
class Given:
    """One file: where it is, and the folder it is listed under in the set."""

    path: Path
    folder: str = ""


def find(paths: Iterable[Path]) -> list[Given]:
    """The files behind ``paths`` in order. A file is taken as it is; a folder as the upload page takes one: every file
    in it, at any depth and sorted by name, but what systems leave and what is hidden. Raises NothingToRead.
    """
    found = []
    for path in paths:
        if path.is_dir():
            inside = sorted(_files(path))
            if not inside:
                raise NothingToRead(_("No file to read in the folder %(folder)s.") % {"folder": path})
            top = path.resolve().parent
            found += [Given(one, one.resolve().parent.relative_to(top).as_posix()) for one in inside]
        elif path.is_file():
            found.append(Given(path))
        else:
            raise NothingToRead(_("There is no file or folder %(path)s.") % {"path": path})
    return found


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):  # follows no link to another folder, so it ends
        folders[:] = [name for name in folders if not unpacking.is_left_by_a_system(name)]
        for name in names:
            if not unpacking.is_left_by_a_system(name) and Path(parent, name).is_file():
                yield Path(parent, name)


def take_in(task, files: list[Given], tell: Callable[[int], None]) -> list[list[int]]:
    """Give the files to a draft set; for each the ids of its Papers, in order: one, or those of an archive or a list.

    ``tell(n)`` is called after each file.
    """
    papers = []
    for number, given in enumerate(files, 1):
        with open(given.path, "rb") as file:
            taken = entry.receive(task.pk, file, filename=given.path.name, folder=given.folder)
        inside = within(taken).order_by("position") if isinstance(taken, Source) else None
        papers.append([taken.pk] if inside is None else list(inside.values_list("pk", flat=True)))
        tell(number)
    return papers


def each_record(task, files: list[Given], papers: list[list[int]]) -> Iterator[dict]:
    """A record for every file given, in order, under the path it was given by; for each paper of an archive or a list
    under that path and its own.

    ``status`` is "succeeded", "failed", "cancelled" or "listed": what the door refused has failed, a duplicate has the
    record of the paper it is the same as, and a reference that was joined to a paper that paper's.
    """
    rows = outcomes.items_of(task)
    for path, paper in _each(rows, files, papers):
        while other := paper.duplicate_of_id or paper.merged_into_id:
            paper = rows.get(pk=other)
        record = effective(paper)
        status = "failed" if paper.state == Intake.REFUSED else record["status"]
        yield {**record, "file": path, "status": status}


def each_end(task, files: list[Given], papers: list[list[int]]) -> Iterator[tuple[str, str, str]]:
    """(path, outcome of outcomes.OUTCOMES, why) of every file given, in order: a duplicate is called one here."""
    rows = outcomes.items_of(task).select_related("duplicate_of")
    for path, paper in _each(rows, files, papers):
        yield path, paper.outcome, outcomes.error_of(paper)[1]


def _each(rows, files: list[Given], papers: list[list[int]]) -> Iterator[tuple[str, Paper]]:
    """(the path it was given by, its paper), those of archives and lists under that path and their own."""
    for given, inside in zip(files, papers, strict=True):
        for paper_id in inside:
            paper: Paper = rows.get(pk=paper_id)
            path = str(given.path)
            if paper.source_id:
                own = paper.path.removeprefix(f"{given.folder}/" if given.folder else "")
                path = str(given.path.parent / own)
            yield path, paper
