"""What daphne serves as the peer of the idle_sockets bench: a websocket that does nothing at all."""

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

settings.configure()
application = AsyncWebsocketConsumer.as_asgi()
