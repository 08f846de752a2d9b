"""What pages of every Kind share, as a Django app: templates, stylesheet, icons, template tags."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "tasks.web"
    label = "web"
