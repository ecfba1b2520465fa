"""A strict double of AlwaysBeRunning that accepts event files."""

import contextlib
import json
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

from tests.core.tls_site import HOST, Site, tls_site

ADDRESS = f"https://{HOST}"
CODE = 123456


@dataclass
class Abr:
    """Responds with a code, with the page of the event that a file names, or as the test says.

    `says` is a status line and a body; None hangs up after reading.
    """

    says: tuple[str, bytes] | None = ("", b"")
    files: list[Any] = field(default_factory=list)
    heads: list[dict[str, str]] = field(default_factory=list)
    site: Site | None = None

    def __call__(self, connection: ssl.SSLSocket) -> None:
        self._take(self.site.requests[-1])
        if self.says is not None:
            status, body = self.says if self.says[0] else ("200 OK", self._answer())
            connection.sendall(f"HTTP/1.1 {status}\r\nConnection: close\r\n\r\n".encode() + body)

    def _take(self, request: bytes) -> None:
        head, _, body = request.partition(b"\r\n\r\n")
        line, *lines = head.decode().split("\r\n")
        assert line == "POST /api/nrtm HTTP/1.1"
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        form = f"Content-Type: {headers['content-type']}\r\n\r\n".encode() + body
        (part,) = message_from_bytes(form, policy=policy.HTTP).iter_parts()
        assert part.get_param("name", header="Content-Disposition") == "jsonresults"
        assert part.get_filename()
        self.heads.append(headers)
        self.files.append(json.loads(part.get_content()))

    def _answer(self) -> bytes:
        """Respond as the site does to valid and to invalid files."""
        document = self.files[-1]
        first = document["players"][0] if document["players"] else {}
        if not {"corpIdentity", "runnerIdentity"} & first.keys():
            return json.dumps({"error": "No identities"}).encode()
        event = document.get("abrTournamentId")
        if event is None:
            return json.dumps({"code": CODE, "status": "saved"}).encode()
        page = f"{ADDRESS}/tournaments/{event}/an-event"
        return json.dumps({"url": page, "code": 42, "status": "concluded"}).encode()


@contextlib.contextmanager
def abr(folder: Path, says: tuple[str, bytes] | None = ("", b"")) -> Iterator[tuple[Abr, Site]]:
    """The double, and the site it is served at."""
    double = Abr(says)
    with tls_site(folder, double) as site:
        double.site = site
        yield double, site
