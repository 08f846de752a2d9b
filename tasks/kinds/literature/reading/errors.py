"""Why a file gave no record: one exception with a code, made to cross a process border."""


class ExtractionError(Exception):
    """A file that can't become a record.

    `code` is one of damaged, password, no_text, too_large, too_many_pages, not_a_pdf, empty_file.
    `message` is for developers; people read the sentence that belongs to the code. `detail` holds plain numbers and
    strings only. All three are the exception's args, so that it pickles.
    """

    def __init__(self, code: str, message: str, detail: dict | None = None):
        super().__init__(code, message, detail or {})
        self.code = code
        self.message = message
        self.detail = detail or {}

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"
