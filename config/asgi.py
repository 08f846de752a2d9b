"""The way in for `daphne config.asgi:application`: pages over HTTP, live views over websockets."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.core.asgi import get_asgi_application

pages = get_asgi_application()  # before anything that imports models

from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings

from config import database
from config.machine import embedded_postgres, lifeline
from config.middleware import health
from streaming import health as live_view
from streaming.routing import websocket_urlpatterns
from tasks.kinds.base import registered

lifeline.hold(settings.SHEAF_STOP_S)
embedded_postgres.use()
database.require_usable(settings.DATABASES["default"], may_be_away=True)
registered()  # a live view says every Kind's sentences from its first page on; a wrong SHEAF_KINDS stops the start
health.register("live_view", live_view.probe, fatal=False)

application = ProtocolTypeRouter(
    {
        "http": pages,
        # origin, session and permission are checked by the consumer itself (streaming.access): it asks again while
        # the socket lives, and at the start thousands may come at once
        "websocket": URLRouter(websocket_urlpatterns),
    }
)
