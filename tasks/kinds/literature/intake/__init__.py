"""How papers, lists and archives enter a set."""
