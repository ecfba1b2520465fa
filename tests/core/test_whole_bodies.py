"""A body is read in small pieces, none of them for nothing."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from core.bodies import FAULT, BodyFault
from core.whole_bodies import PIECE, QUICK, whole_bodies

pytestmark = pytest.mark.check(14)
LENGTH = 200_000


class Line:
    """`wsgi.input` of a server that waits until what is asked for is there."""

    def __init__(self, content: bytes, before: Callable[[int], None] = lambda at: None) -> None:
        self.content, self.at, self.before = content, 0, before
        self.asked: list[int] = []

    def read(self, size: int) -> bytes:
        self.before(self.at)
        self.asked.append(size)
        piece = self.content[self.at : self.at + size]
        self.at += len(piece)
        return piece


def _read(line: Line, length: int = LENGTH) -> dict[str, Any]:
    """The environment in which the site is asked."""
    told: dict[str, Any] = {}
    site = whole_bodies(lambda environ, start: told.update(environ) or [])
    site(
        {"PATH_INFO": "/join/ABC/", "CONTENT_LENGTH": str(length), "wsgi.input": line},
        lambda *told: None,
    )
    return told


@pytest.mark.parametrize("length", [1, 255, 256, 257, 300, 256 + PIECE + 1, LENGTH])
def test_a_body_is_read_to_its_last_byte_and_no_further(length: int):
    content = bytes(place % 251 for place in range(length + 10))
    line = Line(content)

    told = _read(line, length)

    assert told["wsgi.input"].read() == content[:length]
    assert (line.at, FAULT in told) == (length, False)


def test_what_comes_quickly_is_read_in_few_pieces():
    line = Line(b"a" * LENGTH)

    _read(line)

    assert len(line.asked) < LENGTH / PIECE + 600


def test_after_a_wait_a_byte_at_a_time_is_read():
    """The server would wait for a larger piece without end."""
    line = Line(b"a" * 600, lambda at: time.sleep(2 * QUICK) if 400 < at < 500 else None)

    _read(line, 600)

    first = next(place for place, size in enumerate(line.asked) if sum(line.asked[:place]) > 400)
    assert line.asked[first] == PIECE
    assert set(line.asked[first + 1 :]) == {1}


@pytest.mark.parametrize("end", [b"", OSError])
def test_a_body_that_ends_early_is_cut_off(end: bytes | type[OSError]):
    def gone(at: int) -> None:
        if at >= 1000 and end is OSError:
            raise OSError

    told = _read(Line(b"a" * 1000, gone))

    assert told[FAULT] == BodyFault.CUT_OFF
