"""Marks by which every process of one machine knows whether a kept answer is still right.

A mark is a number in a file that all processes map into their memory. Whoever changes a thing
says so before: until the transaction has ended nothing of it is kept or answered from what was
kept, and afterwards the mark is another. A process that dies in between leaves the thing in
doubt for a minute, in which answers are made anew: slower, never old.
"""

import mmap
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from time import time
from typing import TypeAlias

from django.conf import settings
from django.db import transaction

THINGS = 65_536
"""Things whose numbers differ by a multiple of this share a mark: answered anew too often."""
IN_DOUBT_SECONDS = 60
"""Longer than any transaction of the site lasts."""
WORDS, DOUBT, CHANGER = 3, 1, 2
EVERYTHING = 0

Mark: TypeAlias = tuple[int, ...]

_is_only_tried: ContextVar[bool] = ContextVar("is_only_tried", default=False)


def mark(*things: int) -> Mark | None:
    """The mark of some things at this moment; None while somebody changes one of them.

    An answer made after the mark was read is right for as long as the mark is the same.
    """
    marks, now = _marks(), time()
    slots = [EVERYTHING, *(_slot(thing) for thing in things)]
    # First the marks, then the doubts: whoever begins a change in between is noticed.
    read = tuple([marks[slot] for slot in slots])
    for slot in slots:
        if marks[slot + DOUBT] > now:
            return None
    return read


def changing(*things: int) -> None:
    """The present transaction changes these things: what was kept of them is old from now on."""
    for thing in things:
        _change(_slot(thing))


def changing_everything() -> None:
    """The present transaction may change many things."""
    _change(EVERYTHING)


@contextmanager
def only_tried() -> Iterator[None]:
    """What is changed in this block is rolled back in any case: no mark moves."""
    token = _is_only_tried.set(True)
    try:
        yield
    finally:
        _is_only_tried.reset(token)


def begin_anew() -> None:
    """What was kept is old. No database is asked: it may be away when a process starts."""
    _marks()[EVERYTHING] = secrets.randbits(63)


def _change(slot: int) -> None:
    if not settings.FRONT or _is_only_tried.get():
        return
    marks, mine = _marks(), secrets.randbits(63)
    marks[slot + DOUBT] = int(time()) + IN_DOUBT_SECONDS
    marks[slot] = marks[slot + CHANGER] = mine

    def settle() -> None:
        # The mark in any case: should another change have ended the doubt of this one in the
        # moment in which it was said, what was kept meanwhile is not right any more.
        marks[slot] = secrets.randbits(63)
        # Another transaction may have begun to change it: then the doubt is its own to end.
        if marks[slot + CHANGER] == mine:
            marks[slot + DOUBT] = 0

    transaction.on_commit(settle)


def _slot(thing: int) -> int:
    """Where its mark stands; behind it the second until which it is in doubt, and who said so."""
    return WORDS * (1 + thing % THINGS)


@lru_cache(1)
def _marks() -> memoryview:
    path = Path(settings.VAR_DIR) / "freshness"
    path.parent.mkdir(parents=True, exist_ok=True)
    size = 8 * WORDS * (1 + THINGS)
    with path.open("a+b") as file:
        # Grows, or stays as it is: other processes may be reading. Zeros are written, for a part
        # of a mapped file that has no room on the disk yet ends the process when the disk is full.
        file.write(bytes(max(0, size - path.stat().st_size)))
        file.flush()
        return memoryview(mmap.mmap(file.fileno(), size)).cast("Q")
