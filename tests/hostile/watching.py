"""Behaviour of prepared pages in a real browser.

The browser runs in its own thread without network and database: every request is answered from the
prepared pages, with their headers, or from the static files.
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
    && !(element.matches(".preview__frame:not([srcdoc])")
      && element.src.startsWith(`${location.origin}/`))
  || [...element.attributes].some((one) => /^on|^data-hx-on/i.test(one.name)
    || (!element.matches("meta[name]")
      && !/^(aria-label|alt|title|value|placeholder|data-usual-total)$/.test(one.name)
      && /^\\s*(javascript|data:text)/i.test(one.value)))
  || (element.tagName === "SCRIPT" && element.type !== "application/json"
    && !(element.src && element.src.startsWith(location.origin)))
  || (element.tagName === "STYLE" && element.textContent.includes("evil.example"))
).map((element) => element.outerHTML.slice(0, 200))"""


@dataclass(frozen=True)
class PageEvents:
    """Events on the pages, each with its address; there should be none."""

    dialogs: list[str] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    outside_requests: list[str] = field(default_factory=list)
    elements: list[str] = field(default_factory=list)

    def everything(self) -> list[str]:
        return [*self.dialogs, *self.violations, *self.outside_requests, *self.elements]


def watch_pages(pages: Mapping[str, HttpResponse]) -> PageEvents:
    """Open every page in Chromium, by its path, and report all events."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_watch, pages).result()


def _watch(pages: Mapping[str, HttpResponse]) -> PageEvents:
    page_events = PageEvents()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = chromium.new_context(service_workers="block").new_page()
        _listen(page, page_events)
        page.route("**/*", _answering(pages, page_events))
        for path in pages:
            page.goto(f"{SITE}{path}", wait_until="load")
            page_events.elements.extend(
                f"{path}: {element}" for element in page.evaluate(MADE_OF_TEXT)
            )
        chromium.close()
    return page_events


def _listen(page: Page, page_events: PageEvents) -> None:
    def on_dialog(dialog: Any) -> None:
        page_events.dialogs.append(f"{page.url}: {dialog.message}")
        dialog.dismiss()

    def on_console(message: Any) -> None:
        if "Content Security Policy" in message.text or "Content-Security-Policy" in message.text:
            page_events.violations.append(f"{page.url}: {message.text}")

    page.on("dialog", on_dialog)
    page.on("console", on_console)


def _answering(
    pages: Mapping[str, HttpResponse], page_events: PageEvents
) -> Callable[[Route], None]:
    def answer(route: Route) -> None:
        parts = urlsplit(route.request.url)
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        if f"{parts.scheme}://{parts.netloc}" != SITE:
            page_events.outside_requests.append(f"{route.request.frame.url}: {route.request.url}")
            route.abort()
        elif path in pages:
            prepared = pages[path]
            headers = dict(prepared.items())
            if "Content-Disposition" in headers:
                # A saved page is opened from the disk, without protection by headers.
                headers = {"Content-Type": headers["Content-Type"]}
            route.fulfill(status=prepared.status_code, headers=headers, body=prepared.content)
        elif static_file := _static(parts.path):
            route.fulfill(path=static_file)
        else:
            route.fulfill(status=404)

    return answer


def _static(path: str) -> Path | None:
    is_static = path.startswith("/static/")
    file = finders.find(path.removeprefix("/static/")) if is_static else None
    return Path(str(file)) if file else None
