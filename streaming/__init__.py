"""How change in the database reaches a browser: listens and reads, never writes.

    Task row ──trigger──▶ NOTIFY ──▶ listener ──▶ hub ──▶ subscription ──▶ websocket | event stream | long poll
                                                   │
                                                   └── reader: one query for all that changed

The wire contract is in ``messages``.
"""
