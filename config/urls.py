"""Which address belongs to whom."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.views import LoginView, LogoutView
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import include, path

from tasks.kinds.base import modules_of_urls
from tasks.observe.metrics import metrics
from tasks.web import front

handler500 = "config.middleware.database_away.answer"


def favicon(request):
    """Pages name their icon; browsers ask here for what is no page of ours: a text file, JSON, the admin."""
    answer = redirect(static("web/favicon.svg"))
    answer.headers["Cache-Control"] = "public, max-age=86400"
    return answer


urlpatterns = [
    path("", front.door, name="home"),
    path("favicon.ico", favicon),
    path("metrics", metrics),
    path("login/", LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
    path("", include("streaming.urls")),
    path("", include("tasks.web.urls")),
    *[path("", include(module)) for module in modules_of_urls()],
]
