"""How many children a lane takes at a time: one, unless they are so short that fetching them takes longer than running.

A lane runs what it holds one after the other, so its queue's limit holds whatever the number. What is held is at
most ``BATCH_S`` of work by the pace seen so far: a batch that turns out slower hands the rest back.
"""

MOST = 16
BATCH_S = 0.02


class Pace:
    """Seconds that a child of each queue takes, quick to rise and slow to fall."""

    def __init__(self):
        self._seconds: dict[str, float] = {}

    def note(self, queue: str, seconds: float) -> None:
        known = self._seconds.get(queue, seconds)
        self._seconds[queue] = max(seconds, 0.8 * known + 0.2 * seconds)

    def seconds(self, queue: str) -> float | None:
        return self._seconds.get(queue)

    def batch(self, queue: str) -> int:
        seconds = self._seconds.get(queue)
        return 1 if seconds is None else max(1, min(MOST, int(BATCH_S / max(seconds, 1e-6))))
