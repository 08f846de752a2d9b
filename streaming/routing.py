"""Which websocket belongs to whom."""

from django.urls import path

from streaming.consumers import task_socket

websocket_urlpatterns = [path("ws/tasks/<int:task_id>/", task_socket)]
