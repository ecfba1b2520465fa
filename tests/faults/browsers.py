"""The browser of a person, in the test process or over HTTP."""

from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from time import perf_counter
from typing import Protocol
from urllib.parse import urlencode, urljoin, urlsplit

from django.test import Client

from tests.faults.forms import Fields

PATIENCE = 60.0  # Seconds. A longer wait is a bug.


@dataclass(frozen=True)
class Page:
    """A response at this path, and its duration in seconds."""

    path: str
    status: int
    text: str
    headers: dict[str, str]
    seconds: float


class Browser(Protocol):
    """A browser that sends single requests and follows no redirects."""

    def ask(self, path: str, fields: Fields | None = None) -> Page:
        """Load a page, or send a form."""


@dataclass
class InProcess:
    """A browser in the test process; an error of the site becomes a response."""

    client: Client

    def ask(self, path: str, fields: Fields | None = None) -> Page:
        self.client.raise_request_exception = False
        started = perf_counter()
        answer = self.client.get(path) if fields is None else self.client.post(path, fields)
        seconds = perf_counter() - started
        headers = {name.lower(): value for name, value in answer.headers.items()}
        text = answer.content.decode(errors="replace")
        return Page(path, answer.status_code, text, headers, seconds)


@dataclass
class OverTheWire:
    """An HTTP browser that stores cookies; every request uses its own connection."""

    site: str
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, path: str, fields: Fields | None = None) -> Page:
        connection = HTTPConnection(urlsplit(self.site).netloc, timeout=PATIENCE)
        request_headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        }
        started = perf_counter()
        if fields is None:
            connection.request("GET", path, headers=request_headers)
        else:
            request_headers |= {"Content-Type": "application/x-www-form-urlencoded"}
            connection.request("POST", path, urlencode(fields, doseq=True), request_headers)
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
        seconds = perf_counter() - started
        connection.close()
        for line in answer.headers.get_all("Set-Cookie") or ():
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return Page(path, answer.status, text, headers, seconds)


def follow_redirects(browser: Browser, page: Page) -> list[Page]:
    """The page and the pages it redirects to, in order."""
    pages = [page]
    while pages[-1].status in (301, 302, 303):
        target = urlsplit(urljoin(pages[-1].path, pages[-1].headers["location"]))
        query = f"?{target.query}" if target.query else ""
        pages.append(browser.ask(f"{target.path}{query}"))
    return pages
