"""Which address belongs to whom."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import include, path

from tasks.metrics import metrics

urlpatterns = [
    path("metrics", metrics),
    path("login/", LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
    path("", include("streaming.urls")),
    path("", include("tasks.kinds.literature.urls")),
]
