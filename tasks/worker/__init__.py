"""A worker process: its places, the desk they share, and what keeps it honest about being alive."""
