"""Pictures of every page, to be looked at: wide and narrow, light and dark, English and Chinese.

    python -m tests.pictures http://127.0.0.1:8000 --user admin --password ... --out var/pictures

Asks a running server as that person (the demo's addresses and accounts will do) and follows links from the start page,
one page of each kind. Says which page is wider than its window, which no test of a single page would notice.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import re
from pathlib import Path

from playwright.async_api import Browser, Page

from tests.browser.watching import chromium

WIDTHS = (1280, 360)
LIGHTS = ("light", "dark")
LANGUAGES = ("en", "zh-Hans")
NOT_PAGES = re.compile(
    r"/(logout|i18n|export|report)[./](?!$)|/(history|delete|password|jsi18n)/"
    r"|\.(csv|json|txt|xlsx|docx|png|pdf|ris|bib|zip)$"
)


def kind_of(path: str) -> str:
    """The name of a page's picture: its address without the numbers that tell one batch or paper from another."""
    return re.sub(r"\d+", "n", path.strip("/")).replace("/", ".") or "start"


async def sign_in(page: Page, user: str, password: str) -> None:
    await page.goto("/login/")
    await page.locator("[name=username]").fill(user)
    await page.locator("[name=password]").fill(password)
    await page.locator("[name=password]").press("Enter")
    await page.wait_for_url(re.compile(r"^(?!.*/login/)"))


async def pages_of(page: Page, start: list[str], most: int) -> list[str]:
    """Paths of pages that links lead to, the first of each kind, at most `most`."""
    found: dict[str, str] = {kind_of(path): path for path in start}
    todo = list(found.values())
    while todo and len(found) < most:
        path = todo.pop(0)
        await page.goto(path)
        for link in await page.locator("a[href]").evaluate_all("links => links.map(link => link.href)"):
            if not link.startswith(page.url.split("/", 3)[0] + "//" + page.url.split("/", 3)[2]):
                continue
            path = "/" + link.split("/", 3)[3].split("?")[0].split("#")[0]
            if NOT_PAGES.search(path) or kind_of(path) in found:
                continue
            found[kind_of(path)] = path
            todo.append(path)
    return list(found.values())


async def draw(browser: Browser, options: argparse.Namespace) -> None:
    context = await browser.new_context(base_url=options.url)
    page = await context.new_page()
    await sign_in(page, options.user, options.password)
    paths = options.pages or await pages_of(page, ["/", "/admin/"], options.most)
    state = await context.storage_state()
    await context.close()
    options.out.mkdir(parents=True, exist_ok=True)
    for width, light, language in itertools.product(options.widths, options.lights, options.languages):
        context = await browser.new_context(
            base_url=options.url,
            storage_state=state,
            color_scheme=light,
            locale=language,
            viewport={"width": width, "height": 800},
        )
        page = await context.new_page()
        for path in paths:
            await page.goto(path, wait_until="load")
            over = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
            name = f"{kind_of(path)}-{width}-{light}-{language}.png"
            await page.screenshot(path=options.out / name, full_page=True)
            print(f"{options.out / name}{f'  WIDER than its window by {over} px' if over > 0 else ''}", flush=True)
        await context.close()


async def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.pictures", description=__doc__.split("\n")[0])
    parser.add_argument("url")
    parser.add_argument("--user", required=True)
    parser.add_argument("--password", required=True)
    parser.add_argument("--out", type=Path, default=Path("var/pictures"))
    parser.add_argument("--pages", nargs="*", help="paths; without it, links are followed from the start page")
    parser.add_argument("--most", type=int, default=60, help="pages at the most")
    parser.add_argument("--widths", nargs="*", type=int, default=WIDTHS)
    parser.add_argument("--lights", nargs="*", choices=LIGHTS, default=LIGHTS)
    parser.add_argument("--languages", nargs="*", choices=LANGUAGES, default=LANGUAGES)
    async with chromium() as browser:
        await draw(browser, parser.parse_args())


if __name__ == "__main__":
    asyncio.run(main())
