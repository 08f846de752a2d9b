"""What happens to a set from its start to its end: finishing, retries, replaced files, sharing, deletion."""
