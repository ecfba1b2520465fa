"""The front with marks of its own, for a test."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from django.test import override_settings

from core import freshness
from core.front import Application


class Answer(NamedTuple):
    """What a browser gets."""

    status: HTTPStatus
    headers: dict[str, str]
    body: bytes


@contextmanager
def own_marks(folder: Path) -> Iterator[None]:
    """Marks in a file of their own, as a process that has just started sees them."""
    with override_settings(FRONT=True, VAR_DIR=folder):
        freshness._marks.cache_clear()
        try:
            yield
        finally:
            freshness._marks.cache_clear()


def ask(site: Application, path: str, **environ: Any) -> Answer:
    """What `site` answers to a GET; `environ` are more of what a web server tells."""
    path, _, query = path.partition("?")
    told: list[tuple[str, list[tuple[str, str]]]] = []
    asked = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "HTTP_HOST": "hall.example",
        "SERVER_NAME": "hall.example",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(),
        **environ,
    }
    answer = site(asked, lambda status, headers, *rest: told.append((status, headers)))
    body = b"".join(answer)
    close = getattr(answer, "close", None)
    if close is not None:
        close()
    status, headers = told[-1]
    return Answer(HTTPStatus(int(status.split()[0])), dict(headers), body)
