"""Which items of a set are one work: found by rule, joined or kept apart by people, always undoable."""
