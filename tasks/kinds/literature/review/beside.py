"""What a reference list says of a paper, compared with what the paper says."""

from __future__ import annotations

from tasks.kinds.literature.fields import same


def differences(record: dict) -> list[dict]:
    """[{name, paper, listed, differs}] for each value of the list; [] when the paper came in no list."""
    listed = record.get("listed")
    if not listed:
        return []
    return [
        {"name": name, "paper": record.get(name), "listed": said, "differs": not same(name, record.get(name), said)}
        for name, said in listed.items()
        if said not in (None, "", [])
    ]
