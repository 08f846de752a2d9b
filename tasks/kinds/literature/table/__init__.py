"""The table of results: sorted, filtered, with the columns that a person chose."""
