"""The addresses of literature sets: pages for people, and the same doors with JSON for programs."""

from __future__ import annotations

from django.urls import path

from tasks.kinds.literature.web import life, papers, report, results, review, sets, sharing, tell, templates, upload
from tasks.kinds.literature.web.access import part_of_set

app_name = "literature"
urlpatterns = [
    path("sets/", sets.set_list, name="list"),
    path("sets/new/", sets.new_set, name="new"),
    path("templates/", templates.template_list, name="templates"),
    path("templates/new/", templates.new_template, name="new_template"),
    path("templates/<int:template_id>/", templates.template_page, name="template"),
    path("templates/<int:template_id>/retire/", templates.retire, name="retire_template"),
    path("sets/<int:set_id>/template/", templates.use, name="use_template"),
    path("sets/<int:set_id>/try/", templates.try_on, name="try"),
    path("sets/<int:set_id>/", sets.set_page, name="set"),
    path("sets/<int:set_id>/status/", part_of_set(sets.status), name="status"),
    path("sets/<int:set_id>/upload/", upload.upload_page, name="upload"),
    path("sets/<int:set_id>/have/", upload.have, name="have"),
    path("sets/<int:set_id>/files/", upload.files, name="files"),
    path("sets/<int:set_id>/files/<int:paper_id>/remove/", upload.remove, name="remove"),
    path("sets/<int:set_id>/paste/", upload.paste, name="paste"),
    path("sets/<int:set_id>/receipt.csv", upload.receipt_file, name="receipt"),
    path("sets/<int:set_id>/sources/<int:source_id>/remove/", upload.remove_source, name="remove_source"),
    path("sets/<int:set_id>/sources/<int:source_id>/file/", upload.source_file, name="source_file"),
    path("sets/<int:set_id>/start/", sets.start, name="start"),
    path("sets/<int:set_id>/pause/", sets.pause, name="pause"),
    path("sets/<int:set_id>/resume/", sets.resume, name="resume"),
    path("sets/<int:set_id>/cancel/", sets.cancel, name="cancel"),
    path("sets/<int:set_id>/retry/", sets.retry, name="retry"),
    path("sets/<int:set_id>/read-the-rest/", sets.read_the_rest, name="read_the_rest"),
    path("sets/<int:set_id>/finalize-again/", sets.finalize_again, name="finalize_again"),
    path("sets/<int:set_id>/discard/", sets.discard, name="discard"),
    path("sets/<int:set_id>/delete/", life.delete, name="delete"),
    path("sets/<int:set_id>/share/", sharing.share_page, name="share"),
    path("sets/<int:set_id>/leave/", sharing.leave, name="leave"),
    path("sets/<int:set_id>/papers/<int:paper_id>/replace/", life.replace, name="replace"),
    path(
        "sets/<int:set_id>/papers/<int:paper_id>/read-all-the-same/", life.read_all_the_same, name="read_all_the_same"
    ),
    path("sets/<int:set_id>/papers/", part_of_set(papers.paper_list), name="papers"),
    path("sets/<int:set_id>/papers/<int:paper_id>/", papers.paper_page, name="paper"),
    path("sets/<int:set_id>/papers/<int:paper_id>/pages/<int:number>.png", papers.page_picture, name="picture"),
    path("sets/<int:set_id>/papers/<int:paper_id>/verdict/", review.judge, name="judge"),
    path("sets/<int:set_id>/papers/<int:paper_id>/reviewed/", review.mark, name="mark"),
    path("sets/<int:set_id>/papers/<int:paper_id>/note/", review.note, name="note"),
    path("sets/<int:set_id>/papers/<int:paper_id>/password/", review.unlock, name="unlock"),
    path("sets/<int:set_id>/pairs/<int:pair_id>/", review.decide, name="decide"),
    path("sets/<int:set_id>/columns/", review.choose_columns, name="columns"),
    path("sets/<int:set_id>/file/<int:paper_id>.pdf", papers.paper_file, name="file"),
    path("sets/<int:set_id>/table/", part_of_set(results.table), name="table"),
    path("sets/<int:set_id>/report/", report.report_page, name="report"),
    path("sets/<int:set_id>/report.xlsx", report.report_xlsx, name="report_xlsx"),
    path("sets/<int:set_id>/report.docx", report.report_docx, name="report_docx"),
    path("sets/<int:set_id>/estimate/", report.estimate_of, name="estimate"),
    path("sets/<int:set_id>/tell/", tell.tell_page, name="tell"),
    path("sets/<int:set_id>/export.csv", results.export_csv, name="csv"),
    path("sets/<int:set_id>/export.json", results.export_json, name="json"),
    path("sets/<int:set_id>/export.xlsx", results.export_xlsx, name="xlsx"),
    path("sets/<int:set_id>/export.ris", results.export_ris, name="ris"),
    path("sets/<int:set_id>/export.bib", results.export_bibtex, name="bibtex"),
    path("sets/<int:set_id>/export.md.zip", results.export_markdown, name="markdown"),
]
