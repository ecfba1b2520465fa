"""The folder that backups are kept in: one is made at a time, and old ones are thrown away."""

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

ENDING = ".backup"
NEVER_BY_AGE = 3
"""So many of the newest stay however old they seem: the clock may be wrong."""


def fresh_name(moment: datetime) -> str:
    """A name that sorts by time and tells it: datafort-20261122T143005.123Z.backup, in UTC."""
    return f"datafort-{moment:%Y%m%dT%H%M%S}.{moment.microsecond // 1000:03}Z{ENDING}"


def backups_in(folder: Path) -> list[Path]:
    """Those that `fresh_name` named, newest first; what people put beside them is theirs."""
    return sorted(folder.glob(f"datafort-*Z{ENDING}"), reverse=True)


def too_old(kept: Iterable[Path], now: datetime, most: int, longest: timedelta) -> list[Path]:
    """Of files newest first those beyond the number or the age; the newest always stays.

    Those of a moment to come are counted last: the clock was ahead when they were made.
    """
    newest, oldest = fresh_name(now), fresh_name(now - longest)
    in_order = sorted(kept, key=lambda path: path.name > newest)
    return [
        path for place, path in enumerate(in_order) if place and _is_over(path, place, most, oldest)
    ]


def _is_over(path: Path, place: int, most: int, oldest: str) -> bool:
    return place >= most or (place >= NEVER_BY_AGE and path.name < oldest)


@contextmanager
def alone(folder: Path, *, patient: bool) -> Iterator[None]:
    """While nobody else makes a backup here; the folder is made where there is none.

    Raises BlockingIOError when somebody does, and nobody is to wait for it.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX if patient else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(lock)
