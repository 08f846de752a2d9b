"""Addresses of the pages that every batch has; those of its live view are the live view's own."""

from django.urls import path

from tasks.web import batch, front

app_name = "batch"
urlpatterns = [
    path("tasks/", front.batches, name="list"),
    path("tasks/<int:task_id>/", batch.page, name="page"),
    path("tasks/<int:task_id>/head/", batch.head, name="head"),
    path("tasks/<int:task_id>/children/", batch.children, name="children"),
    path("tasks/<int:task_id>/do/<slug:name>/", batch.do, name="do"),
]
