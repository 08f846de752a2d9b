"""Which websocket belongs to whom."""

from django.urls import path

from streaming.consumers import board_socket, task_socket

websocket_urlpatterns = [path("ws/tasks/<int:task_id>/", task_socket), path("ws/board/", board_socket)]
