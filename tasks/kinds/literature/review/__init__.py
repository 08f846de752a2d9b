"""What people say about the values of a paper: confirmed, corrected, reviewed, noted; nothing is overwritten."""
