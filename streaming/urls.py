"""Addresses of the live view's HTTP doors; the websocket's is in ``routing``."""

from django.urls import path

from streaming.board_doors import board, board_events, board_json
from streaming.log import log_json, log_search, log_txt
from streaming.sse import events

app_name = "live"
urlpatterns = [
    path("live/board/", board, name="board"),
    path("live/board/events", board_events, name="board_events"),
    path("live/board/now.json", board_json, name="board_json"),
    path("tasks/<int:task_id>/events", events, name="events"),
    path("tasks/<int:task_id>/log.json", log_json, name="log"),
    path("tasks/<int:task_id>/log/search", log_search, name="search"),
    path("tasks/<int:task_id>/log.txt", log_txt, name="text"),
]
