"""Writes a PDF without its password; runs in a child process that may be killed, so there is no Django here."""

from __future__ import annotations

_REMOVE_SECURITY = 3  # FPDF_REMOVE_SECURITY of fpdf_save.h


def write_open_copy(path: str, into: str, password: str) -> bool:
    """Write the PDF at ``path`` without its password to ``into``; False if the password is wrong."""
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(path, password=password)
    except pypdfium2.PdfiumError:
        return False
    try:
        with open(into, "wb") as out:
            pdf.save(out, flags=_REMOVE_SECURITY)
    finally:
        pdf.close()
    return True
