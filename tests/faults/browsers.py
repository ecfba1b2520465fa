"""One person's browser: within the test, or over the wire to a site that runs."""

from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from time import perf_counter
from typing import Protocol
from urllib.parse import urlencode, urljoin, urlsplit

from django.test import Client

from tests.faults.forms import Fields

PATIENCE = 60.0  # seconds; whoever waits longer has found a bug


@dataclass(frozen=True)
class Page:
    """What came back at this path, after so many seconds."""

    path: str
    status: int
    text: str
    headers: dict[str, str]
    seconds: float


class Browser(Protocol):
    """Asks once, and follows nothing."""

    def ask(self, path: str, fields: Fields | None = None) -> Page:
        """Load a page, or send a form."""


@dataclass
class InProcess:
    """A browser without a wire; an error of the site is its answer."""

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
    """A browser that keeps cookies; every request has a connection of its own."""

    site: str
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, path: str, fields: Fields | None = None) -> Page:
        connection = HTTPConnection(urlsplit(self.site).netloc, timeout=PATIENCE)
        said = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        started = perf_counter()
        if fields is None:
            connection.request("GET", path, headers=said)
        else:
            said |= {"Content-Type": "application/x-www-form-urlencoded"}
            connection.request("POST", path, urlencode(fields, doseq=True), said)
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
        seconds = perf_counter() - started
        connection.close()
        for line in answer.headers.get_all("Set-Cookie") or ():
            self.cookies |= {name: kept.value for name, kept in SimpleCookie(line).items()}
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return Page(path, answer.status, text, headers, seconds)


def followed(browser: Browser, page: Page) -> list[Page]:
    """The page and those it leads to, as a browser shows them one after another."""
    pages = [page]
    while pages[-1].status in (301, 302, 303):
        target = urlsplit(urljoin(pages[-1].path, pages[-1].headers["location"]))
        query = f"?{target.query}" if target.query else ""
        pages.append(browser.ask(f"{target.path}{query}"))
    return pages
