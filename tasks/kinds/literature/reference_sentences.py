"""What a person reads about a reference list or an archive: what was mended, what to look at, what could not be read.

Places beside those of ``Problem.detail``: {line} and {text} of the problem.
"""

from django.utils.translation import gettext_lazy as _

REPAIRED = {
    "byte_order_mark": _("The file begins with a byte order mark, which was taken off."),
    "encoding": _("The file is not in UTF-8; it was read as {encoding}. Look whether names and titles are right."),
    "mixed_encodings": _("Some lines are in another encoding than the rest; each was read in its own."),
    "line_ends": _("The lines end as on old Macs; they were split there."),
    "control_characters": _("Control characters that were taken out: {count}."),
    "text_outside": _("Text that belongs to no record was passed over."),
    "odd_tags": _("Lines whose tags have other spaces than the format asks for: {count}. They were read all the same."),
    "odd_lines": _(
        "Lines that begin neither with a tag nor with an indent: {count}. They were added to the value above."
    ),
    "missing_end": _("The end of this record is missing; it was taken to end where the next begins."),
    "missing_start": _("The first line of this record is missing; it was read all the same."),
    "stray_end": _("The end of a record stands where no record is open; it was passed over."),
    "doi_with_address": _("DOIs that are written as addresses: {count}. The DOI was taken out of them."),
    "year_from_date": _("Years that are written as dates: {count}. The year was taken out of them."),
    "missing_comma": _("A comma is missing before this field; it was read as a field of its own."),
    "missing_key": _("The entry has no key; it was read all the same."),
    "unclosed_value": _("The value is never closed; it was taken to end with its line."),
    "unclosed_entry": _("The entry is never closed; it was taken to end before the next."),
    "duplicate_field": _("The entry has this field twice; the first was taken."),
    "unreadable_field": _("This is no field; it was passed over."),
    "stray_quotes": _(
        "Rows with quotes that are not doubled or not closed: {count}. They were cut where they must have been meant."
    ),
    "row_short": _("Rows with fewer columns than the heads: {count}. The missing ones are empty."),
    "columns_by_content": _(
        "Columns whose heads are not known were told by what they hold: {columns}. Look whether they are right."
    ),
    "label_row": _("Rows of one cell between the others, taken for labels and not for records: {count}."),
    "merged_cells": _("Merged ranges: {ranges}. What they say was taken for each of their cells ({cells} filled)."),
    "xml_damaged": _("The XML is damaged; it was read as far as it goes."),
}

WARNED = {
    "undecodable": _(
        "Characters that can't be read in any encoding: {count}. They show as a question mark in a diamond."
    ),
    "untitled": _("The record has no title."),
    "year_unreadable": _("The year can't be read: “{text}”. It stays empty."),
    "doi_unreadable": _("This is no DOI: “{text}”. It was left out."),
    "pmid_unreadable": _("This is no PubMed number: “{text}”. It was left out."),
    "duplicate_key": _("Another entry has the same key, in line {first}. Both were taken."),
    "crossref_missing": _("The entry refers to one that is not in the file: “{text}”."),
    "cut_short": _("The end of the file is missing; there may have been more records."),
    "no_heads": _("The table has no heads that are known. Columns were told by their content: {columns}."),
    "no_title_column": _(
        "Which column holds the titles? None of these was known: {heads}. Name it “Title” and give the table again."
    ),
    "retracted": _("The list or the title says that the paper has a notice: {notice}. Decide whether it may be used."),
    "gene_as_date": _(
        "Cells of the column “{column}” that may be gene names turned into dates: {count}, such as “{text}”."
    ),
    "far_cell": _("Cells beyond column {limit} that were left out: {count}."),
    "formula_without_value": _("Cells with a formula without its value: {count}. The formula is shown as text."),
    "too_many_cells": _("The workbook has more than {limit} cells; what comes after was not read. Split it."),
    "too_many_records": _("The list has more than {limit} records; {left} more were not read. Split it."),
    "listed_twice": _("Identifiers that stand in the list twice: {count}. Each was taken once."),
    "count_differs": _("The file announces {counted} records and {accounted} could be accounted for. Look at its end."),
    "no_records": _("No record is in the file."),
}

