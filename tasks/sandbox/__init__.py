"""Runs code on untrusted files in child processes that can be killed."""
