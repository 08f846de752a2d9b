"""Bytes that a batch needs: kept once under their hash, wherever they are kept; told apart and unpacked safely.

    store         the content-addressed store      unused        forgets what no row refers to
    storage       in PostgreSQL, in chunks         folder_storage, s3_storage: in a shared folder, in a bucket
    sniff         what a file is, by its bytes     unpacking     zip archives from strangers

Knows no Kind. A Kind says in its AppConfig which of its rows hold an address (``unused.refers``).
"""
