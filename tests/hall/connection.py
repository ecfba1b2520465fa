"""A browser in a few lines: one kept connection, its cookies, and what went over the wire."""

import asyncio
import gzip
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from html.parser import HTMLParser
from time import perf_counter
from urllib.parse import urlencode, urlsplit

LONGEST = 30  # seconds; a phone that waits longer has given up


@dataclass(frozen=True)
class Answer:
    """What came back, after so many seconds, and its weight with all headers, in bytes."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float
    wire_bytes: int

    @property
    def text(self) -> str:
        packed = self.headers.get("content-encoding") == "gzip"
        return (gzip.decompress(self.body) if packed else self.body).decode()


@dataclass
class Browser:
    """One person's browser at `site`, with what it says in every request."""

    site: str
    cookies: dict[str, str] = field(default_factory=dict)
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None

    async def get(self, path: str, **headers: str) -> Answer:
        return await self._ask("GET", path, headers)

    async def post(self, path: str, fields: Mapping[str, str]) -> Answer:
        """Send a form; the token is that of this browser."""
        said = {"csrfmiddlewaretoken": self.cookies.get("csrftoken", ""), **fields}
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return await self._ask("POST", path, kind, urlencode(said).encode())

    async def submit(self, page: str, action: str) -> Answer:
        """Open a page and send its form with this action as it stands there."""
        return await self.post(action, await self.form(page, action))

    async def form(self, page: str, action: str) -> Mapping[str, str]:
        """The form with this action as it stands on the page."""
        forms = forms_in((await self.get(page)).text)
        if action not in forms:
            raise LookupError(f"No form for {action} on {page}, only {sorted(forms)}")
        return forms[action]

    async def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            with suppress(OSError):
                await self._writer.wait_closed()
        self._reader = self._writer = None

    async def _ask(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes = b""
    ) -> Answer:
        started = perf_counter()
        async with asyncio.timeout(LONGEST):
            try:
                return await self._exchange(method, path, headers, body, started)
            except (asyncio.IncompleteReadError, ConnectionError):
                # The server may end a kept connection at any moment; a browser asks again, once.
                await self.close()
                return await self._exchange(method, path, headers, body, started)

    async def _exchange(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes, started: float
    ) -> Answer:
        if self._reader is None or self._writer is None:
            parts = urlsplit(self.site)
            self._reader, self._writer = await asyncio.open_connection(parts.hostname, parts.port)
        self._writer.write(self._request(method, path, headers, body))
        head = await self._reader.readuntil(b"\r\n\r\n")
        status, received = _parsed(head)
        self._keep_cookies(head)
        data, weight = await _body(self._reader, status, received)
        return Answer(status, received, data, perf_counter() - started, len(head) + weight)

    def _request(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> bytes:
        said = {
            "Host": urlsplit(self.site).netloc,
            "Accept-Encoding": "gzip",
            "User-Agent": "hall",
            "Content-Length": str(len(body)),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        if self.cookies:
            said["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        lines = "".join(f"{name}: {value}\r\n" for name, value in said.items())
        return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + body

    def _keep_cookies(self, head: bytes) -> None:
        for line in head.decode("latin-1").split("\r\n"):
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                key, _, kept = value.strip().partition(";")[0].partition("=")
                self.cookies[key] = kept


def _parsed(head: bytes) -> tuple[int, dict[str, str]]:
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    pairs = (line.partition(": ") for line in lines)
    return int(first.split(" ")[1]), {name.lower(): value for name, _, value in pairs}


async def _body(
    reader: asyncio.StreamReader, status: int, headers: Mapping[str, str]
) -> tuple[bytes, int]:
    """The body, and how many bytes it took."""
    if status in (204, 304):
        return b"", 0
    if headers.get("transfer-encoding") != "chunked":
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        return body, len(body)
    parts: list[bytes] = []
    weight = 0
    while True:
        line = await reader.readuntil(b"\r\n")
        part = await reader.readexactly(int(line, 16) + 2)
        weight += len(line) + len(part)
        if len(part) == 2:
            return b"".join(parts), weight
        parts.append(part[:-2])


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, dict[str, str]] = {}
        self._fields: dict[str, str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        if tag == "form":
            self._fields = self.found.setdefault(said.get("action") or "", {})
        elif tag == "input" and said.get("type") == "hidden" and self._fields is not None:
            self._fields[said.get("name") or ""] = said.get("value") or ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._fields = None


def forms_in(html: str) -> dict[str, dict[str, str]]:
    """The hidden fields of every form of a page, by the address it is sent to."""
    parser = _Forms()
    parser.feed(html)
    return parser.found
