"""A page of the live view in real Chromium, for the browser tests of it."""

from __future__ import annotations

import os
import shutil
from contextlib import asynccontextmanager

from django.conf import settings
from playwright.async_api import Page, async_playwright

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@asynccontextmanager
async def chromium():
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def tab(browser, web, cookie: str, **options):
    """A page of a context of its own, logged in; fails at the end if the page had an error or broke its CSP."""
    context = await browser.new_context(base_url=web.url, **options)
    name, _, value = cookie.partition("=")
    assert name == settings.SESSION_COOKIE_NAME
    await context.add_cookies([{"name": name, "value": value, "url": web.url}])
    page = await context.new_page()
    page.set_default_timeout(30_000)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if "Content Security Policy" in said.text else None)
    try:
        yield page
    finally:
        await context.close()
    assert not wrong, wrong


async def rows(page: Page) -> list[str]:
    """The texts of the log's rows that are in the document, in order."""
    return await page.locator(".live-row .live-text").all_inner_texts()


async def numbers(page: Page) -> list[int]:
    return [
        int(seq) for seq in await page.locator(".live-row").evaluate_all("rows => rows.map(row => row.dataset.seq)")
    ]


async def until_at(page: Page, above_end: int) -> None:
    """Until the log stands so many pixels above its end: a wheel glides there."""
    await page.wait_for_function(
        """(above) => {
            const box = document.querySelector('[data-live=log]');
            return Math.abs(box.scrollHeight - box.clientHeight - box.scrollTop - above) < 2;
        }""",
        arg=above_end,
    )
