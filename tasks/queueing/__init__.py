"""Who may take which child, and when: queues, their limits, and the one transaction of a round trip."""
