"""The live view as a Django app. It starts nothing: the listener begins with the first watcher."""

from django.apps import AppConfig


class StreamingConfig(AppConfig):
    name = "streaming"
