"""What daphne serves as the peer of the stream bench: the shortest consumer that channels_redis can have."""

import os

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

hosts = [os.environ["BENCH_REDIS"]]
settings.configure(
    CHANNEL_LAYERS={"default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": hosts}}}
)


class Lines(AsyncWebsocketConsumer):
    groups = ["bench"]

    async def line(self, event):
        await self.send(text_data=event["text"])


application = Lines.as_asgi()
