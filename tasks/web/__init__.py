"""The plain page that every batch has without its Kind doing anything: live view, children, verbs for its owner.

A Kind with a page of its own (``Kind.url``) is led there instead.
"""
