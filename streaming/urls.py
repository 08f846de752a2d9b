"""Addresses of the live view's HTTP doors; the websocket's is in ``routing``."""

from django.urls import path

app_name = "live"
urlpatterns = []
