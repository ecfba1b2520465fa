"""A body is whole before anybody works on it, or refused: too long, too slow, or cut off."""

import time
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any, Protocol, TypeAlias

from django.conf import settings
from django.core.handlers.wsgi import get_path_info

from core import silence
from core.bodies import FAULT, BodyFault, most_bytes

SLOWEST = 16 * 1024
"""Bytes a second that a body may come in, once the first seconds are over."""
PIECE = 16
"""Bytes. The server waits until a piece is full, so only a small one lets us look at the clock."""
QUICK = 0.05
"""Seconds. What took longer drips in, and is read byte by byte."""

Environ: TypeAlias = dict[str, Any]
Application: TypeAlias = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


class Readable(Protocol):
    """What a WSGI server gives as `wsgi.input`."""

    def read(self, size: int) -> bytes: ...


def whole_bodies(application: Application) -> Application:
    """Read the body before the application is asked, within the limit and the time of its address.

    Granian waits for a slow body without end, and a thread with it (ASVS 13.1.3). Here it waits
    `settings.BODY_SECONDS`, and a second more for every 16 KB that came; then the request goes on
    without a body, marked as late, and `core.bodies.bodies_limited` answers it. A body whose
    length is not told is read as far as it may be long.
    """

    def whole(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        if (wanted := _wanted(environ)) is not None:
            _read_whole(environ, *wanted)
        return application(environ, start_response)

    return whole


def _wanted(environ: Environ) -> tuple[int, int | None] | None:
    """How many bytes may come, and how many were told; None: nothing to be read."""
    told = environ.get("CONTENT_LENGTH") or ""
    if not told:
        is_open = "HTTP_TRANSFER_ENCODING" in environ and environ.get("wsgi.input_terminated")
        return (most_bytes(get_path_info(environ)), None) if is_open else None
    if not told.isdecimal() or len(told) > 9 or int(told) == 0:
        return None
    # What is longer than it may be is refused by its length, and never read.
    return (int(told), int(told)) if int(told) <= most_bytes(get_path_info(environ)) else None


def _read_whole(environ: Environ, most: int, told: int | None) -> None:
    stream, address = environ["wsgi.input"], str(environ.get("REMOTE_ADDR", ""))
    body, is_late = _read(stream, address, most if told is not None else most + 1)
    if is_late:
        environ[FAULT] = BodyFault.LATE
    elif told is not None and len(body) < told:
        environ[FAULT] = BodyFault.CUT_OFF
    elif len(body) > most:
        environ[FAULT] = BodyFault.TOO_LARGE
    environ.pop("HTTP_TRANSFER_ENCODING", None)
    body = b"" if FAULT in environ else body
    environ["wsgi.input"], environ["CONTENT_LENGTH"] = BytesIO(body), str(len(body))


def _read(stream: Readable, address: str, most: int) -> tuple[bytes, bool]:
    """What came of at most so many bytes, and whether the time was over."""
    body, size, seconds = bytearray(), 1, settings.BODY_SECONDS
    begun = now = time.monotonic()
    with silence.watched(address, begun + seconds) as wait:
        while len(body) < most and now <= wait.until:
            if not (piece := _piece(stream, min(size, most - len(body)))):
                break
            body += piece
            wait.until = begun + seconds + len(body) / SLOWEST
            before, now = now, time.monotonic()
            size = min(2 * size, PIECE) if now - before < QUICK else 1
        return bytes(body), time.monotonic() > wait.until


def _piece(stream: Readable, size: int) -> bytes:
    """The next bytes; none at the end, or where who sent it is gone."""
    try:
        return stream.read(size)
    except OSError:
        return b""
