"""The results table of a set: its columns, its rows sorted and filtered, and the list of its papers."""
