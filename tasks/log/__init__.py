"""The live log of a batch: lines, what is hidden in them, and their colours."""
