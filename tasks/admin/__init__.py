"""What staff see and do, one file a model.

Nothing here moves a state: an action parses, calls one verb of ``tasks.fanout``, says what came of it and writes
who did it. Every list is bounded whatever the size of its table (``reach``): a page about two million children
must cost what a page about two hundred does.
"""

from tasks.admin import batch, child, finding, jobs, log, queue, worker

__all__ = ["batch", "child", "finding", "jobs", "log", "queue", "worker"]
