"""A bare procrastinate worker, the peer of the ``fanout`` bench: ``python -m tests.bench.bare PLACES``."""

import asyncio
import sys

import django


async def work(places: int) -> None:
    from procrastinate import App, PsycopgConnector
    from procrastinate.contrib.django.utils import connector_params

    app = App(connector=PsycopgConnector(kwargs=connector_params("default"), min_size=4, max_size=8))

    @app.task(name="bare.nothing")
    async def nothing(n):
        pass

    async with app.open_async():
        await app.run_worker_async(queues=["bare"], concurrency=places)


def main(arguments):
    raise SystemExit("bare is the peer of fanout, not a bench")


if __name__ == "__main__":
    django.setup()
    asyncio.run(work(int(sys.argv[1])))
