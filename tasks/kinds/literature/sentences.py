"""What a person reads about a paper: why it was not accepted, why it failed, what is being done with it."""

from django.utils.translation import gettext_lazy as _

from tasks.kinds.literature import reference_sentences
from tasks.kinds.literature.fields import FIELDS
from tasks.kinds.literature.lifecycle.sentences import SENTENCES as LIFE
from tasks.kinds.literature.review.sentences import SENTENCES as REVIEW

#: {field: its label} in the reader's language.
FIELD_WORDS = {field.name: _(field.label) for field in FIELDS}
SENTENCES = {
    # at the door
    "same_file": _("The same file as number {number}, {file}. It is read once."),
    "not_a_pdf": _("This is not a PDF ({found}), whatever its name says. Save the paper as PDF and give it again."),
    "not_a_format": _(
        "Neither a paper nor a list of references ({found}). Papers may be PDF, DOCX, HTML, JATS or TEI; lists RIS, "
        "BibTeX, PubMed, EndNote, Web of Science, CSV or XLSX; all of them also in a zip."
    ),
    "archive_empty": _("The archive holds no file. Make it again, and look into it before you give it."),
    "record_too_long": _("The record has more than {limit} characters. Look for a missing end of a record or a quote."),
    "nothing_pasted": _("Nothing was pasted. Put DOIs or PubMed numbers in the box, one a line."),
    "empty_file": _("The file is empty (0 bytes). Download it again."),
    "too_large": _("The file has {mib} MiB; {limit_mib} MiB are allowed. Make it smaller, or ask staff for more."),
    "set_full": _("The set has {limit} files already, the most allowed. Start it, and put the rest in another set."),
    "set_too_large": _("The files of the set reach {limit_gib} GiB, the most allowed. Put the rest in another set."),
    "no_file": _("No file came with the request. Choose one and try again."),
    "set_empty": _("There is nothing to start yet: add at least one paper that is accepted."),
    "no_title": _("Give the set a title, so that you find it again."),
    "set_turn": _("Other sets are being read just now; this one takes its turn in a moment."),
    # why a paper failed
    "damaged": _("The file is damaged and can't be opened. Download it again, and replace this one on its page."),
    "password": _(
        "The file opens with a password only. Its page takes the password, once; or replace it by a copy without."
    ),
    "no_text": _(
        "The pages are pictures without text (a scan). Run text recognition on it, then replace it on its page."
    ),
    "too_many_pages": _(
        "It has {pages} pages; {limit} are allowed. Cut the paper out of the volume, and replace the file by it."
    ),
    "file_gone": _("The stored file is missing. Give it again on the paper's page, and tell staff."),
    # a storage across the network
    "storage_down": _(
        "The storage of the papers can't be reached just now ({detail}). Nothing is lost. Try again in a minute; if it "
        "stays so, tell staff."
    ),
    "storage_denied": _(
        "The storage of the papers refuses this installation ({detail}). Nothing is lost. Staff have to look at its "
        "keys and rights."
    ),
    "storage_missing": _(
        "The storage of the papers is not there ({detail}). Nothing is lost. Staff have to look at its settings."
    ),
    # what people say about values
    "review_overtaken": _("{who} has judged this value meanwhile. Look at theirs, then decide again."),
    "not_read": _("This paper has no values to judge: it was not read."),
    "nothing_there": _("There is no value here to confirm, or no verdict to take back."),
    "bad_number": _("“{text}” is no whole number. Type digits only."),
    "bad_doi": _("“{text}” holds no DOI, or more than one. A DOI begins with 10."),
    "bad_pmid": _("“{text}” is no PubMed number."),
    "bad_value": _("That is longer than a value may be ({longest} characters)."),
    "note_empty": _("The note is empty."),
    # a password, given once
    "wrong_password": _("This is not the paper's password. Mind capitals, and try again."),
    "not_locked": _("This paper does not wait for a password."),
    "cant_unlock": _(
        "No copy without the password could be made. Make one in a PDF program, and replace the file by it."
    ),
    "unlocked_twice": _("Without its password it is the same file as {file}, which is in the set already."),
    "unlocked": _("The paper is open now. Retry it, and it is read."),
    # templates
    "template_name": _("Give the template a name."),
    "template_empty": _("A template needs at least one field with a name."),
    "template_long": _("A template may have {limit} fields."),
    "template_overtaken": _("Version {number} was made meanwhile. Look at it, then change it again."),
    "source_gone": _("This was taken off the list while it was being opened. Give it again if you want it."),
    "template_gone": _("This template is not offered to you any more. Choose another one."),
    "field_twice": _("The field “{field}” is there twice, or two fields have the same source."),
    "field_type": _("The field “{field}” has a type that is not known."),
    "field_choices": _("The field “{field}” needs at least two choices, separated by semicolons."),
    "field_source": _("The field “{field}” has a source that is not known."),
    # lines of the log
    "paper_started": _("Reading begins ({kib} KiB)."),
    "paper_read": _("Pages read: {pages}. References found: {references}."),
    "paper_title": _("“{title}”"),
    "paper_lacks": _("Not found in the paper: {fields}."),
    "paper_unmapped_characters": _(
        "Some characters have no meaning in this file's fonts, often Greek letters and signs. Words and values may "
        "lack them: compare with the picture of the page."
    ),
    "paper_scanned_pages": _("Some pages are pictures without text. What stands on them was not read."),
    "paper_page_unreadable": _("Some pages could not be read. The others were."),
    "paper_ambiguous": _("More than one candidate for {fields}; left empty for you to decide."),
}
SENTENCES |= reference_sentences.SENTENCES | REVIEW | LIFE
