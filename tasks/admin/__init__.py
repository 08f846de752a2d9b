"""What staff see and do, one file a model.

Nothing here changes a state by itself: an action parses, calls one verb of ``tasks.fanout``, says what came of it and
writes down who did it. Every list is bounded whatever the size of its table (``reach``): a page about two million
children costs what a page about two hundred does.
"""
