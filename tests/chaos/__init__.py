"""Breaks everything on purpose while batches run, then counts: ``python -m tests.chaos --minutes 2 --json``."""
