"""What may happen to a set after its start: a better file for a paper, a duplicate read all the same, its end."""
