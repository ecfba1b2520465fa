"""A proxy in front of the site that can simulate a lost database or a lost connection."""

from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from django.http import HttpResponse
from django.test import RequestFactory

from core.database import DatabaseTrouble
from core.service_unavailable import answer_503

OF_ONE_CONNECTION = {"connection", "transfer-encoding", "keep-alive", "date", "server"}


class Gate(ThreadingHTTPServer):
    """Forward every request to `site` while `is_open`.

    While it is closed, only static files pass. While it `is_cut`, every connection ends without a
    response.
    """

    daemon_threads = True

    def __init__(self, site: str) -> None:
        super().__init__(("127.0.0.1", 0), _ProxyHandler)
        self.site = urlsplit(site).netloc
        self.is_open = True
        self.is_cut = False

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _ProxyHandler(BaseHTTPRequestHandler):
    server: Gate

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        if self.server.is_cut:
            return
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if self.server.is_open or self.path.startswith("/static/"):
            self._pass_on(body)
        else:
            self._answer_without_database(body)

    def _pass_on(self, body: bytes) -> None:
        connection = HTTPConnection(self.server.site, timeout=60)
        connection.request(self.command, self.path, body, dict(self.headers))
        answer = connection.getresponse()
        headers = [(name, text) for name, text in answer.getheaders()]
        self._send(answer.status, headers, answer.read())
        connection.close()

    def _answer_without_database(self, body: bytes) -> None:
        kind = self.headers.get("Content-Type", "application/octet-stream")
        headers = dict(self.headers)
        request = RequestFactory().generic(self.command, self.path, body, kind, headers=headers)
        answer: HttpResponse = answer_503(request, DatabaseTrouble.GONE)
        self._send(answer.status_code, list(answer.headers.items()), answer.content)

    def _send(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.send_response_only(status)
        for name, text in headers:
            if name.lower() not in OF_ONE_CONNECTION | {"content-length"}:
                self.send_header(name, text)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named by its base
        """Silence the log line of each request."""