UNREADABLE = {
    "nothing_identifies": _("The record has neither title nor DOI, PubMed number or abstract, so it names no paper."),
    "empty_record": _("The record is empty."),
    "row_too_wide": _(
        "The row has {columns} columns where the heads have {expected}. Put cells with the delimiter in quotes."
    ),
    "over_the_limit": _("More than {limit} records. Split the list, and give the rest in another file."),
    "json_damaged": _("The JSON is damaged here, and the record can't be read. Export the list again."),
    "xml_record_lost": _("The XML is damaged here, and the record can't be reached. Export the list again."),
}

REFUSED = {
    "list_too_large": _("The list is larger than {limit_mib} MiB. Split it."),
    "not_a_list": _("This is no reference list ({found})."),
    "xml_entities": _(
        "The XML declares entities of its own, which may be an attack. Export it again without a document type."
    ),
    "workbook_damaged": _("The workbook is damaged and can't be opened. Save it again as .xlsx, or as CSV."),
    "workbook_too_large": _(
        "The workbook unfolds to more than is allowed. Save the sheet with the references alone, or as CSV."
    ),
    "office_password": _("The file opens with a password only. Save a copy without the password and give that."),
    "old_workbook": _("A workbook in the format of before 2007 (.xls). Save it as .xlsx or as CSV and give that."),
    "old_document": _("A document in the format of before 2007 (.doc). Save it as .docx or PDF and give that."),
    "old_office": _("An office file in a format of before 2007. Save it in a newer one and give that."),
    "not_a_paper": _("This is no paper that can be read ({found}). Save it as PDF and give that."),
}

ARCHIVE = {
    "archive_damaged": _("The archive is damaged and can't be opened. Pack it again as .zip."),
    "archive_too_many": _("The archive holds more than {limit} files. Split it."),
    "archive_too_large": _("The archive unfolds to more than {limit_mib} MiB; the rest was left out. Split it."),
    "archive_too_deep": _(
        "An archive within an archive within an archive is not opened. Unpack it and give what is inside."
    ),
    "archive_overlap": _(
        "The archive is built so that its files share their bytes, as attacks do. Pack it again as .zip."
    ),
    "member_outside": _("Its path leads out of the archive ({path}). Pack it again with plain folders."),
    "member_link": _("It is a link and no file. Pack the file itself."),
    "member_password": _("It is locked with a password. Unpack it with the password and give the files."),
    "member_method": _("It is packed with a method that is not supported ({method}). Pack it again as plain .zip."),
    "member_too_large": _("Unpacked it has more than {limit_mib} MiB, the most allowed."),
    "member_bomb": _(
        "It unfolds to more than {ratio} times its size, as attacks do. Give it unpacked if it is genuine."
    ),
    "member_damaged": _("It is damaged in the archive. Pack it again."),
}

MATCH = {
    "same_doi": _("Both have the same DOI."),
    "same_pmid": _("Both have the same PubMed number."),
    "same_pmcid": _("Both have the same number in PubMed Central."),
    "same_title_year": _("Title, year and first author are the same."),
    "same_again": _("It fits another paper as well, and better."),
    "same_number_other_title": _(
        "The number is the same, but the titles have nothing in common. One of the numbers may be wrong."
    ),
    "doi_version": _("The DOIs are two versions of one work."),
    "preprint": _("One looks like the preprint of the other."),
    "other_doi": _("The titles are the same, but the DOIs differ."),
    "other_pmid": _("The titles are the same, but the PubMed numbers differ."),
    "same_title_no_year": _("The titles are the same, but a year is missing."),
    "same_title_other_year": _("The titles are the same, but the years differ."),
    "same_title_other_author": _("The titles are the same, but the first authors differ."),
    "same_short_title": _("Short titles, years and first authors are the same."),
    "similar_title": _("The titles differ in a few letters only."),
    "title_goes_on": _("One title goes on where the other ends."),
}

SENTENCES = REPAIRED | WARNED | UNREADABLE | REFUSED | ARCHIVE | MATCH
