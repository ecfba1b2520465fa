"""A body is whole before anybody works on it, or refused: too long, too slow, or cut off."""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from io import BytesIO
from typing import Any, Protocol, TypeAlias

from django.conf import settings
from django.core.handlers.wsgi import get_path_info

from core import silence
from core.bodies import FAULT, BodyFault, may_bring, most_bytes

SLOWEST = 16 * 1024
"""Bytes a second that a body may come in, once the first seconds are over."""
PIECE = 32
"""Bytes. The server waits until a piece is full, so only a small one lets us look at the clock."""
QUICK = 0.05
"""Seconds. What took longer drips in, and is read byte by byte."""
RUN = 256
"""Pieces. What has come quickly for so long is read in pieces of more than a byte."""

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
    return (int(told), int(told)) if may_bring(int(told), get_path_info(environ)) else None


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
    begun = time.monotonic()
    with silence.watched(address, begun + seconds) as wait:
        while len(body) < most and time.monotonic() <= wait.until:
            came = _run(stream, size, most - len(body))
            if not came:
                break
            body += came
            wait.until = begun + seconds + len(body) / SLOWEST
            size = PIECE if len(came) == RUN * size else 1
        return bytes(body), time.monotonic() > wait.until


def _run(stream: Readable, size: int, most: int) -> bytes:
    """The next pieces for as long as they come quickly; none at the end, or when the other is gone.

    An upload is 100,000 pieces and more: what is done for each of them is done here.
    """
    size = min(size, most)
    read, clock, pieces = stream.read, time.monotonic, []
    before = clock()
    with suppress(OSError):
        for _ in range(min(RUN, most // size)):
            pieces.append(read(size))
            now = clock()
            if now - before > QUICK:
                break
            before = now
    return b"".join(pieces)
