"""Papers given by path: finding them in folders, taking them in, and the record of each in the order of giving."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tasks.kinds.literature import flow, intake, records, sniff
from tasks.kinds.literature.models import Intake, Paper


class NothingToRead(Exception):
    """A path that is not there, or a folder without a paper; its text is for people."""


@dataclass(frozen=True)
class Given:
    """One file: where it is, and the folder it is listed under in the set."""

    path: Path
    folder: str = ""


def find(paths: Iterable[Path]) -> list[Given]:
    """The files behind ``paths`` in order. A file is taken as it is; of a folder, at any depth and sorted by name,
    what is a PDF by its content and what calls itself one. Raises NothingToRead.
    """
    found = []
    for path in paths:
        if path.is_dir():
            inside = [one for one in sorted(_files(path)) if one.suffix.lower() == ".pdf" or _is_pdf(one)]
            if not inside:
                raise NothingToRead(f"No PDF in the folder {path}.")
            top = path.resolve().parent
            found += [Given(one, one.resolve().parent.relative_to(top).as_posix()) for one in inside]
        elif path.is_file():
            found.append(Given(path))
        else:
            raise NothingToRead(f"There is no file or folder {path}.")
    return found


def _files(folder: Path) -> Iterator[Path]:
    for parent, _folders, names in os.walk(folder):  # follows no link to another folder, so it ends
        yield from (Path(parent, name) for name in names if Path(parent, name).is_file())


def _is_pdf(path: Path) -> bool:
    try:
        with open(path, "rb") as file:
            return sniff.is_pdf(file.read(sniff.HEAD))
    except OSError as error:
        raise NothingToRead(f"{path} can't be read: {error.strerror}.") from None


def take_in(task, files: list[Given], tell: Callable[[int], None]) -> list[int]:
    """Give the files to a draft set; the ids of their Papers, in order. ``tell(n)`` is called after each."""
    papers = []
    for number, given in enumerate(files, 1):
        with open(given.path, "rb") as file:
            papers.append(intake.receive(task.pk, file, filename=given.path.name, folder=given.folder).pk)
        tell(number)
    return papers


def each_record(task, files: list[Given], papers: list[int]) -> Iterator[dict]:
    """A record for every file given, in order, under the path it was given by.

    ``status`` is "succeeded", "failed" or "cancelled": what the door refused has failed, and a duplicate has the
    record of the paper it is the same as.
    """
    rows = flow.papers_of(task).select_related("subtask")
    for given, paper_id in zip(files, papers, strict=True):
        paper: Paper = rows.get(pk=paper_id)
        if paper.state == Intake.DUPLICATE:
            paper = rows.get(pk=paper.duplicate_of_id)
        record = records.record(paper)
        status = "failed" if paper.state == Intake.REFUSED else record["status"]
        yield {**record, "file": str(given.path), "status": status}
