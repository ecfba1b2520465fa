"""What a real browser does with pages that were made beforehand.

The browser has a thread of its own, and asks neither the network nor the database: every request
is answered from the pages at hand, with their headers, or from the static files.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.contrib.staticfiles import finders
from django.http import HttpResponse
from playwright.sync_api import Page, Route, sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS

SITE = "http://site.test"
MADE_OF_TEXT = """() => [...document.querySelectorAll("*")].filter((element) =>
  ["IFRAME", "OBJECT", "EMBED", "BASE", "MARQUEE", "XSS-MARK", "MATH"]
    .includes(element.tagName)
  || [...element.attributes].some((one) => /^on|^data-hx-on/i.test(one.name)
    || (!/^(aria-label|alt|title|value|placeholder|data-usual-total)$/.test(one.name)
      && /^\\s*(javascript|data:text)/i.test(one.value)))
  || (element.tagName === "SCRIPT" && element.type !== "application/json"
    && !(element.src && element.src.startsWith(location.origin)))
  || (element.tagName === "STYLE" && element.textContent.includes("evil.example"))
).map((element) => element.outerHTML.slice(0, 200))"""


@dataclass(frozen=True)
class Seen:
    """What happened on the pages, each with its address: nothing, one hopes."""

    dialogs: list[str] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    elements: list[str] = field(default_factory=list)

    def everything(self) -> list[str]:
        """All of it."""
        return [*self.dialogs, *self.violations, *self.elsewhere, *self.elements]


def watched(pages: Mapping[str, HttpResponse]) -> Seen:
    """Open every page in Chromium, by its path, and report what happened."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_watch, pages).result()


def _watch(pages: Mapping[str, HttpResponse]) -> Seen:
    seen = Seen()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = chromium.new_context(service_workers="block").new_page()
        _listen(page, seen)
        page.route("**/*", _answering(pages, seen))
        for path in pages:
            page.goto(f"{SITE}{path}", wait_until="load")
            seen.elements.extend(f"{path}: {one}" for one in page.evaluate(MADE_OF_TEXT))
        chromium.close()
    return seen


def _listen(page: Page, seen: Seen) -> None:
    def on_dialog(dialog: Any) -> None:
        seen.dialogs.append(f"{page.url}: {dialog.message}")
        dialog.dismiss()

    def on_console(message: Any) -> None:
        if "Content Security Policy" in message.text or "Content-Security-Policy" in message.text:
            seen.violations.append(f"{page.url}: {message.text}")

    page.on("dialog", on_dialog)
    page.on("console", on_console)


def _answering(pages: Mapping[str, HttpResponse], seen: Seen) -> Callable[[Route], None]:
    def answer(route: Route) -> None:
        parts = urlsplit(route.request.url)
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        if f"{parts.scheme}://{parts.netloc}" != SITE:
            seen.elsewhere.append(f"{route.request.frame.url}: {route.request.url}")
            route.abort()
        elif path in pages:
            made = pages[path]
            headers = dict(made.items())
            if "Content-Disposition" in headers:
                # A saved page is opened from the disk, where no header guards it.
                headers = {"Content-Type": headers["Content-Type"]}
            route.fulfill(status=made.status_code, headers=headers, body=made.content)
        elif found := _static(parts.path):
            route.fulfill(path=found)
        else:
            route.fulfill(status=404)

    return answer


def _static(path: str) -> Path | None:
    is_static = path.startswith("/static/")
    found = finders.find(path.removeprefix("/static/")) if is_static else None
    return Path(str(found)) if found else None
