"""Addresses of the live view's HTTP doors; the websocket's is in ``routing``."""

from django.urls import path

from streaming.log import log_json, log_search, log_txt
from streaming.sse import events

app_name = "live"
urlpatterns = [
    path("tasks/<int:task_id>/events", events, name="events"),
    path("tasks/<int:task_id>/log.json", log_json, name="log"),
    path("tasks/<int:task_id>/log/search", log_search, name="search"),
    path("tasks/<int:task_id>/log.txt", log_txt, name="text"),
]
