"""Pages many will ask for in a moment, rendered before they do.

What strangers had rendered is noted by its address. After a change the site
asks itself for the same addresses again, in a thread: so the answer lies ready
in the cache, and a failure there is nobody's failure but the log's.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from threading import Thread
from typing import Any

from django.core.cache import caches
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.db import connections, transaction
from django.http import HttpRequest

ADDRESSES_KEPT = 12
NOTED_SECONDS = 3 * 3600
"""As long as nobody has anything rendered anew, in a round without a result."""


@dataclass(frozen=True)
class Address:
    """What a stranger asked for, and the headers on which the answer depends."""

    scheme: str
    host: str
    script: str
    path: str
    query: str
    fragment: str

    def environ(self) -> dict[str, Any]:
        """The same request, as a web server would hand it over."""
        name, _, port = self.host.partition(":")
        environ = {
            "REQUEST_METHOD": "GET",
            "SCRIPT_NAME": self.script,
            # As WSGI wants it: the bytes of the path, each as a character.
            "PATH_INFO": self.path.encode().decode("latin-1"),
            "QUERY_STRING": self.query,
            "SERVER_NAME": name,
            "SERVER_PORT": port or "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": self.host,
            "wsgi.url_scheme": self.scheme,
            "wsgi.input": BytesIO(),
        }
        return {**environ, "HTTP_X_FRAGMENT": self.fragment} if self.fragment else environ


def note(group: str, request: HttpRequest) -> None:
    """Remember that this was asked for; of each group the newest few are known."""
    known = caches["pages"].get(_key(group), [])
    asked = _address(request)
    others = [address for address in known if address != asked]
    caches["pages"].set(_key(group), [asked, *others][:ADDRESSES_KEPT], NOTED_SECONDS)


def after_commit(group: str) -> None:
    """Once the present transaction is committed, render what is asked for in this group."""
    transaction.on_commit(lambda: _start(group), robust=True)


def _start(group: str) -> None:
    addresses = caches["pages"].get(_key(group), [])
    if addresses:
        Thread(target=_warm_apart, args=(addresses,), daemon=True, name=f"warm-{group}").start()


def _warm_apart(addresses: Iterable[Address]) -> None:
    try:
        warm(addresses)
    finally:
        connections.close_all()


def warm(addresses: Iterable[Address]) -> None:
    """Ask for each address as a stranger; what comes back is kept by who renders it."""
    for address in addresses:
        _site().get_response(WSGIRequest(address.environ()))


def _address(request: HttpRequest) -> Address:
    return Address(
        scheme=request.scheme or "http",
        host=request.get_host(),
        script=request.META.get("SCRIPT_NAME", ""),
        path=request.path_info,
        query=request.META.get("QUERY_STRING", ""),
        fragment=request.headers.get("X-Fragment", ""),
    )


def _key(group: str) -> str:
    return f"asked-for:{group}"


@lru_cache
def _site() -> WSGIHandler:
    """The site within this process: a worker of the queue has one as well."""
    return WSGIHandler()
