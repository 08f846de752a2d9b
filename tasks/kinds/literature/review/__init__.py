"""What people say about the values of a paper: verdicts, marks and notes. No value that was read is overwritten."""
