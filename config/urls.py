"""Which address belongs to whom."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import include, path

from config import health
from streaming import health as live_view
from tasks.metrics import metrics

health.register("live_view", live_view.probe, fatal=False)

urlpatterns = [
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", metrics),
    path("login/", LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
    path("", include("streaming.urls")),
    path("", include("tasks.kinds.literature.urls")),
]
