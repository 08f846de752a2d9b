"""What is looked after all the time: what a crash left behind, counters that differ, rows that are old."""
