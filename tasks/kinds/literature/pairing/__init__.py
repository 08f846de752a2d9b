"""Items of a set that are one work: found by rule, joined or kept apart by people, always reversible."""
