"""Static files: their names (a hash of the content, once collected) and their way out, by WhiteNoise.

WhiteNoise's own middleware is synchronous: under ASGI it would send every request through a thread and hand Django a
synchronous body to drain. This one looks the path up in place and streams the file asynchronously.
"""

from __future__ import annotations

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Names with a hash of the content, also in what ES modules import: old and new versions never mix."""

    support_js_module_import_aggregation = True


class StaticFiles(WhiteNoiseMiddleware):
    """WhiteNoise for both worlds, chosen by what `get_response` is."""

    async_capable = True

    def __init__(self, get_response):
        super().__init__(get_response)
        self._async = iscoroutinefunction(get_response)
        if self._async:
            markcoroutinefunction(self)

    def __call__(self, request):
        return self._serve_async(request) if self._async else super().__call__(request)

    async def _serve_async(self, request):
        path = request.path_info
        # Outside the loop only where looking up means asking the disk
        file = await sync_to_async(self.find_file)(path) if self.autorefresh else self.files.get(path)
        if file is None:
            return await self.get_response(request)
        response = await sync_to_async(self.serve, thread_sensitive=False)(file, request)
        response.block_size = 65536  # read in a thread each: few and large
        response.streaming_content = _in_chunks(response.streaming_content)
        return response


async def _in_chunks(blocks):
    """A synchronous iterator of blocks as an asynchronous one, each block read in a thread."""
    iterator = iter(blocks)
    following = sync_to_async(lambda: next(iterator, None), thread_sensitive=False)
    while (block := await following()) is not None:
        yield block
