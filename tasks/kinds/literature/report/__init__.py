"""The report at the end of a set, and the estimate before its start. A Django app of its own: one row a set.

``numbers`` counts when the last paper has ended (the set's closing step); ``content`` puts the counts into words and
tables once, for the page, ``workbook`` (XLSX) and ``document`` (DOCX); ``chart`` draws. ``estimate`` says beforehand
what a set will take.
"""
