"""Data extraction forms (templates, to users): the questions that a researcher asks of every paper of a set."""
