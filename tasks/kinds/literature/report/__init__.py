"""The report at the end of a set and the estimate before its start. A Django app of its own, with one row a set.

``numbers`` counts when the last paper has ended; ``judged`` adds what people said since. ``content`` turns the counts
into words and tables, which the page, ``xlsx_file`` and ``docx_file`` show; ``chart`` draws. ``estimate`` says before
the start what a set will take.
"""
